import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { removeList } from '../../src/jobs/remove-list.ts'
import { useApp } from '../support/app.ts'
import { wrongCounters } from '../support/counters.ts'
import type { Answer, TestCompany } from '../support/diwan.ts'
import { created } from '../support/diwan.ts'
import {
  furnishWork,
  newDiscussion,
  newList,
  newTask,
  ON_DISCUSSION,
  ON_LIST,
  type Operation,
  onTask,
  perform,
  SLUGS,
} from '../support/factories.ts'
import { callsInRace, roundsOfRace } from '../support/races.ts'
import { doStep } from '../support/upkeep.ts'

const app = useApp()

const ROUNDS = roundsOfRace(40)
/** PostgreSQL resolves a deadlock by itself, but each one costs a second. */
const WITHOUT_DEADLOCKS_MS = 45_000
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const soon = () => sleep(Math.random() * 8)
const pick = <T>(from: T[]): T => from[Math.floor(Math.random() * from.length)] as T
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status)
const count = (answers: Answer[], wanted: number) => answers.filter(({ status }) => status === wanted).length
const others = (answers: Answer[], ...expected: number[]) =>
  answers.filter(({ status }) => !expected.includes(status)).map(({ body }) => body)

/** Two projects with a list each, and a client. */
async function twoPlaces() {
  const company = await app.diwan.company()
  const [here, there] = [await app.diwan.project(company), await app.diwan.project(company)]
  const [from, to] = [await newList(company, here.id), await newList(company, there.id)]
  return { company, api: company.api, here, there, from, to }
}

async function newTasks(company: TestCompany, list: { id: string }, n: number): Promise<string[]> {
  const tasks = times(n, i => ({ title: `Task ${i}` }))
  const { data } = await created(company.api.post(`/lists/${list.id}/tasks/batch`, { tasks }))
  return data.map(({ id }: { id: string }) => id)
}

/** How many tasks the list says it has, in two ways. */
async function numberOfTasks(company: TestCompany, list: { id: string }): Promise<[number, number]> {
  const { meta } = (await company.api.get(`/lists/${list.id}/tasks?limit=1`)).body
  const { tasks_count } = (await company.api.get(`/lists/${list.id}`)).body.data
  return [meta.total, tasks_count]
}

/** Does what the jobs do that deleting a list enqueues. */
async function removeDeletedLists(company_id: number): Promise<void> {
  const { db } = app.database
  const lists = await db.many<{ id: number }>(
    sql`select id from task_lists where company_id = ${company_id} and deleted_at is not null`,
  )
  for (const { id: task_list_id } of lists)
    await removeList({ db }, { company_id, task_list_id }, new AbortController().signal)
}

async function expectRightCounters({ id }: TestCompany) {
  expect(await wrongCounters(app.database.db, id)).toEqual([])
}

/** The counters are right now, after deleted lists are removed, and after all pending changes are added up. */
async function expectRightCountersAtLast(company: TestCompany) {
  await expectRightCounters(company)
  await removeDeletedLists(company.id)
  await expectRightCounters(company)
  await doStep(app, 'count_changes')
  const left = await app.database.db.one(sql`select count(*) from count_changes where company_id = ${company.id}`)
  expect(left).toEqual({ count: 0 })
  await expectRightCounters(company)
}

/** The writes of a task besides moving and deleting it. */
const WRITES = onTask('').filter(({ method, below }) => method !== 'GET' && method !== 'DELETE' && below !== '/move')

