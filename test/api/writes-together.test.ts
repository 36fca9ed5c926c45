import { expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { wrongCounters } from '../support/counters.ts'
import type { Answer } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'

const app = useApp()
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const statuses = (answers: Answer[]) => answers.map(({ status }) => status)

async function furnish() {
  const company = await app.diwan.company()
  const project = await app.diwan.project(company)
  const lists = [await newList(company, project.id), await newList(company, project.id)] as [
    { id: string },
    { id: string },
  ]
  return { company, project, lists }
}

it('Of many who add tasks at once, each gets its own, in its own list and under its own name', async () => {
  const { company, project, lists } = await furnish()
  const answers = await Promise.all(
    times(60, n => {
      const { id } = lists[n % 2] as { id: string }
      const path = n % 3 === 0 ? `/projects/${project.id}/lists/${id}/tasks` : `/lists/${id}/tasks`
      return company.api.post(path, {
        title: n % 5 === 0 ? 'Same' : `Task ${n}`,
        notes: `Note ${n}`,
        due_at: '2027-02-01',
      })
    }),
  )
  expect(new Set(statuses(answers))).toEqual(new Set([201]))
  for (const [n, { body }] of answers.entries()) {
    expect(body.data).toMatchObject({
      title: n % 5 === 0 ? 'Same' : `Task ${n}`,
      notes: `Note ${n}`,
      due_at: '2027-02-01',
      task_list_id: (lists[n % 2] as { id: string }).id,
      completed: false,
    })
    expect((await company.api.get(`/tasks/${body.data.id}`)).body).toEqual(body)
  }
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(60)
  expect(await wrongCounters(app.database.db, company.id)).toEqual([])
})

it('By their slugs, too, each goes into its own list', async () => {
  const { company, project } = await furnish()
  const other = await app.diwan.project(company)
  const places = [
    { in: project, list: await newList(company, project.id, { title: 'Desks' }), slug: 'desks' },
    { in: project, list: await newList(company, project.id, { title: 'Chairs' }), slug: 'chairs' },
    { in: other, list: await newList(company, other.id, { title: 'Desks' }), slug: 'desks' },
  ]
  const placeOf = (n: number) => places[n % 3] as (typeof places)[number]
  const answers = await Promise.all(
    times(60, n =>
      company.api.post(`/projects/${placeOf(n).in.id}/lists/${placeOf(n).slug}/tasks`, { title: `Task ${n}` }),
    ),
  )
  for (const [n, { status, body }] of answers.entries())
    expect([status, body.data.task_list_id]).toEqual([201, placeOf(n).list.id])
})

it('What is refused is refused for itself, and names why', async () => {
  const { company, lists } = await furnish()
  const archived = await app.diwan.project(company)
  const frozen = await newList(company, archived.id)
  await company.api.post(`/projects/${archived.id}/archive`)
  const foreign = (await furnish()).lists[0]
  const places = [lists[0].id, frozen.id, 'lst-0000000000', foreign.id, lists[1].id]
  const answers = await Promise.all(
    times(50, n => company.api.post(`/lists/${places[n % 5]}/tasks`, { title: 'Task' })),
  )
  expect(statuses(answers)).toEqual(times(50, n => [201, 403, 404, 404, 201][n % 5]))
  expect((await company.api.get(`/lists/${frozen.id}`)).body.data.tasks_count).toBe(0)
  for (const { id } of lists) expect((await company.api.get(`/lists/${id}`)).body.data.tasks_count).toBe(10)
})

it('One that the database cannot write leaves the others as they are', async () => {
  const { company, lists } = await furnish()
  await app.database.pool.query(`
    create function refuse_trap() returns trigger language plpgsql as $$
      begin raise 'caught' using errcode = '57014'; end $$;
    create trigger trap before insert on tasks for each row when (new.title = 'Trap') execute function refuse_trap()`)
  const answers = await Promise.all(
    times(40, n => company.api.post(`/lists/${lists[0].id}/tasks`, { title: n % 10 === 5 ? 'Trap' : 'Task' })),
  )
  expect(statuses(answers)).toEqual(times(40, n => (n % 10 === 5 ? 503 : 201)))
  expect((await company.api.get(`/lists/${lists[0].id}`)).body.data.tasks_count).toBe(36)
  await app.database.pool.query('drop trigger trap on tasks')
})

it('With an Idempotency-Key each is still answered for itself, and a repeat again', async () => {
  const { company, lists } = await furnish()
  const places = [lists[0].id, 'lst-0000000000', lists[1].id]
  const send = (n: number, title = `Task ${n}`) =>
    company.api.post(`/lists/${places[n % 3]}/tasks`, { title, colour: 'red' }, { 'idempotency-key': `add ${n}` })
  const first = await Promise.all(times(60, n => send(n)))
  expect(statuses(first)).toEqual(times(60, n => [201, 404, 201][n % 3]))
  const again = await Promise.all(times(60, n => send(n, n % 4 === 0 ? 'Another' : undefined)))
  for (const [n, { status, body, headers }] of again.entries()) {
    const expected = n % 3 === 1 ? 404 : n % 4 === 0 ? 422 : 201
    expect([n, status]).toEqual([n, expected])
    if (status !== 201) continue
    expect(body).toEqual(first[n]?.body)
    expect([headers.get('x-ignored-fields'), headers.get('idempotency-replayed')]).toEqual(['colour', 'true'])
  }
  for (const { id } of lists) expect((await company.api.get(`/lists/${id}`)).body.data.tasks_count).toBe(20)
  expect(await wrongCounters(app.database.db, company.id)).toEqual([])
})

it('What two keys write at once is signed by the key and the person of each', async () => {
  const { company, lists } = await furnish()
  const keys = [company.key, await app.diwan.key(company.id)]
  const after = await cursorOfNow(app, company.api)
  const answers = await Promise.all(
    times(40, n => app.diwan.api(keys[n % 2]).post(`/lists/${lists[0].id}/tasks`, { title: `Task ${n}` })),
  )
  expect(new Set(statuses(answers))).toEqual(new Set([201]))
  const entries = await app.database.pool.query(
    'select record_id, key_id from changes where company_id = $1 and change = $2',
    [company.id, 'created'],
  )
  const keyOf = new Map(entries.rows.map(({ record_id, key_id }) => [record_id, key_id]))
  const used = [0, 1].map(
    side => new Set(answers.filter((_, n) => n % 2 === side).map(({ body }) => keyOf.get(body.data.id))),
  )
  expect(used.map(({ size }) => size)).toEqual([1, 1])
  expect([...(used[0] as Set<unknown>)]).not.toEqual([...(used[1] as Set<unknown>)])
  expect((await entriesAfter(app, company.api, after)).length).toBe(40)
})

it('Of many who complete one task at once all are told the same, and it happened once', async () => {
  const { company, lists } = await furnish()
  const tasks = await Promise.all(times(5, () => newTask(company, lists[0].id)))
  const after = await cursorOfNow(app, company.api)
  const answers = await Promise.all(times(50, n => company.api.post(`/tasks/${tasks[n % 5]?.id}/complete`)))
  expect(new Set(statuses(answers))).toEqual(new Set([200]))
  for (const [n, { body }] of answers.entries())
    expect(body).toEqual((await company.api.get(`/tasks/${tasks[n % 5]?.id}`)).body)
  const data = await entriesAfter(app, company.api, after)
  expect(data.map(({ id, change }: { id: string; change: string }) => `${change} ${id}`).sort()).toEqual(
    tasks.map(({ id }) => `completed ${id}`).sort(),
  )
  expect((await company.api.get(`/lists/${lists[0].id}`)).body.data).toMatchObject({
    completed_tasks_count: 5,
    completed: true,
  })
})
