import { expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { wrongCounters } from '../support/counters.ts'
import type { Answer } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'

const app = useApp()
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const statuses = (answers: Answer[]) => answers.map(({ status }) => status)

it('Tasks that are added at once are each answered, refused, signed and repeated for themselves', async () => {
  const company = await app.diwan.company()
  const [project, archived] = [await app.diwan.project(company), await app.diwan.project(company)]
  const [list, other, frozen] = [
    await newList(company, project.id, { title: 'Desks' }),
    await newList(company, project.id, { title: 'Chairs' }),
    await newList(company, archived.id),
  ]
  await company.api.post(`/projects/${archived.id}/archive`)
  await app.database.pool.query(`
    create function refuse_trap() returns trigger language plpgsql as $$
      begin raise 'caught' using errcode = '57014'; end $$;
    create trigger trap before insert on tasks for each row when (new.title = 'Trap') execute function refuse_trap()`)
  const places: [path: string, status: number, list?: string][] = [
    [`/lists/${list.id}/tasks`, 201, list.id],
    [`/projects/${project.id}/lists/chairs/tasks`, 201, other.id],
    [`/lists/${frozen.id}/tasks`, 403],
    ['/lists/lst-0000000000/tasks', 404],
    [`/lists/${list.id}/tasks`, 503],
  ]
  const placeOf = (n: number) => places[n % places.length] as (typeof places)[number]
  const apis = [company.api, app.diwan.api(await app.diwan.key(company.id))]
  const send = (n: number) => {
    const title = placeOf(n)[1] === 503 ? 'Trap' : `Task ${n}`
    const named: Record<string, string> = n % 2 ? { 'idempotency-key': `add ${n}` } : {}
    return (apis[n % 2] as typeof company.api).post(placeOf(n)[0], { title, notes: `Note ${n}` }, named)
  }
  const answers = await Promise.all(times(60, send))
  await app.database.pool.query('drop trigger trap on tasks; drop function refuse_trap')
  expect(statuses(answers)).toEqual(times(60, n => placeOf(n)[1]))
  const { rows } = await app.database.pool.query(
    `select record_id, key_id from changes where company_id = $1 and kind = 'task'`,
    [company.id],
  )
  const keysOf: [Set<string>, Set<string>] = [new Set(), new Set()]
  for (const [n, { status, body }] of answers.entries()) {
    if (status !== 201) continue
    const own = { title: `Task ${n}`, notes: `Note ${n}`, task_list_id: placeOf(n)[2] }
    expect((await company.api.get(`/tasks/${body.data.id}`)).body.data).toMatchObject(own)
    if (n % 2) expect((await send(n)).body).toEqual(body)
    keysOf[n % 2 ? 1 : 0].add(rows.find(({ record_id }) => record_id === body.data.id)?.key_id)
  }
  expect([keysOf[0].size, keysOf[1].size, new Set([...keysOf[0], ...keysOf[1]]).size]).toEqual([1, 1, 2])
  const counts = [list, other, frozen].map(
    async ({ id }) => (await company.api.get(`/lists/${id}`)).body.data.tasks_count,
  )
  expect(await Promise.all(counts)).toEqual([12, 12, 0])
  expect(await wrongCounters(app.database.db, company.id)).toEqual([])
})

it('A task that many complete at once is completed once, and all are told the same', async () => {
  const company = await app.diwan.company()
  const list = await newList(company, (await app.diwan.project(company)).id)
  const tasks = await Promise.all(times(4, () => newTask(company, list.id)))
  const after = await cursorOfNow(app, company.api)
  const answers = await Promise.all(times(40, n => company.api.post(`/tasks/${tasks[n % 4]?.id}/complete`)))
  expect(new Set(statuses(answers))).toEqual(new Set([200]))
  for (const [n, { body }] of answers.entries())
    expect(body).toEqual((await company.api.get(`/tasks/${tasks[n % 4]?.id}`)).body)
  const told = (await entriesAfter(app, company.api, after)).map(({ id }: { id: string }) => id)
  expect(told.sort()).toEqual(tasks.map(({ id }) => id).sort())
  const counted = { completed_tasks_count: 4, completed: true }
  expect((await company.api.get(`/lists/${list.id}`)).body.data).toMatchObject(counted)
})