describe('A task that is being moved', () => {
  it('takes every write while it is moved to and fro without a pause', async () => {
    const { company, api, from, to } = await twoPlaces()
    const { id } = await newTask(company, from.id)
    let isOver = false
    const wander = async () => {
      for (let n = 0; n < ROUNDS; n++)
        expect((await api.post(`/tasks/${id}/move`, { list_id: n % 2 ? from.id : to.id })).status).toBe(200)
      isOver = true
    }
    const work = async (write: Operation) => {
      const answers: Answer[] = []
      while (!isOver) answers.push(await perform(api, write, `/tasks/${id}`))
      return { write, answers }
    }
    const [, ...written] = await Promise.all([wander(), ...WRITES.map(work)])
    for (const { write, answers } of written) expect([write, others(answers, 200, 201)]).toEqual([write, []])
    const { data } = (await api.get(`/tasks/${id}`)).body
    expect(data).toMatchObject({ notes: 'Changed', time_spent_minutes: 90, task_list_slug: 'furniture' })
    const { total } = (await api.get(`/tasks/${id}/comments`)).body.meta
    expect(total).toBe(
      count(
        written.flatMap(({ answers }) => answers),
        201,
      ),
    )
    expect(await numberOfTasks(company, from)).toEqual(ROUNDS % 2 ? [0, 0] : [1, 1])
  })

  it('is found below the list it leaves or not at all, and what is answered 404 has not happened', async () => {
    const { company, api, here, from, to } = await twoPlaces()
    for (let round = 0; round < ROUNDS; round++) {
      const task = await newTask(company, from.id)
      const move = soon().then(() => api.post(`/tasks/${task.id}/move`, { list_id: to.id }))
      const nested = `/projects/${here.id}/lists/${from.id}/tasks/${task.id}`
      const [patched, commented] = await Promise.all([
        api.patch(nested, { notes: 'Nested' }),
        api.post(`${nested}/comments`, { content: 'Nested' }),
      ])
      expect((await move).status).toBe(200)
      expect([others([patched], 200, 404), others([commented], 201, 404)]).toEqual([[], []])
      const { data } = (await api.get(`/tasks/${task.id}`)).body
      const { total } = (await api.get(`/tasks/${task.id}/comments`)).body.meta
      expect([round, data.notes, total]).toEqual([
        round,
        patched.status === 200 ? 'Nested' : null,
        Number(commented.status === 201),
      ])
    }
  })
})

describe('Many tasks', () => {
  it('that are moved in opposite directions, one by one and in batches, all arrive, without waiting in circles', async () => {
    const { company, api, from, to } = await twoPlaces()
    const [left, right] = [await newTasks(company, from, 8), await newTasks(company, to, 8)]
    const all = [...left, ...right]
    const startedAt = performance.now()
    const moveAll = (tasks: string[], list_id: string) => tasks.map(id => api.post(`/tasks/${id}/move`, { list_id }))
    const moveTogether = (tasks: string[], list_id: string) =>
      api.post('/company/tasks/batch', { changes: tasks.map(task => ({ task, do: 'move', list_id })) })
    for (let round = 0; round < roundsOfRace(8); round++) {
      const [west, east] = round % 2 ? [to.id, from.id] : [from.id, to.id]
      const reversed = [...all].reverse()
      const moves = [
        moveTogether(all, east),
        moveTogether(reversed, west),
        ...moveAll(left, east),
        ...moveAll(right, west),
      ]
      expect([round, others(await Promise.all(moves), 200)]).toEqual([round, []])
    }
    expect(others(await Promise.all([...moveAll(left, to.id), ...moveAll(right, from.id)]), 200)).toEqual([])
    expect(performance.now() - startedAt).toBeLessThan(WITHOUT_DEADLOCKS_MS)
    expect([await numberOfTasks(company, from), await numberOfTasks(company, to)]).toEqual([
      [8, 8],
      [8, 8],
    ])
    await expectRightCountersAtLast(company)
  })

  it('that are changed in batches of opposite orders, and by single calls, have all of the changes', async () => {
    const { company, api, from, to } = await twoPlaces()
    const tasks = await newTasks(company, from, 10)
    const send = (changes: object[]) => api.post('/company/tasks/batch', { changes })
    const reversed = [...tasks].reverse()
    const answers = await Promise.all([
      send(tasks.map(task => ({ task, do: 'complete' }))),
      send(reversed.map(task => ({ task, do: 'move', list_id: to.id }))),
      ...times(4, n =>
        send((n % 2 ? tasks : reversed).map(task => ({ task, do: 'update', metadata: { [`k${n}`]: 'v' } }))),
      ),
      ...tasks.map(task => api.patch(`/tasks/${task}`, { notes: 'Single' })),
      ...reversed.map(task => api.post(`/tasks/${task}/complete`)),
    ])
    expect(others(answers, 200)).toEqual([])
    const metadata = { k0: 'v', k1: 'v', k2: 'v', k3: 'v' }
    for (const task of tasks)
      expect((await api.get(`/tasks/${task}`)).body.data).toMatchObject({
        completed: true,
        notes: 'Single',
        task_list_id: to.id,
        metadata,
      })
    const { data } = (await api.get(`/lists/${to.id}`)).body
    expect([data.tasks_count, data.completed_tasks_count]).toEqual([10, 10])
  })
})

