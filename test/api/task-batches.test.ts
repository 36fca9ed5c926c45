import { type IncomingMessage, request } from 'node:http'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Answer, type Client, created, type TestCompany } from '../support/diwan.ts'
import { INSTANT, newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { expectRefusal, refusal, unprocessable } from '../support/refusal.ts'
import { until } from '../support/servers.ts'

const app = useApp()
let company: TestCompany
let api: Client
let project: { id: string }
let list: { id: string }
beforeAll(async () => {
  company = await app.diwan.company()
  api = company.api
  project = await app.diwan.project(company)
})
beforeEach(async () => {
  list = await newList(company, project.id)
})

const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))

type NewTask = Record<string, unknown>
const batch = (tasks: unknown, headers: Record<string, string> = {}) =>
  api.post(`/lists/${list.id}/tasks/batch`, { tasks }, headers)
const titled = (...titles: string[]) => titles.map(title => ({ title }))
const count = async () => (await api.get(`/lists/${list.id}`)).body.data.tasks_count

/** What two tasks with the same fields have in common if they are in different lists. */
function withoutItsOwn(task: object): object {
  const own = ['id', 'created_at', 'updated_at', 'task_list_id', 'task_list_slug']
  return Object.fromEntries(Object.entries(task).filter(([name]) => !own.includes(name)))
}

async function slugsOf({ id }: { id: string }): Promise<string[]> {
  const { rows } = await app.database.pool.query<{ slug: string }>(
    `select t.slug from tasks t join task_lists l on l.company_id = t.company_id and l.id = t.task_list_id
     where l.ref = $1 order by t.id`,
    [id],
  )
  return rows.map(({ slug }) => slug)
}

