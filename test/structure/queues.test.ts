import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { JOBS_AT_ONCE, QUEUES, queuesOfPool } from '../../src/queues.ts'

const root = join(import.meta.dirname, '../../src')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))

/** Gets its bounds from `http/requests/request-body.ts`. */
const GIVEN_ITS_BOUNDS = ['http/requests/body-budget.ts']

it('Every queue has its bounds from the list of queues', () => {
  const withQueues = files.filter(file => readFileSync(join(root, file), 'utf8').includes('new FairQueue'))
  expect(withQueues.length).toBeGreaterThan(5)
  const own = withQueues.filter(file => !/from '[./]+queues\.ts'/.test(readFileSync(join(root, file), 'utf8')))
  expect(own).toEqual(GIVEN_ITS_BOUNDS)
})

it('No company gets all the room where companies share it, and everyone who waits has a deadline', () => {
  const pool = queuesOfPool(10, 5, 16)
  const { scans, longAnswers, ...shared } = { ...QUEUES, ...pool }
  for (const { total, perKey, waiting, waitingPerKey, waitMs } of Object.values(shared)) {
    expect(perKey).toBeLessThan(total)
    expect(waitingPerKey).toBeLessThanOrEqual(waiting)
    expect(Number.isFinite(waiting) && Number.isFinite(waitMs)).toBe(true)
  }
  for (const { atOnce, ofCompany } of Object.values(JOBS_AT_ONCE)) expect(ofCompany).toBeLessThan(atOnce)
  // Its room is given back after a few milliseconds, to whoever's turn it is.
  expect(longAnswers.total).toBe(1)
  // Those who ask take turns before they ask.
  expect(scans.total).toBe(JOBS_AT_ONCE['scan-file'].atOnce)
})