describe('A destination that closes while tasks are moved into it', () => {
  // Answers may overtake one another, so only the database can tell what was closed at the moment of a commit.
  beforeAll(async () => {
    const { raw } = app.database.db
    await raw(
      `create function refuse_closed() returns trigger language plpgsql as $$
      begin
        if exists (select from projects p where p.company_id = new.company_id and p.id = new.project_id
                   and (p.archived or p.deleted_at is not null)) then
          raise exception 'A task was moved into a closed project';
        end if;
        return null;
      end $$`,
      [],
    )
    await raw(
      `create constraint trigger refuse_closed after update on tasks deferrable initially deferred
      for each row when (old.project_id <> new.project_id) execute function refuse_closed()`,
      [],
    )
  })

  it('takes none once its project is archived or deleted', async () => {
    const { company, api, from } = await twoPlaces()
    let entered = 0
    for (let round = 0; round < ROUNDS; round++) {
      const there = await app.diwan.project(company)
      const to = await newList(company, there.id)
      const [last, ...tasks] = await newTasks(company, from, 4)
      const move = (id: string | undefined) => api.post(`/tasks/${id}/move`, { list_id: to.id })
      const address = `/projects/${there.id}`
      const isArchiving = round % 2 === 0
      const close = () => (isArchiving ? api.post(`${address}/archive`) : api.delete(address))
      const refusal = isArchiving ? 403 : 422
      const [closed, ...moved] = await Promise.all([
        soon().then(close),
        ...tasks.map(id => soon().then(() => move(id))),
      ])
      expect([round, closed.status, (await move(last)).status]).toEqual([round, 200, refusal])
      expect([round, others(moved, 200, refusal)]).toEqual([round, []])
      entered += count(moved, 200)
    }
    const left = 4 * ROUNDS - entered
    expect(await numberOfTasks(company, from)).toEqual([left, left])
  })
})

