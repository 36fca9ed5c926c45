import { createHash } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { NoRoom } from '../../src/lib/fair-queue.ts'
import { QUEUES } from '../../src/queues.ts'
import { startBucket } from '../support/answering-bucket.ts'

const digest = createHash('sha256').update('').digest('hex')

it('A bucket that says nothing is waited for by a share of each company, and by few in all', async () => {
  const { total, perKey, waitingPerKey } = QUEUES.bucket
  const { blobs, asked, close } = await startBucket(() => true)
  onTestFinished(close)
  const refused: unknown[] = []
  const ask = (companyId: number, times: number) => {
    for (let n = 0; n < times; n++) blobs.has(companyId, digest).catch(error => refused.push(error))
  }
  ask(1, 200)
  await expect.poll(() => refused.length).toBe(200 - perKey - waitingPerKey)
  await expect.poll(() => asked.length).toBe(perKey)
  ask(2, 1)
  await expect.poll(() => asked.at(-1)).toMatch(/\/2\//)
  for (const companyId of [3, 4, 5]) ask(companyId, 200)
  await expect.poll(() => refused.length, { timeout: 10_000 }).toBe(801 - total)
  expect(asked).toHaveLength(total)
  for (const error of refused) expect(error).toBeInstanceOf(NoRoom)
})
