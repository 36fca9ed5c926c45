import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { removeList } from '../../src/jobs/remove-list.ts'
import { useApp } from '../support/app.ts'
import { wrongCounters } from '../support/counters.ts'
import type { Answer, TestCompany } from '../support/diwan.ts'
import {
  furnishWork,
  newList,
  newTask,
  ON_DISCUSSION,
  ON_LIST,
  type Operation,
  onTask,
  perform,
} from '../support/factories.ts'
import { roundsOfRace } from '../support/races.ts'
import { doStep } from '../support/upkeep.ts'

const app = useApp()
const ROUNDS = roundsOfRace(60)

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))].sort()
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
const pick = <T>(from: T[]): T => from[Math.floor(Math.random() * from.length)] as T

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

describe('200 writers at once', () => {
  it('creating lists of one name in one project all succeed, with distinct slugs and the right count', async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company)
    const create = () => company.api.post(`/projects/${project.id}/lists`, { title: 'سباق' })
    const answers = await Promise.all(times(200, create))
    const created = answers.filter(({ status }) => status === 201)
    expect(statuses(answers).filter(status => ![201, 409, 503].includes(status))).toEqual([])
    const slugs = await app.database.db.many<{ slug: string }>(
      sql`select slug from task_lists where company_id = ${company.id}`,
    )
    expect(new Set(slugs.map(({ slug }) => slug)).size).toBe(created.length)
    expect(new Set(created.map(({ body }) => body.data.id)).size).toBe(created.length)
    const { body } = await company.api.get(`/projects/${project.id}`)
    expect(body.data.task_lists_count).toBe(created.length)
    expect((await company.api.get(`/projects/${project.id}/lists?limit=1`)).body.meta.total).toBe(created.length)
    await expectRightCountersAtLast(company)
  })

  it('adding and completing tasks in one list leave exact counts', async () => {
    const { company, list } = await furnishWork(app.diwan)
    let added = 0
    const answers = await Promise.all(
      times(200, async n => {
        const answer = await company.api.post(`/lists/${list.id}/tasks`, { title: 'Same' })
        added += Number(answer.status === 201)
        const stays = n % 2 === 1 || answer.status !== 201
        return stays ? answer : company.api.post(`/tasks/${answer.body.data.id}/complete`)
      }),
    )
    // A machine without capacity refuses some calls with 503, and then nothing has changed.
    expect(statuses(answers).filter(status => ![200, 201, 503].includes(status))).toEqual([])
    const shown = (await company.api.get(`/lists/${list.id}`)).body.data
    const completed = answers.filter(({ status }) => status === 200).length
    expect(shown).toMatchObject({ tasks_count: 1 + added, completed_tasks_count: completed, completed: false })
    await expectRightCountersAtLast(company)
  })
})

describe('A writer that folds', () => {
  // PostgreSQL forgets a lock `for key share` that is taken in the middle of an update of the row (0008_counts.sql).
  it('joins the changes and does not touch the rows that other writers lock; the upkeep does', async () => {
    const { company, project, list, discussion } = await furnishWork(app.diwan)
    for (const { id } of [await newTask(company, list.id), await newTask(company, list.id)])
      await company.api.post(`/tasks/${id}/complete`)
    await company.api.post(`/discussions/${discussion.id}/comments`, { content: 'Agreed' })
    await company.api.post(`/discussions/${discussion.id}/comments`, { content: 'Agreed' })
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
    // Those of the project itself, of the list, and of the discussion.
    expect(await db.one(lines)).toEqual({ count: 3 })
    await expectRightCountersAtLast(company)
    expect(await rows()).not.toEqual(before)
  })
})