describe('A list that is deleted', () => {
  it('while tasks are moved into it takes those that arrived, and leaves the others where they were', async () => {
    const { company, api, from, there } = await twoPlaces()
    let gone = 0
    for (let round = 0; round < ROUNDS; round++) {
      const to = await newList(company, there.id)
      const tasks = await newTasks(company, from, 4)
      const moves = tasks.map(id => soon().then(() => api.post(`/tasks/${id}/move`, { list_id: to.id })))
      // A write that waited for a move then looks for the task in the new list, which is being deleted; it must not deadlock.
      const patches = [...tasks, ...tasks].map(id => soon().then(() => api.patch(`/tasks/${id}`, { notes: 'Changed' })))
      const [removal, ...moved] = await Promise.all([soon().then(() => api.delete(`/lists/${to.id}`)), ...moves])
      expect([round, others(await Promise.all(patches), 200, 404), others(moved, 200, 422)]).toEqual([round, [], []])
      const arrived = count(moved, 200)
      expect([round, removal.body.data.deleted_tasks]).toEqual([round, arrived])
      gone += arrived
    }
    expect(await numberOfTasks(company, from)).toEqual([4 * ROUNDS - gone, 4 * ROUNDS - gone])
    expect((await api.get(`/projects/${there.id}`)).body.data.tasks_count).toBe(0)
  })

  it('while its tasks are moved out of it takes those that were not answered 200, and counts them', async () => {
    const { company, api, here, to } = await twoPlaces()
    let saved = 0
    for (let round = 0; round < ROUNDS; round++) {
      const doomed = await newList(company, here.id)
      const tasks = await newTasks(company, doomed, 4)
      const moves = tasks.map(id => soon().then(() => api.post(`/tasks/${id}/move`, { list_id: to.id })))
      const writes = tasks.map(id => soon().then(() => api.post(`/tasks/${id}/complete`)))
      const [removal, ...moved] = await Promise.all([soon().then(() => api.delete(`/lists/${doomed.id}`)), ...moves])
      expect([round, others([...moved, ...(await Promise.all(writes))], 200, 404)]).toEqual([round, []])
      expect([round, removal.body.data.deleted_tasks]).toEqual([round, 4 - count(moved, 200)])
      const found = await Promise.all(tasks.map(id => api.get(`/tasks/${id}`)))
      expect(statusesOf(found)).toEqual(statusesOf(moved))
      saved += count(moved, 200)
    }
    expect(await numberOfTasks(company, to)).toEqual([saved, saved])
    expect((await api.get(`/projects/${here.id}`)).body.data.tasks_count).toBe(0)
  })

  it('while tasks are added to it takes exactly those that were answered 201, and leaves no orphan', async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company)
    const startedAt = performance.now()
    for (let round = 0; round < ROUNDS; round++) {
      const list = await newList(company, project.id)
      const remove = () => sleep(Math.random() * 12).then(() => company.api.delete(`/lists/${list.id}`))
      const add = () => company.api.post(`/lists/${list.id}/tasks`, { title: 'Late' })
      const [removal, ...adds] = await Promise.all([remove(), ...times(8, add)])
      expect([round, others(adds, 201, 404)]).toEqual([round, []])
      expect([round, removal.status, removal.body.data?.deleted_tasks]).toEqual([round, 200, count(adds, 201)])
      expect(performance.now() - startedAt, `after round ${round}`).toBeLessThan(WITHOUT_DEADLOCKS_MS)
    }
    const { data } = (await company.api.get(`/projects/${project.id}`)).body
    expect([data.task_lists_count, data.tasks_count]).toEqual([0, 0])
    await removeDeletedLists(company.id)
    const left = await app.database.db.one(sql`select count(*) from tasks where company_id = ${company.id}`)
    expect(left).toEqual({ count: 0 })
  })
})

