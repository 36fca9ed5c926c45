import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Answer, type Client, created, type TestCompany } from '../support/diwan.ts'
import { INSTANT, newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { expectRefusal, refusal, unprocessable } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let api: Client
let project: { id: string }
let list: { id: string }
let other: { id: string }
let tasks: string[]
beforeAll(async () => {
  company = await app.diwan.company()
  api = company.api
  project = await app.diwan.project(company)
})
beforeEach(async () => {
  list = await newList(company, project.id)
  other = await newList(company, project.id, { title: 'Other place' })
  tasks = await newTasks(3)
})

async function newTasks(n: number): Promise<string[]> {
  const titled = Array.from({ length: n }, (_, i) => ({ title: `Task ${i}` }))
  const { data } = await created(api.post(`/lists/${list.id}/tasks/batch`, { tasks: titled }))
  return data.map(({ id }: { id: string }) => id)
}

const send = (changes: unknown) => api.post('/company/tasks/batch', { changes })
const shown = async (id: string | undefined) => (await api.get(`/tasks/${id}`)).body.data
const all = () => Promise.all(tasks.map(shown))
const idsOf = ({ body }: Answer) => body.data.map(({ id }: { id: string }) => id)

/** A task of a project that is archived. */
async function frozenTask(own: TestCompany) {
  const frozen = await app.diwan.project(own)
  const place = await newList(own, frozen.id)
  const task = await newTask(own, place.id)
  await own.api.post(`/projects/${frozen.id}/archive`)
  return { task: task.id, list: place.id }
}

describe('Changes', () => {
  it('are made in their order, and each answers with its task as it is after the last of them', async () => {
    const [a, b, c] = tasks
    const { status, body } = await send([
      { task: a, do: 'update', title: 'Desks', notes: 'Two\nlines', due_at_hijri: '1448-06-05', metadata: { k: 'v' } },
      { task: b, do: 'complete' },
      { task: a, do: 'move', list_id: 'other-place' },
      { task: c, do: 'complete' },
      { task: c, do: 'incomplete' },
      { task: b, do: 'update', assignee_email: company.owner.email },
      { task: a, do: 'update', metadata: { k: null, l: 'w' } },
    ])
    expect([status, body.meta]).toEqual([200, { count: 7 }])
    const now = Object.fromEntries(await Promise.all(tasks.map(async id => [id, await shown(id)])))
    expect(body.data).toEqual([a, b, a, c, c, b, a].map(id => now[id as string]))
    expect(now[a as string]).toMatchObject({
      title: 'Desks',
      notes: 'Two\nlines',
      due_at: '2026-11-15',
      task_list_id: other.id,
      completed: false,
      metadata: { l: 'w' },
    })
    expect(now[b as string]).toMatchObject({ completed_at: INSTANT, assignee: { email: company.owner.email } })
    expect(now[c as string]).toMatchObject({ completed: false })
    const { data } = (await api.get(`/lists/${list.id}`)).body
    expect([data.tasks_count, data.completed_tasks_count]).toEqual([2, 1])
  })

  it('of one task are made one after the other, as many as there are; each retires a slug', async () => {
    const [task] = tasks
    const titles = Array.from({ length: 10 }, (_, n) => ({
      task,
      do: 'update',
      title: `Title ${n}`,
      metadata: { [`k${n}`]: 'v' },
    }))
    const { body } = await send(titles)
    expect(new Set(body.data.map(({ title }: { title: string }) => title))).toEqual(new Set(['Title 9']))
    expect(Object.keys((await shown(task)).metadata)).toHaveLength(10)
    expect((await api.get(`/projects/${project.id}/lists/${list.id}/tasks/title-4`)).body.data.id).toBe(task)
  })

  it('leave the entries in the feed that single calls would leave; what changes nothing leaves none', async () => {
    const [a, b] = tasks
    const from = await cursorOfNow(app, api)
    await send([
      { task: a, do: 'update', title: 'Renamed', notes: 'n' },
      { task: a, do: 'complete' },
      { task: b, do: 'move', list_id: other.id },
    ])
    const before = await shown(a)
    const { body } = await send([
      { task: a, do: 'complete' },
      { task: a, do: 'update' },
      { task: a, do: 'update', title: before.title },
      { task: a, do: 'move', list_id: list.id },
    ])
    expect(body.data).toEqual(Array(4).fill(before))
    const told = (await entriesAfter(app, api, from)).map(({ change, id, fields }: Record<string, unknown>) => [
      change,
      id,
      fields,
    ])
    expect(told).toEqual([
      ['updated', a, ['title', 'notes']],
      ['completed', a, null],
      ['moved', b, null],
    ])
  })

  it('take ext: and the raw external id for a task, whatever characters it has, as earlier changes have left it', async () => {
    const [a, b] = tasks
    const ids = ['crm/7 %20 ٧', 'ext:7']
    await api.patch(`/tasks/${a}`, { external_id: ids[0] })
    await api.patch(`/tasks/${b}`, { external_id: ids[1] })
    const answer = await send([
      { task: `ext:${ids[0]}`, do: 'update', title: 'Desks', assignee_email: company.owner.email },
      { task: `ext:${ids[0]}`, do: 'complete' },
      { task: `ext:${ids[0]}`, do: 'incomplete' },
      { task: `ext:${ids[0]}`, do: 'move', list_id: other.id },
      { task: `ext:${ids[1]}`, do: 'complete' },
      { task: `ext:${ids[0]}`, do: 'update', external_id: null },
      { task: b, do: 'update', external_id: ids[0] },
      { task: `ext:${ids[0]}`, do: 'update', notes: 'handed on' },
    ])
    expect([answer.status, idsOf(answer)]).toEqual([200, [a, a, a, a, b, a, b, b]])
    const assignee = { email: company.owner.email }
    expect(await shown(a)).toMatchObject({ title: 'Desks', completed: false, task_list_id: other.id, assignee })
    expect(await shown(b)).toMatchObject({ completed: true, notes: 'handed on' })
    const name = ids[0] as string
    for (const [changes, place] of [
      [[{ task: `ext:${encodeURIComponent(name)}`, do: 'complete' }], 0],
      [
        [
          { task: b, do: 'update', external_id: null },
          { task: `ext:${name}`, do: 'incomplete' },
        ],
        1,
      ],
    ] as const)
      expectRefusal(await send(changes), 404, 'not_found', `changes[${place}].task was not found`)
    expect((await shown(b)).external_id).toBe(name)
  })

  it('are 409 where an external id is taken, naming the place and the record', async () => {
    const [a, b] = tasks
    await api.patch(`/tasks/${a}`, { external_id: 'taken' })
    const refused = await send([
      { task: b, do: 'complete' },
      { task: b, do: 'update', external_id: 'taken' },
    ])
    const message = `changes[1].external_id "taken" already names ${a}`
    expect([refused.status, refused.body]).toEqual([409, { error: { code: 'conflict', message, id: a } }])
    expect((await shown(b)).completed).toBe(false)
  })

  it('of a hundred tasks are made at once, also between projects', async () => {
    const far = await newList(company, (await app.diwan.project(company)).id)
    const hundred = await newTasks(100)
    const { status, body } = await send(hundred.map(task => ({ task, do: 'move', list_id: far.id })))
    expect([status, body.meta.count]).toEqual([200, 100])
    const done = await send(hundred.map(task => ({ task, do: 'complete' })))
    expect(done.body.data.every(({ completed }: { completed: boolean }) => completed)).toBe(true)
    expect((await api.get(`/lists/${far.id}`)).body.data).toMatchObject({ tasks_count: 100, completed: true })
  })
})

describe('A mistake in one change', () => {
  it('is 422, names its place and writes nothing', async () => {
    const [task] = tasks
    await api.patch(`/tasks/${task}`, { metadata: { own: 'v' } })
    const before = await all()
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v']))
    for (const [change, message] of [
      [{ do: 'complete' }, ".task can't be blank"],
      [{ task: ' ', do: 'complete' }, ".task can't be blank"],
      [{ task }, ".do can't be blank"],
      [{ task, do: 'delete' }, '.do must be one of update, complete, incomplete, move'],
      [{ task, do: 1 }, '.do must be a string'],
      [{ task, do: 'update', titel: 'a' }, '.titel is not a field'],
      [{ task, do: 'update', list_id: 'x' }, '.list_id is not a field of update'],
      [{ task, do: 'move', list_id: 'x', title: 'a' }, '.title is not a field of move'],
      [{ task, do: 'complete', notes: null }, '.notes is not a field of complete'],
      [{ task, do: 'move' }, ".list_id can't be blank"],
      [{ task, do: 'move', list_id: 'lst-0000000000' }, '.list_id must be the ref of a task list'],
      [{ task, do: 'move', list_id: 'ext:x' }, '.list_id must be the ref of a task list'],
      [{ task, do: 'update', title: ' ' }, ".title can't be blank"],
      [{ task, do: 'update', due_at: '2027-02-30' }, '.due_at must be a date that exists'],
      [{ task, do: 'update', metadata: { stage: 1 } }, '.metadata.stage must be a string'],
      [{ task, do: 'update', metadata }, '.metadata must have at most 50 keys, and would have 51'],
      [{ task, do: 'update', assignee_email: 'no@example.com' }, '.assignee_email no@example.com is not a member'],
    ] as const) {
      const refused = await send([{ task: tasks[1], do: 'complete' }, change])
      const start = refused.body.error?.message.slice(0, `changes[1]${message}`.length)
      expect([change, refused.status, start]).toEqual([change, 422, `changes[1]${message}`])
    }
    for (const [changes, message] of [
      [undefined, "changes can't be blank"],
      ['a', 'changes must be a list'],
      [[], 'changes must have at least 1 entry'],
      [Array(101).fill({ task, do: 'complete' }), 'changes must have at most 100 entries'],
    ] as const)
      expect(refusal(await send(changes))).toEqual(unprocessable(message))
    expect(await all()).toEqual(before)
  })

  it('is 404 where it names no task: of no form, of another company, of a deleted list, or deleted', async () => {
    const stranger = await app.diwan.company()
    const theirs = await newTask(stranger, (await newList(stranger, (await app.diwan.project(stranger)).id)).id)
    const doomed = await newList(company, project.id)
    const gone = await newTask(company, doomed.id)
    await api.delete(`/lists/${doomed.id}`)
    await api.delete(`/tasks/${tasks[2]}`)
    for (const task of ['tsk-0000000000', 'task-0', list.id, 'ext:none', '../..', theirs.id, gone.id, tasks[2]]) {
      const refused = await send([
        { task: tasks[0], do: 'complete' },
        { task, do: 'complete' },
      ])
      expect([task, ...refusal(refused)]).toEqual([task, 404, 'not_found', 'changes[1].task was not found'])
    }
    expect((await shown(tasks[0])).completed).toBe(false)
    expect((await stranger.api.get(`/tasks/${theirs.id}`)).body.data.completed).toBe(false)
  })

  it('is 403 where a project is archived, of the task or of its destination, and writes nothing', async () => {
    const frozen = await frozenTask(company)
    const [task] = tasks
    for (const [change, message] of [
      [{ task: frozen.task, do: 'complete' }, 'changes[1]: The project is archived. Unarchive it first.'],
      [
        { task, do: 'move', list_id: frozen.list },
        "changes[1]: The destination's project is archived. Unarchive it first.",
      ],
    ])
      expectRefusal(await send([{ task, do: 'complete' }, change]), 403, 'forbidden', message)
    expect((await shown(task)).completed).toBe(false)
  })
})

describe('The daily allowance', () => {
  const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))

  it('is spent by a call for each change, also when one of them is refused; by one for what cannot be read or is a repeat', async () => {
    const own = await app.diwan.company({ daily_calls: 1_000 })
    const place = await newList(own, (await app.diwan.project(own)).id)
    const { id: task } = await newTask(own, place.id)
    const { task: cold } = await frozenTask(own)
    const post = (changes: unknown, headers = {}) => own.api.post('/company/tasks/batch', { changes }, headers)
    const done = { task, do: 'complete' }
    const named = { 'idempotency-key': 'once' }
    let before = remaining(await own.api.get('/me'))
    for (const [status, calls, call] of [
      [200, 3, () => post([done, done, done], named)],
      [200, 1, () => post([done, done, done], named)],
      [404, 2, () => post([done, { task: 'tsk-0000000000', do: 'complete' }])],
      [403, 2, () => post([done, { task: cold, do: 'complete' }])],
      [422, 3, () => post([done, done, { task, do: 'update', title: '' }])],
      [422, 2, () => post([done, { task, do: 'move' }])],
      [422, 1, () => post([])],
      [422, 1, () => post('a')],
      [422, 1, () => post(Array(101).fill(done))],
    ] as const) {
      const answer = await call()
      expect([answer.status, remaining(answer)]).toEqual([status, before - calls])
      before -= calls
    }
    await app.diwan.operator.patch(`/companies/${own.id}`, { daily_calls: 1_000 - before + 3 })
    const refused = await post(Array(4).fill({ task, do: 'incomplete' }))
    expectRefusal(refused, 429, 'rate_limit_exceeded')
    expect((await post(Array(2).fill(done))).status).toBe(200)
  })
})