describe('A list deleted while others add tasks to it', () => {
  it(`counts exactly those that were answered 201, ${ROUNDS} times, and leaves no orphan and no wrong count`, async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company)
    let added = 0
    let deleted = 0
    const startedAt = performance.now()
    for (let round = 0; round < ROUNDS; round++) {
      const list = await newList(company, project.id)
      const add = () => company.api.post(`/lists/${list.id}/tasks`, { title: 'Late' })
      const remove = () => sleep(Math.random() * 12).then(() => company.api.delete(`/lists/${list.id}`))
      const [removal, ...adds] = await Promise.all([remove(), ...times(8, add)])
      expect(statuses(adds).filter(status => status !== 201 && status !== 404)).toEqual([])
      const successes = adds.filter(({ status }) => status === 201).length
      expect([round, removal.status, removal.body.data?.deleted_tasks]).toEqual([round, 200, successes])
      // PostgreSQL resolves a deadlock by itself, but each one costs a second.
      expect(performance.now() - startedAt, `after round ${round}`).toBeLessThan(45_000)
      added += successes
      deleted += removal.body.data.deleted_tasks
    }
    expect(deleted).toBe(added)
    const { data } = (await company.api.get(`/projects/${project.id}`)).body
    expect([data.task_lists_count, data.tasks_count]).toEqual([0, 0])
    await removeDeletedLists(company.id)
    const left = await app.database.db.one(sql`select count(*) from tasks where company_id = ${company.id}`)
    expect(left).toEqual({ count: 0 })
  })

  it('is deleted once: of ten who delete it one is told so, the others find nothing', async () => {
    const { company, list } = await furnishWork(app.diwan)
    const answers = await Promise.all(times(10, () => company.api.delete(`/lists/${list.id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...times(9, () => 404)])
    expect(answers.find(({ status }) => status === 200)?.body.data.deleted_tasks).toBe(1)
    await expectRightCountersAtLast(company)
  })
})

describe('A record deleted while others read and change it', () => {
  it('is there or missing, never a fault: task, list and discussion', { tags: 'long' }, async () => {
    const { company, project, list } = await furnishWork(app.diwan)
    const other = await newList(company, project.id)
    const { api } = company
    for (let round = 0; round < 25; round++) {
      const task = await newTask(company, list.id)
      const doomed = await newList(company, project.id)
      const { id } = (await api.post(`/projects/${project.id}/discussions`, { title: 'x' })).body.data
      const calls: [Operation[], string][] = [
        [onTask(other.id), `/tasks/${task.id}`],
        [[...ON_LIST, ...ON_LIST], `/lists/${doomed.id}`],
        [[...ON_DISCUSSION, ...ON_DISCUSSION], `/discussions/${id}`],
      ]
      const attempts = calls.flatMap(([operations, address]) =>
        operations.map(async operation => {
          const { status } = await perform(api, operation, address)
          return `${operation.method} ${address.split('/')[1]}${operation.below} ${status}`
        }),
      )
      expect((await Promise.all(attempts)).filter(line => !/ (200|201|404|409)$/.test(line))).toEqual([])
    }
    await expectRightCountersAtLast(company)
  })
})

describe('A mixed load', () => {
  it('of creating, completing, moving and deleting from twelve writers leaves every counter exact, and at every moment', {
    tags: 'long',
  }, async () => {
    const company = await app.diwan.company()
    const { api } = company
    const projects = [await app.diwan.project(company), await app.diwan.project(company)]
    const lists: string[] = []
    const tasks: string[] = []
    for (const { id } of [...projects, ...projects]) lists.push((await newList(company, id)).id)
    const discussion = (await api.post(`/projects/${projects[0]?.id}/discussions`, { title: 'Race' })).body.data.id
    const keep = (refs: string[]) => (answer: Answer) => {
      if (answer.status === 201) refs.push(answer.body.data.id)
      return answer
    }
    const task = () => pick(tasks) ?? 'tsk-0000000000'
    const actions = [
      () => api.post(`/projects/${pick(projects).id}/lists`, { title: 'List' }).then(keep(lists)),
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
    expect(sum(answers.map(({ status }) => Number(status === 200 || status === 201)))).toBeGreaterThan(100)
    await expectRightCountersAtLast(company)
  })
})