describe('Many writers at once', () => {
  // A machine without capacity refuses some calls with 503, and then nothing has changed.
  const WRITERS = callsInRace(100)

  it('that create lists of one name get distinct slugs and the right count; those that fill one list, exact counts', async () => {
    const { company, project, list } = await furnishWork(app.diwan)
    const { api } = company
    const lists = await Promise.all(times(WRITERS, () => api.post(`/projects/${project.id}/lists`, { title: 'سباق' })))
    expect(others(lists, 201, 409, 503)).toEqual([])
    const slugs = await app.database.db.many<{ slug: string }>(
      sql`select slug from task_lists where company_id = ${company.id}`,
    )
    expect(new Set(slugs.map(({ slug }) => slug)).size).toBe(1 + count(lists, 201))

    const added = await Promise.all(times(WRITERS, () => api.post(`/lists/${list.id}/tasks`, { title: 'Same' })))
    const tasks = added.filter(({ status }) => status === 201).map(({ body }) => body.data.id)
    const some = tasks.filter((_, n) => n % 2 === 0)
    const completed = await Promise.all(some.map(id => api.post(`/tasks/${id}/complete`)))
    expect([others(added, 201, 503), others(completed, 200, 503)]).toEqual([[], []])
    expect((await api.get(`/lists/${list.id}`)).body.data).toMatchObject({
      tasks_count: 1 + tasks.length,
      completed_tasks_count: count(completed, 200),
      completed: false,
    })
    expect((await api.get(`/projects/${project.id}`)).body.data).toMatchObject({
      task_lists_count: slugs.length,
      tasks_count: 1 + tasks.length,
    })
    await expectRightCountersAtLast(company)
  })

  it('delete a record once: one is told so, the others find nothing', async () => {
    const { company, project, list, task, discussion } = await furnishWork(app.diwan)
    for (const address of [
      `/tasks/${task.id}`,
      `/discussions/${discussion.id}`,
      `/lists/${list.id}`,
      `/projects/${project.id}`,
    ]) {
      const answers = await Promise.all(times(6, () => company.api.delete(address)))
      expect([address, statusesOf(answers).sort()]).toEqual([address, [200, 404, 404, 404, 404, 404]])
    }
    await expectRightCountersAtLast(company)
  })

  it('find a record that is being deleted or do not, and are never answered by a fault', { tags: 'long' }, async () => {
    const { company, project, list } = await furnishWork(app.diwan)
    const other = await newList(company, project.id)
    for (let round = 0; round < ROUNDS; round++) {
      const calls: [Operation[], string][] = [
        [onTask(other.id), `/tasks/${(await newTask(company, list.id)).id}`],
        [[...ON_LIST, ...ON_LIST], `/lists/${(await newList(company, project.id)).id}`],
        [[...ON_DISCUSSION, ...ON_DISCUSSION], `/discussions/${(await newDiscussion(company, project.id)).id}`],
      ]
      const attempts = calls.flatMap(([operations, address]) =>
        operations.map(operation => perform(company.api, operation, address)),
      )
      expect([round, others(await Promise.all(attempts), 200, 201, 404, 409)]).toEqual([round, []])
    }
    await expectRightCountersAtLast(company)
  })

  it('that create, complete, move and delete leave every counter exact, and at every moment', {
    tags: 'long',
  }, async () => {
    const { company, api, here, there, from, to } = await twoPlaces()
    const lists: string[] = [from.id, to.id]
    const tasks: string[] = []
    const discussion = (await newDiscussion(company, here.id)).id
    const keep = (refs: string[]) => (answer: Answer) => {
      if (answer.status === 201) refs.push(answer.body.data.id)
      return answer
    }
    const task = () => pick(tasks) ?? 'tsk-0000000000'
    const actions = [
      () => api.post(`/projects/${pick([here, there]).id}/lists`, { title: 'List' }).then(keep(lists)),
      ...times(5, () => () => api.post(`/lists/${pick(lists)}/tasks`, { title: 'Task' }).then(keep(tasks))),
      ...times(3, () => () => api.post(`/tasks/${task()}/complete`)),
      () => api.post(`/tasks/${task()}/incomplete`),
      ...times(3, () => () => api.post(`/tasks/${task()}/move`, { list_id: pick(lists) })),
      () => api.delete(`/tasks/${task()}`),
      () => api.patch(`/tasks/${task()}`, { title: pick(['Task', 'Other']) }),
      () => api.post(`/tasks/${task()}/comments`, { content: 'Agreed' }),
      () => api.post(`/discussions/${discussion}/comments`, { content: 'Agreed' }),
      () => api.delete(`/lists/${pick(lists)}`),
    ]
    const answers: Answer[] = []
    const write = async () => {
      for (let n = 0; n < 40; n++) answers.push(await pick(actions)())
    }
    let isWriting = true
    const look = async () => {
      for (; isWriting; await sleep(20)) await expectRightCounters(company)
    }
    const looking = look()
    await Promise.all(times(12, write)).finally(() => {
      isWriting = false
    })
    await looking
    expect(answers.filter(({ status }) => status === 409 || status >= 500).map(({ body }) => body)).toEqual([])
    expect(count(answers, 200) + count(answers, 201)).toBeGreaterThan(100)
    await expectRightCountersAtLast(company)
  })
})

describe('A writer that folds', () => {
  // PostgreSQL forgets a lock `for key share` that is taken in the middle of an update of the row (0008_counts.sql).
  it('joins the changes and does not touch the rows that other writers lock; the upkeep does', async () => {
    const { company, project, list, discussion } = await furnishWork(app.diwan)
    for (const id of await newTasks(company, list, 2)) await company.api.post(`/tasks/${id}/complete`)
    for (let n = 0; n < 2; n++) await company.api.post(`/discussions/${discussion.id}/comments`, { content: 'Agreed' })
    const { db } = app.database
    const rows = () =>
      db.many(sql`
        select ref, xmin::text as written_by from projects where company_id = ${company.id}
        union all select ref, xmin::text from task_lists where company_id = ${company.id}
        union all select ref, xmin::text from discussions where company_id = ${company.id} order by ref`)
    const before = await rows()
    await db.run(sql`
      select fold_counts(company_id, id) from projects where company_id = ${company.id} and ref = ${project.id}`)
    expect(await rows()).toEqual(before)
    const lines = sql`select count(*) from count_changes where company_id = ${company.id}`
    // The entries of the project, the list and the discussion.
    expect(await db.one(lines)).toEqual({ count: 3 })
    await expectRightCountersAtLast(company)
    expect(await rows()).not.toEqual(before)
  })
})