describe('A batch', () => {
  it('creates its tasks in their order, each as if it had been created alone', async () => {
    const sent: NewTask[] = [
      { title: ' شراء الأثاث المكتبي ', notes: 'One\n<b>Two</b> & "three"', due_at: '٢٠٢٧-٠٢-٠١' },
      { title: 'By another calendar', due_at_hijri: '1448-06-05' },
      { title: 'With somebody', assignee_email: company.owner.email.toUpperCase() },
      { title: 'With nobody', assignee_email: '', notes: null, due_at: null },
      { title: 'With nobody either', assignee_email: null, notes: '' },
      { title: 'A "quoted", {braced} \\ title, null' },
    ]
    const { status, body } = await batch(sent)
    expect([status, body.meta]).toEqual([201, { count: sent.length }])
    const other = await newList(company, project.id)
    for (const [n, task] of sent.entries()) {
      const { data } = await created(api.post(`/lists/${other.id}/tasks`, task))
      expect(withoutItsOwn(body.data[n])).toEqual(withoutItsOwn(data))
    }
    expect((await api.get(`/lists/${list.id}/tasks`)).body.data).toEqual(body.data)
    expect(await count()).toBe(sent.length)
  })

  it('gives the slugs that the same tasks would get one after the other, from those that are there', async () => {
    const long = 'x'.repeat(100)
    const titles = ['a', 'A', 'a', '!', '؟', 'tsk-0123456789', long, `${long} y`, long, 'task', 'مهمة', 'مهمة']
    const other = await newList(company, project.id)
    for (const title of [...titles, ...titles]) await created(api.post(`/lists/${other.id}/tasks`, { title }))
    for (let n = 0; n < 2; n++) await created(batch(titled(...titles)))
    expect(await slugsOf(list)).toEqual(await slugsOf(other))
    const hundred = await newList(company, project.id)
    await created(api.post(`/lists/${hundred.id}/tasks/batch`, { tasks: Array(100).fill({ title: 'Buy desks' }) }))
    const slugs = Array.from({ length: 100 }, (_, n) => (n === 0 ? 'buy-desks' : `buy-desks-${n + 1}`))
    expect(await slugsOf(hundred)).toEqual(slugs)
  })

  it('numbers tasks of one title only after every task that asks for a free slug has got it', async () => {
    await created(batch(titled('a', 'a', 'a-2', 'a-2', 'a')))
    expect(await slugsOf(list)).toEqual(['a', 'a-3', 'a-2', 'a-2-2', 'a-4'])
    const long = 'y'.repeat(79)
    await created(batch(titled(`${long}1`, `${long}1`, `${long}2`, `${long}2`)))
    expect(new Set(await slugsOf(list)).size).toBe(9)
  })

  it('with a mistake anywhere is 422, names its place, and creates nothing', async () => {
    for (const [tasks, message] of [
      [[], 'tasks must have at least 1 entry'],
      [Array(101).fill({ title: 'a' }), 'tasks must have at most 100 entries'],
      [[...titled('a', 'b', 'c'), { title: ' ' }], "tasks[3].title can't be blank"],
      [[{ title: 'a', constructor: 1 }], 'tasks[0].constructor is not a field'],
      [[1, null], 'tasks[0] must be an object; tasks[1] must be an object'],
      [
        [{ notes: 1 }, { titel: 'a' }],
        "tasks[0].title can't be blank; tasks[0].notes must be a string or null; tasks[1].titel is not a field; tasks[1].title can't be blank",
      ],
      [
        [{ title: 'a' }, { title: 'b', due_at: '2027-01-01', due_at_hijri: '1448-06-05' }],
        "tasks[1].due_at_hijri can't be sent together with due_at",
      ],
    ])
      expectRefusal(await batch(tasks), 422, 'unprocessable_entity', message)
    expect(await count()).toBe(0)
  })

  it('refuses a field named __proto__ and one that is there twice, and names at most 20 mistakes, each shortly', async () => {
    const send = (body: string) =>
      api.send('POST', `/lists/${list.id}/tasks/batch`, { body, headers: { 'content-type': 'application/json' } })
    const proto = await send('{"tasks":[{"title":"a","__proto__":{"notes":"b"}}]}')
    expectRefusal(proto, 422, 'unprocessable_entity', 'tasks[0].__proto__ is not a field')
    const twice = await send('{"tasks":[{"title":"a"},{"title":"a","notes":"{[,","tit\\u006ce":"b"}]}')
    expectRefusal(twice, 422, 'unprocessable_entity', 'tasks[1].title appears more than once')
    const many = await batch(Array(100).fill({ ['x'.repeat(5_000)]: 1 }))
    const { message } = many.body.error
    expect([many.status, message.split('; ').length, message.endsWith('; and 180 more')]).toEqual([422, 21, true])
    expect(message.length).toBeLessThan(1_000)
  })

  it('names every address that is not of a member, and creates nothing', async () => {
    const omar = await app.diwan.person(company.id)
    const hidden = await app.diwan.project(company, { is_public: false })
    const own = await newList(company, hidden.id)
    const tasks = [company.owner.email, omar.email, 'nobody@example.com', ''].map(assignee_email => ({
      title: 'a',
      assignee_email,
    }))
    const outside = (n: number, email: string) => `tasks[${n}].assignee_email ${email} is not a member of the project`
    const refused = await api.post(`/lists/${own.id}/tasks/batch`, { tasks })
    expectRefusal(
      refused,
      422,
      'unprocessable_entity',
      `${outside(1, omar.email)}; ${outside(2, 'nobody@example.com')}`,
    )
    expect(await slugsOf(own)).toEqual([])
    await company.admin.post(`/projects/${hidden.id}/members`, { user_id: omar.id })
    const { data } = await created(api.post(`/lists/${own.id}/tasks/batch`, { tasks: tasks.slice(0, 2) }))
    expect(data.map(({ assignee }: { assignee: { email: string } }) => assignee.email)).toEqual([
      company.owner.email,
      omar.email,
    ])
  })
})

