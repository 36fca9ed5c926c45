import { expect, it } from 'vitest'
import { openJobQueue } from '../../src/adapters/job-queue.ts'
import { takeInTurn } from '../../src/adapters/job-turns.ts'
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

it('Jobs are taken company by company, the longest due first, and none of a company that has all its turns', async () => {
  for (const [company, count] of [
    [1, 4],
    [2, 2],
    [3, 1],
  ] as const)
    await add(company, count)
  const take = async (after: number, having: number[]) =>
    (await app.jobs.take('scan-file', after, having))?.payload.company_id
  expect(await take(0, [])).toBe(1)
  expect(await take(1, [1])).toBe(2)
  expect(await take(2, [1])).toBe(3)
  expect(await take(3, [1])).toBe(2)
  expect(await take(2, [1])).toBeUndefined()
  expect(await take(2, [])).toBe(1)
  for (let n = 0; n < 2; n++) await take(1, [])
  expect(await take(1, [])).toBeUndefined()

  await add(20, 3)
  const { rows } = await app.database.pool.query<{ id: string }>(
    `select id from pgboss.job where name = 'scan-file' and data ->> 'company_id' = '20' order by id`,
  )
  const [late, soon, never] = rows.map(({ id }) => id)
  for (const [id, after] of [
    [late, '-1 minute'],
    [soon, '-2 minutes'],
    [never, '1 hour'],
  ])
    await app.database.pool.query(`update pgboss.job set start_after = now() + $2::interval where id = $1`, [id, after])
  const takeId = async () => (await app.jobs.take('scan-file', 0, []))?.id
  expect([await takeId(), await takeId(), await takeId()]).toEqual([soon, late, undefined])
})

it('To take a job reads as much, whether few or many jobs of a company wait', { tags: 'long' }, async () => {
  const blocksRead = async () => {
    type Explained = { 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }] }
    const explain = `explain (analyze, buffers, format json) ${takeInTurn('scan-file')}`
    const { rows } = await app.database.pool.query<Explained>(explain, [30, []])
    const { Plan } = (rows[0] as Explained)['QUERY PLAN'][0]
    return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
  }
  await add(31, 500)
  const whenFewWait = await blocksRead()
  for (let n = 0; n < 3; n++) await add(31, 1_000)
  expect(await blocksRead()).toBeLessThan(whenFewWait + 20)
  await app.database.pool.query(`delete from pgboss.job where name = 'scan-file'`)
})

it('A job is given to one worker alone, and comes back when that worker died', { tags: 'long' }, async () => {
  const other = await openJobQueue(app.database, error => {
    throw error
  })
  for (let company = 10; company < 15; company++) await add(company, 8)
  const taken: string[] = []
  const work = async (queue: typeof other) => {
    for (let misses = 0; misses < 3; ) {
      const job = await queue.take('scan-file', 0, [])
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
    back = (await app.jobs.take('scan-file', 0, []))?.id
    return back !== undefined
  }, 50_000)
  expect(back).toBe(taken[0])
  await other.close()
})
