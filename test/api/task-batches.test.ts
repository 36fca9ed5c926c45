import { type IncomingMessage, request } from 'node:http'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Answer, type Client, created, type TestCompany } from '../support/diwan.ts'
import { newList } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'
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
      [undefined, "tasks can't be blank"],
      ['a', 'tasks must be a list'],
      [[], 'tasks must have at least 1 entry'],
      [Array(101).fill({ title: 'a' }), 'tasks must have at most 100 entries'],
      [[...titled('a', 'b', 'c'), { title: ' ' }], "tasks[3].title can't be blank"],
      [[{ title: 'x'.repeat(256) }], 'tasks[0].title is too long: at most 255 characters'],
      [
        [{ title: 'a', notes: '\ud800' }],
        'tasks[0].notes must not contain control characters or half of a surrogate pair',
      ],
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
      [
        [{ title: 'a', due_at: '1448-06-05' }],
        'tasks[0].due_at must be a Gregorian date from 1900 to 9999; 1448 looks like a Hijri year',
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

  it('races with others for the same slugs and loses none', async () => {
    const batches = await Promise.all(Array.from({ length: 4 }, () => batch(Array(25).fill({ title: 'Race' }))))
    expect(batches.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(await slugsOf(list)).size).toBe(100)
    expect(await count()).toBe(100)
  })

  it('and the end of its list: all of its tasks are counted, or the list is not found', async () => {
    for (let round = 0; round < 10; round++) {
      const doomed = await newList(company, project.id)
      const tasks = Array(20).fill({ title: 'a' })
      const [answer, deleted] = await Promise.all([
        api.post(`/lists/${doomed.id}/tasks/batch`, { tasks }),
        api.delete(`/lists/${doomed.id}`),
      ])
      expect([answer.status, deleted.status]).toEqual([expect.toBeOneOf([201, 404]), 200])
      expect([round, deleted.body.data.deleted_tasks]).toEqual([round, answer.status === 201 ? 20 : 0])
    }
  })
})

describe('Of the daily allowance', () => {
  const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))

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