describe('Of the daily allowance', () => {
  async function furnish(daily_calls: number) {
    const own = await app.diwan.company({ daily_calls })
    const { id } = await newList(own, (await app.diwan.project(own)).id)
    const left = async () => remaining(await own.api.get('/me'))
    const path = `/lists/${id}/tasks/batch`
    return { own, path, left, send: (tasks: unknown, headers = {}) => own.api.post(path, { tasks }, headers) }
  }

  it('a batch spends a call for each task, also when one of them has a mistake', async () => {
    const { send, left } = await furnish(1_000)
    const before = await left()
    const first = await send(titled('a', 'b', 'c'))
    expect([first.status, remaining(first)]).toEqual([201, before - 3])
    const second = await send(titled('a', 'b', '', 'd'))
    expect([second.status, remaining(second)]).toEqual([422, before - 7])
    const third = await send(Array(100).fill({ title: 'a', assignee_email: 'nobody@example.com' }))
    expect([third.status, remaining(third)]).toEqual([422, before - 107])
    expect(await left()).toBe(before - 108)
  })

  it('one that cannot be read, is not found or forbidden, or repeats another, spends one', async () => {
    const { own, path, send, left } = await furnish(1_000)
    const named = { 'idempotency-key': 'once' }
    const three = titled('a', 'b', 'c')
    await created(send(three, named))
    const reader = app.diwan.api(await app.diwan.key(own.id, { operations: ['tasks:read'] }))
    let before = await left()
    for (const [status, call] of [
      [201, () => send(three, named)],
      [422, () => own.api.send('POST', path, { body: '{"tasks":[{"title":"a"},{"title":"b"}]' })],
      [422, () => send('a')],
      [422, () => send([])],
      [422, () => send(Array(101).fill({ title: 'a' }))],
      [404, () => own.api.post('/lists/lst-0000000000/tasks/batch', { tasks: three })],
      [403, () => reader.post(path, { tasks: three })],
      [422, () => send(titled('a', 'b'), named)],
    ] as const) {
      const answer = await call()
      expect([answer.status, remaining(answer)]).toEqual([status, --before])
    }
  })

  it('a batch that it has too few calls for is 429, creates nothing, spends one, and says how many are left', async () => {
    const { own, path, send } = await furnish(12)
    // Creating the project and the list took two calls.
    const refused = await send(Array(11).fill({ title: 'a' }))
    const message = expect.stringMatching(/10 more API calls.*Enterprise plan has only 9 left.*المؤسسية/)
    expectRefusal(refused, 429, 'rate_limit_exceeded', message)
    expect(remaining(refused)).toBe(9)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const fits = await send(Array(9).fill({ title: 'a' }))
    expect([fits.status, remaining(fits)]).toEqual([201, 0])
    expectRefusal(await own.api.post(path, { tasks: titled('a') }), 429, 'rate_limit_exceeded')
    expect(await slugsOf({ id: path.split('/')[2] as string })).toHaveLength(9)
  })

  it('batches and single calls at once never take more than there is, and each batch all or nothing', async () => {
    const { own, path, send } = await furnish(102)
    const calls = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? send(Array(10).fill({ title: 'a' })) : own.api.get('/me'))),
    )
    const made = calls.filter(({ status }) => status === 201).length
    await app.diwan.operator.patch(`/companies/${own.id}`, { daily_calls: null })
    expect(await slugsOf({ id: path.split('/')[2] as string })).toHaveLength(made * 10)
    const { calls: spent } = (await own.admin.get('/usage?days=1')).body.data[0]
    const served = calls.filter(({ status }) => status === 200).length
    expect(made).toBeGreaterThan(0)
    expect(spent).toBeLessThanOrEqual(102)
    expect(spent).toBeGreaterThanOrEqual(2 + served + made * 10)
  })

  it('a key that is revoked while the body is on its way spends no more, and creates nothing', async () => {
    const { own, path } = await furnish(1_000)
    const { data: key } = await created(own.admin.post('/keys', { name: 'Revoked', access: 'write' }))
    const body = JSON.stringify({ tasks: titled('a', 'b', 'c') })
    const sending = request(`${app.url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key.key}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    })
    const answering = new Promise<IncomingMessage>((resolve, reject) =>
      sending.once('response', resolve).once('error', reject),
    )
    const calls = async () => (await own.admin.get('/usage?days=1')).body.data[0].calls
    const before = await calls()
    sending.write(body.slice(0, 10))
    await until(async () => (await calls()) === before + 1)
    await own.admin.delete(`/keys/${key.id}`)
    sending.end(body.slice(10))
    const answer = await answering
    answer.resume()
    expect([answer.statusCode, await calls()]).toEqual([401, before + 1])
    expect((await own.api.get(path.replace('/tasks/batch', ''))).body.data.tasks_count).toBe(0)
  })
})

describe('A batch of changes', () => {
  let other: { id: string }
  let tasks: string[]
  beforeEach(async () => {
    other = await newList(company, project.id, { title: 'Other place' })
    const { data } = await created(batch(titled('Task 0', 'Task 1', 'Task 2')))
    tasks = data.map(({ id }: { id: string }) => id)
  })

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
        {
          task: a,
          do: 'update',
          title: 'Desks',
          notes: 'Two\nlines',
          due_at_hijri: '1448-06-05',
          metadata: { k: 'v' },
        },
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
      expect((await send(Array(100).fill({ task, do: 'complete' }))).body.meta).toEqual({ count: 100 })
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
  })

  describe('A mistake in one change', () => {
    it('is 422, names its place and writes nothing', async () => {
      const [task] = tasks
      await api.patch(`/tasks/${task}`, { metadata: { own: 'v' } })
      const before = await all()
      const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v']))
      for (const [change, message] of [
        [{ do: 'complete' }, ".task can't be blank"],
        [{ task }, ".do can't be blank"],
        [{ task, do: 'delete' }, '.do must be one of update, complete, incomplete, move'],
        [{ task, do: 'update', titel: 'a' }, '.titel is not a field'],
        [{ task, do: 'update', list_id: 'x' }, '.list_id is not a field of update'],
        [{ task, do: 'move', list_id: 'x', title: 'a' }, '.title is not a field of move'],
        [{ task, do: 'move' }, ".list_id can't be blank"],
        [{ task, do: 'move', list_id: 'lst-0000000000' }, '.list_id must be the ref of a task list'],
        [{ task, do: 'move', list_id: 'ext:x' }, '.list_id must be the ref of a task list'],
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
    it('is spent by a call for each change, also when one of them is refused; by one for what cannot be read or is a repeat', async () => {
      const own = await app.diwan.company({ daily_calls: 1_000 })
      const place = await newList(own, (await app.diwan.project(own)).id)
      const { id: task } = await newTask(own, place.id)
      const post = (changes: unknown, headers = {}) => own.api.post('/company/tasks/batch', { changes }, headers)
      const done = { task, do: 'complete' }
      const named = { 'idempotency-key': 'once' }
      let before = remaining(await own.api.get('/me'))
      for (const [status, calls, call] of [
        [200, 3, () => post([done, done, done], named)],
        [200, 1, () => post([done, done, done], named)],
        [404, 2, () => post([done, { task: 'tsk-0000000000', do: 'complete' }])],
        [422, 2, () => post([done, { task, do: 'move' }])],
        [422, 1, () => post(Array(101).fill(done))],
      ] as const) {
        const answer = await call()
        expect([answer.status, remaining(answer)]).toEqual([status, before - calls])
        before -= calls
      }
      await app.diwan.operator.patch(`/companies/${own.id}`, { daily_calls: 1_000 - before + 3 })
      expectRefusal(await post(Array(4).fill({ task, do: 'incomplete' })), 429, 'rate_limit_exceeded')
      expect((await post(Array(2).fill(done))).status).toBe(200)
    })
  })
})
