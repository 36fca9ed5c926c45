import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Answer, type Client, created, type TestCompany } from '../support/diwan.ts'
import { INSTANT, newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { expectRefusal } from '../support/refusal.ts'

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

const send = (changes: unknown, headers: Record<string, string> = {}) =>
  api.post('/company/tasks/batch', { changes }, headers)
const shown = async (id: string | undefined) => (await api.get(`/tasks/${id}`)).body.data
const all = () => Promise.all(tasks.map(shown))
const archived = async () => {
  const frozen = await app.diwan.project(company)
  const { id } = await newTask(company, (await newList(company, frozen.id)).id)
  await api.post(`/projects/${frozen.id}/archive`)
  return { task: id as string, project: frozen.id }
}

describe('Changes', () => {
  it('are made in their order, and each answers with its task as it is after the last of them', async () => {
    const [a, b, c] = tasks
    const { status, body } = await send([
      { task: a, do: 'update', title: 'Desks', notes: 'Two\nlines', due_at_hijri: '1448-06-05', metadata: { k: 'v' } },
      { task: b, do: 'complete' },
      { task: a, do: 'move', list_id: other.id },
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

  it('of one task are made one after the other, as many as there are', async () => {
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

  it('keep the first completed_at, and what changes nothing leaves no entry and moves no updated_at', async () => {
    const [task] = tasks
    await api.post(`/tasks/${task}/complete`)
    const before = await shown(task)
    const from = await cursorOfNow(app, api)
    const { body } = await send([
      { task, do: 'complete' },
      { task, do: 'update' },
      { task, do: 'update', title: before.title },
      { task, do: 'move', list_id: list.id },
    ])
    expect(body.data[0]).toEqual(before)
    expect(await entriesAfter(app, api, from)).toEqual([])
  })

  it('leave the entries in the feed that single calls would leave', async () => {
    const [a, b] = tasks
    const from = await cursorOfNow(app, api)
    await send([
      { task: a, do: 'update', title: 'Renamed', notes: 'n' },
      { task: a, do: 'complete' },
      { task: b, do: 'move', list_id: other.id },
      { task: a, do: 'incomplete' },
    ])
    const data = await entriesAfter(app, api, from)
    const told = data.map(({ change, id, fields, actor }: Record<string, unknown>) => [change, id, fields, actor])
    const { name } = company.owner
    expect(told).toEqual([
      ['updated', a, ['title', 'notes'], name],
      ['completed', a, null, name],
      ['moved', b, null, name],
      ['reopened', a, null, name],
    ])
  })

  it('reach tasks of several projects, and move them between these by ref, or by slug within one', async () => {
    const far = await newList(company, (await app.diwan.project(company)).id)
    const [a, b] = tasks
    const own = await newList(company, project.id, { title: 'Own place' })
    const { status } = await send([
      { task: a, do: 'move', list_id: far.id },
      { task: b, do: 'move', list_id: 'own-place' },
      { task: a, do: 'update', title: 'Far away' },
    ])
    expect(status).toBe(200)
    expect([(await shown(a)).task_list_id, (await shown(b)).task_list_id]).toEqual([far.id, own.id])
  })

  it('take ext: and the raw external id for a task, whatever characters it has', async () => {
    const [a, b] = tasks
    const ids = ['crm/7 %20 ٧', 'ext:7']
    await api.patch(`/tasks/${a}`, { external_id: ids[0] })
    await api.patch(`/tasks/${b}`, { external_id: ids[1] })
    const { status, body } = await send([
      { task: `ext:${ids[0]}`, do: 'update', title: 'Desks', assignee_email: company.owner.email },
      { task: `ext:${ids[0]}`, do: 'complete' },
      { task: `ext:${ids[0]}`, do: 'incomplete' },
      { task: `ext:${ids[0]}`, do: 'move', list_id: other.id },
      { task: `ext:${ids[1]}`, do: 'complete' },
    ])
    expect([status, body.data.map(({ id }: { id: string }) => id)]).toEqual([200, [a, a, a, a, b]])
    const assignee = { email: company.owner.email }
    expect(await shown(a)).toMatchObject({ title: 'Desks', completed: false, task_list_id: other.id, assignee })
    expect(await shown(b)).toMatchObject({ completed: true })
    const encoded = await send([{ task: `ext:${encodeURIComponent(ids[0] as string)}`, do: 'complete' }])
    expectRefusal(encoded, 404, 'not_found', 'changes[0].task was not found')
  })

  it('see the external ids that earlier ones have given and taken', async () => {
    const [a, b] = tasks
    await api.patch(`/tasks/${a}`, { external_id: 'handed on' })
    const { status, body } = await send([
      { task: 'ext:handed on', do: 'update', external_id: null },
      { task: b, do: 'update', external_id: 'handed on' },
      { task: 'ext:handed on', do: 'complete' },
    ])
    expect([status, body.data.map(({ id }: { id: string }) => id)]).toEqual([200, [a, b, b]])
    expect([(await shown(a)).completed, (await shown(b)).completed]).toEqual([false, true])
    const gone = await send([
      { task: b, do: 'update', external_id: null },
      { task: 'ext:handed on', do: 'incomplete' },
    ])
    expectRefusal(gone, 404, 'not_found', 'changes[1].task was not found')
    expect((await shown(b)).external_id).toBe('handed on')
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

  it('take no ext: for a list: it is a ref, or a slug of the same project', async () => {
    await api.patch(`/lists/${other.id}`, { external_id: 'a place' })
    const refused = await send([{ task: tasks[0], do: 'move', list_id: 'ext:a place' }])
    const message = expect.stringMatching(/^changes\[0\]\.list_id must be the ref of a task list/)
    expectRefusal(refused, 422, 'unprocessable_entity', message)
  })

  it('of a hundred tasks are made at once', async () => {
    const hundred = await newTasks(100)
    const { status, body } = await send(hundred.map(task => ({ task, do: 'move', list_id: other.id })))
    expect([status, body.meta.count]).toEqual([200, 100])
    const done = await send(hundred.map(task => ({ task, do: 'complete' })))
    expect(done.body.data.every(({ completed }: { completed: boolean }) => completed)).toBe(true)
    expect((await api.get(`/lists/${other.id}`)).body.data).toMatchObject({ tasks_count: 100, completed: true })
  })
})

describe('A mistake in one change', () => {
  it.each<[string, unknown, string]>([
    ['no list', undefined, "changes can't be blank"],
    ['text', 'a', 'changes must be a list'],
    ['nothing', [], 'changes must have at least 1 entry'],
    [
      '101 changes',
      Array(101).fill({ task: 'tsk-0000000000', do: 'complete' }),
      'changes must have at most 100 entries',
    ],
    ['no task', { do: 'complete' }, "changes[1].task can't be blank"],
    ['a blank task', { task: ' ', do: 'complete' }, "changes[1].task can't be blank"],
    ['no do', { task: 'A' }, "changes[1].do can't be blank"],
    ['another do', { task: 'A', do: 'delete' }, 'changes[1].do must be one of update, complete, incomplete, move'],
    ['do of a number', { task: 'A', do: 1 }, 'changes[1].do must be a string'],
    ['an unknown field', { task: 'A', do: 'update', titel: 'a' }, 'changes[1].titel is not a field'],
    ['a list for an update', { task: 'A', do: 'update', list_id: 'x' }, 'changes[1].list_id is not a field of update'],
    [
      'a title for a move',
      { task: 'A', do: 'move', list_id: 'x', title: 'a' },
      'changes[1].title is not a field of move',
    ],
    ['a field for complete', { task: 'A', do: 'complete', notes: null }, 'changes[1].notes is not a field of complete'],
    ['no list for a move', { task: 'A', do: 'move' }, "changes[1].list_id can't be blank"],
    ['a blank title', { task: 'A', do: 'update', title: ' ' }, "changes[1].title can't be blank"],
    ['a bad date', { task: 'A', do: 'update', due_at: '2027-02-30' }, 'changes[1].due_at must be a date that exists'],
    ['bad metadata', { task: 'A', do: 'update', metadata: { stage: 1 } }, 'changes[1].metadata.stage must be a string'],
    [
      'too much metadata',
      { task: 'A', do: 'update', metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v'])) },
      'changes[1].metadata must have at most 50 keys, and would have 51',
    ],
    [
      'nobody as assignee',
      { task: 'A', do: 'update', assignee_email: 'nobody@example.com' },
      'changes[1].assignee_email nobody@example.com is not a member of the project',
    ],
    [
      'no destination',
      { task: 'A', do: 'move', list_id: 'lst-0000000000' },
      'changes[1].list_id must be the ref of a task list',
    ],
  ])('is 422, names its place and writes nothing: %s', async (_, second, message) => {
    await api.patch(`/tasks/${tasks[0]}`, { metadata: { own: 'v' } })
    const before = await all()
    const isEntry = typeof second === 'object' && !Array.isArray(second)
    const change = isEntry && { ...(second as { task: string }) }
    if (change && change.task === 'A') change.task = tasks[0] as string
    const refused = await send(change ? [{ task: tasks[1], do: 'complete' }, change] : second)
    expectRefusal(refused, 422, 'unprocessable_entity', expect.stringContaining(message))
    expect(refused.body.error.message.startsWith(message)).toBe(true)
    expect(await all()).toEqual(before)
  })

  it.each(['tsk-0000000000', 'task-0', 'lst-0000000000', 'ext:none', 'a\tb', '../..'])(
    'is 404 where it names no task, and writes nothing: %s',
    async missing => {
      const before = await all()
      const refused = await send([
        { task: tasks[0], do: 'complete' },
        { task: missing, do: 'complete' },
      ])
      expectRefusal(refused, 404, 'not_found', 'changes[1].task was not found')
      expect(await all()).toEqual(before)
    },
  )

  it('is 404 for a task of another company, of a deleted list, and one that is deleted', async () => {
    const stranger = await app.diwan.company()
    const theirs = await newTask(stranger, (await newList(stranger, (await app.diwan.project(stranger)).id)).id)
    const doomed = await newList(company, project.id)
    const gone = await newTask(company, doomed.id)
    await api.delete(`/lists/${doomed.id}`)
    await api.delete(`/tasks/${tasks[2]}`)
    for (const task of [theirs.id, gone.id, tasks[2]]) {
      const refused = await send([
        { task: tasks[0], do: 'complete' },
        { task, do: 'complete' },
      ])
      expectRefusal(refused, 404, 'not_found', 'changes[1].task was not found')
    }
    expect((await shown(tasks[0])).completed).toBe(false)
    expect((await stranger.api.get(`/tasks/${theirs.id}`)).body.data.completed).toBe(false)
  })

  it('is 403 where a project is archived, of the task or of its destination, and writes nothing', async () => {
    const frozen = await archived()
    const to = (await api.get(`/projects/${frozen.project}/lists`)).body.data[0].id
    const [task] = tasks
    const own = await send([
      { task, do: 'complete' },
      { task: frozen.task, do: 'complete' },
    ])
    expectRefusal(own, 403, 'forbidden', 'changes[1]: The project is archived. Unarchive it first.')
    const destination = await send([
      { task, do: 'complete' },
      { task, do: 'move', list_id: to },
    ])
    const message = "changes[1]: The destination's project is archived. Unarchive it first."
    expectRefusal(destination, 403, 'forbidden', message)
    expect((await shown(task)).completed).toBe(false)
  })

  it('is 403 for a read-only subscription, and for a key without tasks:write', async () => {
    const reader = app.diwan.api(await app.diwan.key(company.id, { operations: ['tasks:read'] }))
    const changes = [{ task: tasks[0], do: 'complete' }]
    expectRefusal(await reader.post('/company/tasks/batch', { changes }), 403, 'forbidden')
    await app.diwan.operator.patch(`/companies/${company.id}`, { subscription: 'read_only' })
    const refused = await send(changes)
    await app.diwan.operator.patch(`/companies/${company.id}`, { subscription: 'active' })
    expectRefusal(refused, 403, 'forbidden', "The company's subscription is read-only.")
  })
})

describe('Changes under an Idempotency-Key', () => {
  it('are made once, and answered alike', async () => {
    const headers = { 'idempotency-key': 'changes' }
    const changes = [
      { task: tasks[0], do: 'update', title: 'Once' },
      { task: tasks[1], do: 'complete' },
    ]
    const first = await send(changes, headers)
    await api.patch(`/tasks/${tasks[0]}`, { title: 'Since' })
    const again = await send(changes, headers)
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([200, first.body, 'true'])
    expect((await shown(tasks[0])).title).toBe('Since')
    expectRefusal(await send(changes.slice(1), headers), 422, 'unprocessable_entity', expect.stringMatching(/^Idem/))
  })
})

describe('Changes at the same time', () => {
  it('in opposite orders are all made', async () => {
    const many = await newTasks(20)
    const rounds = Array.from({ length: 6 }, (_, round) => {
      const order = round % 2 ? many : [...many].reverse()
      return send(order.map(task => ({ task, do: 'update', metadata: { [`round${round}`]: 'v' } })))
    })
    expect((await Promise.all(rounds)).map(({ status }) => status)).toEqual(Array(6).fill(200))
    for (const task of many) expect(Object.keys((await shown(task)).metadata)).toHaveLength(6)
  })

  it('in opposite orders, to different lists, leave every task in one of them', async () => {
    const many = await newTasks(12)
    const rounds = Array.from({ length: 6 }, (_, round) => {
      const order = round % 2 ? many : [...many].reverse()
      return send(order.map(task => ({ task, do: 'move', list_id: (round % 3 ? other : list).id })))
    })
    expect((await Promise.all(rounds)).map(({ status }) => status)).toEqual(Array(6).fill(200))
    const counts = await Promise.all([list, other].map(async ({ id }) => (await api.get(`/lists/${id}`)).body.data))
    // All in the list of the batch that came last, besides the three that every test has in the first.
    expect(counts.map(({ tasks_count }) => tasks_count)).toEqual(
      expect.toBeOneOf([
        [15, 0],
        [3, 12],
      ]),
    )
  })

  it('and single calls on the same tasks are all made, and counted', async () => {
    const many = await newTasks(10)
    const answers = await Promise.all([
      send(many.map(task => ({ task, do: 'complete' }))),
      send([...many].reverse().map(task => ({ task, do: 'move', list_id: other.id }))),
      ...many.map(task => api.patch(`/tasks/${task}`, { notes: 'Single' })),
      ...[...many].reverse().map(task => api.post(`/tasks/${task}/complete`)),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(200))
    for (const task of many)
      expect(await shown(task)).toMatchObject({ completed: true, notes: 'Single', task_list_id: other.id })
    const { data } = (await api.get(`/lists/${other.id}`)).body
    expect([data.tasks_count, data.completed_tasks_count]).toEqual([10, 10])
  })
})

describe('Of the daily allowance', () => {
  const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))

  it('changes spend a call each, also when one of them is refused; what cannot be read or is a repeat spends one', async () => {
    const own = await app.diwan.company({ daily_calls: 1_000 })
    const place = await newList(own, (await app.diwan.project(own)).id)
    const { id: task } = await newTask(own, place.id)
    const frozen = await app.diwan.project(own)
    const { id: cold } = await newTask(own, (await newList(own, frozen.id)).id)
    await own.api.post(`/projects/${frozen.id}/archive`)
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
