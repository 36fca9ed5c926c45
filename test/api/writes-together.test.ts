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
  const answers = await Promise.all(times(20, send))
  await app.database.pool.query('drop trigger trap on tasks; drop function refuse_trap')
  expect(statuses(answers)).toEqual(times(20, n => placeOf(n)[1]))
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
  expect(await Promise.all(counts)).toEqual([4, 4, 0])
  expect(await wrongCounters(app.database.db, company.id)).toEqual([])
})

it('A write that goes step by step leaves what it leaves as one statement', async () => {
  const left: unknown[] = []
  for (const isStepByStep of [false, true]) {
    const company = await app.diwan.company()
    const list = await newList(company, (await app.diwan.project(company)).id)
    const { id } = await newTask(company, list.id)
    const cursor = await cursorOfNow(app, company.api)
    // `If-Match: *` changes no answer of what is there, and sends a write step by step; a PUT goes so when it names an assignee.
    const headers: Record<string, string> = isStepByStep ? { 'if-match': '*' } : {}
    const shown: unknown[] = []
    const post = async (path: string, body?: object) => {
      const { data } = (await company.api.post(path, body, headers)).body
      const { tasks_count, completed_tasks_count, completed } = (await company.api.get(`/lists/${list.id}`)).body.data
      shown.push(data.title, data.completed, tasks_count, completed_tasks_count, completed)
    }
    await post(`/lists/${list.id}/tasks`, { title: 'New' })
    for (const act of ['complete', 'incomplete']) await post(`/tasks/${id}/${act}`)
    for (const notes of ['One', 'Two']) {
      const body = { title: 'Desks', notes, ...(isStepByStep && { assignee_email: null }) }
      shown.push((await company.api.put(`/lists/${list.id}/tasks/ext:crm-77`, body)).body.data.notes)
    }
    const told = await entriesAfter(app, company.api, cursor)
    left.push([shown, told.map(({ kind, change, fields }: Record<string, unknown>) => [kind, change, fields])])
    expect(await wrongCounters(app.database.db, company.id)).toEqual([])
  }
  expect(left[1]).toEqual(left[0])
})
