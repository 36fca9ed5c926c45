import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FAULTS } from '../../trials/planted-faults.ts'

const trials = readdirSync('trials').filter(file => file.endsWith('.trial.ts'))

describe('The faults that are planted to see a trial fail', () => {
  it('are there for every trial, and for nothing else', () => {
    expect(Object.keys(FAULTS).sort()).toEqual(trials.map(file => file.replace('.trial.ts', '')).sort())
  })

  it.each(Object.entries(FAULTS))('of %s: the place is still there, once, and the fault changes it', (_, fault) => {
    expect(readFileSync(fault.file, 'utf8').split(fault.from)).toHaveLength(2)
    expect(fault.to).not.toBe(fault.from)
  })
})