describe('Records that are being renamed', () => {
  it('take every write at the address that names them, and all of their parents, by the slugs of before', async () => {
    const { company, project, list, task } = await furnishWork(app.diwan)
    const { api } = company
    const nested = `/projects/${SLUGS.project}/lists/${SLUGS.list}/tasks/${SLUGS.task}`
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all([
        api.patch(`/projects/${project.id}`, { name: `Project ${round}` }),
        api.patch(`/lists/${list.id}`, { title: `List ${round}` }),
        api.patch(`/tasks/${task.id}`, { title: `Task ${round}` }),
        ...WRITES.map(write => perform(api, write, nested)),
      ])
      expect([round, others(answers, 200, 201)]).toEqual([round, []])
    }
    const { data } = (await api.get(nested)).body
    expect(data).toMatchObject({ project_slug: `project-${ROUNDS - 1}`, task_list_slug: `list-${ROUNDS - 1}` })
  })

  it('have the slug of the title they end up with, and every slug they had names them alone', async () => {
    const { company, project, list } = await furnishWork(app.diwan)
    const { api } = company
    const tasks = await newTasks(company, list, 3)
    for (let round = 0; round < ROUNDS / 2; round++) {
      const titles = ['Chairs', 'Lamps', 'Shelves']
      const renames = tasks.flatMap(id => titles.map(title => api.patch(`/tasks/${id}`, { title })))
      expect([round, others(await Promise.all(renames), 200)]).toEqual([round, []])
    }
    const known = await app.database.db.raw<{ ref: string; title: string; current: string; slug: string }>(
      `select t.ref, t.title, t.slug as current, s.slug from tasks t
       join taken_slugs s on s.company_id = t.company_id and s.kind = 'task' and s.record_id = t.id
       where t.company_id = $1 and t.ref = any($2)`,
      [company.id, tasks],
    )
    expect(new Set(known.map(({ slug }) => slug)).size).toBe(known.length)
    for (const { ref, title, current, slug } of known) {
      expect(current).toMatch(new RegExp(`^${title.toLowerCase()}(-[23])?$`))
      expect((await api.get(`/projects/${project.id}/lists/${list.id}/tasks/${slug}`)).body.data.id).toBe(ref)
    }
  })
})

describe('A project', () => {
  it('cannot get an end before its start from two writers, each of whom alone would be right', async () => {
    const company = await app.diwan.company()
    const dates = { start_date: '2026-01-01', end_date: '2026-12-31' }
    const changes = [{ start_date: '2026-08-01' }, { end_date: '2026-06-01' }]
    for (let round = 0; round < ROUNDS / 2; round++) {
      const { id } = await app.diwan.project(company, dates)
      const answers = await Promise.all(changes.map(change => company.api.patch(`/projects/${id}`, change)))
      expect([round, statusesOf(answers).sort()]).toEqual([round, [200, 422]])
    }
  })

  it('is never changed once it is archived', async () => {
    const company = await app.diwan.company()
    const { api } = company
    for (let round = 0; round < ROUNDS / 4; round++) {
      const { id } = await app.diwan.project(company)
      const [archived, changed] = await Promise.all([
        api.post(`/projects/${id}/archive`),
        api.patch(`/projects/${id}`, { name: 'Late' }),
      ])
      const isBefore = archived.body.data.name === 'Late'
      expect([round, changed.status]).toEqual([round, isBefore ? 200 : 403])
      expect((await api.get(`/projects/${id}`)).body.data.name === 'Late').toBe(isBefore)
    }
  })
})
