import { expect, it } from 'vitest'
import { openJobQueue } from '../../src/adapters/job-queue.ts'
import { useOwnApp } from '../support/app.ts'
import { until } from '../support/servers.ts'

const app = useOwnApp()
const add = (company_id: number, count: number) =>
  app.database.db.transaction(tx =>
    app.jobs.enqueue(
      tx,
      'scan-file',
      Array.from({ length: count }, (_, n) => ({ company_id, file_id: company_id * 1_000 + n })),
    ),
  )

it('Jobs are taken company by company, oldest first, and never two of a company that has its turn', async () => {
  for (const [company, count] of [
    [1, 5],
    [2, 2],
    [3, 1],
  ] as const)
    await add(company, count)
  const take = async (having: number[], served: number[]) =>
    (await app.jobs.takeInTurn('scan-file', having, served))?.payload.company_id
  expect(await take([], [])).toBe(1)
  expect(await take([1], [1])).toBe(2)
  expect(await take([1], [1, 2])).toBe(3)
  expect(await take([1], [1, 2, 3])).toBe(2)
  expect(await take([1], [1, 3, 2])).toBeUndefined()
  expect(await take([], [1, 3, 2])).toBe(1)
  for (let n = 0; n < 3; n++) await take([], [])
  expect(await take([], [])).toBeUndefined()
})

it('A job is given to one worker alone, and comes back when that worker died', async () => {
  const other = await openJobQueue(app.database, error => {
    throw error
  })
  for (let company = 10; company < 15; company++) await add(company, 8)
  const taken: string[] = []
  const work = async (queue: typeof other) => {
    for (let misses = 0; misses < 3; ) {
      const job = await queue.takeInTurn('scan-file', [], [])
      if (job) taken.push(job.id)
      else misses++
    }
  }
  await Promise.all([work(app.jobs), work(other), work(app.jobs), work(other)])
  expect([taken.length, new Set(taken).size]).toEqual([40, 40])

  await app.database.db.raw(`update pgboss.job set started_on = now() - interval '2 minutes' where id = $1::uuid`, [
    taken[0],
  ])
  let back: string | undefined
  await until(async () => {
    back = (await app.jobs.takeInTurn('scan-file', [], []))?.id
    return back !== undefined
  }, 50_000)
  expect(back).toBe(taken[0])
  await other.close()
})
