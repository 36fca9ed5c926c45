import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FAULTS } from '../../trials/planted-faults.ts'

const trials = readdirSync('trials').filter(file => file.endsWith('.trial.ts'))

/** What a trial may fail with whatever was broken, or when nothing was. */
const OF_ANY_KIND = [
  'Error: Not so within 150000 ms: async () => mails().size >= expected.size',
  'Error: Test timed out in 1800000ms.',
  'TypeError: fetch failed\nCaused by: Error: connect ECONNREFUSED 127.0.0.1:5432',
  'Error: The server ended instead of serving: diwan: listen EADDRINUSE: address already in use 127.0.0.1:3000',
  'AssertionError: expected 503 to be 200 // Object.is equality\n\n- Expected\n+ Received\n\n- 200\n+ 503\n',
  'AssertionError: expected [ 503, …(1) ] to deeply equal []\n\n- Expected\n+ Received\n\n- []\n+ [\n+   503,\n+ ]\n',
]

describe('The faults that are planted to see a trial fail', () => {
  it('are there for every trial, and for nothing else', () => {
    expect(Object.keys(FAULTS).sort()).toEqual(trials.map(file => file.replace('.trial.ts', '')).sort())
  })

  it.each(Object.entries(FAULTS))('of %s: the place is still there, once, and the fault changes it', (_, fault) => {
    expect(readFileSync(fault.file, 'utf8').split(fault.from)).toHaveLength(2)
    expect(fault.to).not.toBe(fault.from)
  })

  it.each(Object.entries(FAULTS))('of %s: a failure of any kind is not taken for it', (_, { noticed }) => {
    for (const failure of OF_ANY_KIND) expect(failure).not.toMatch(noticed)
  })
})
