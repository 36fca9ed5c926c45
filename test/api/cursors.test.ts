import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Answer, type Client, created, type TestCompany } from '../support/diwan.ts'
import { newComment, newDiscussion, newList, newTask } from '../support/factories.ts'
import { requestText, sendRaw } from '../support/raw-http.ts'
import { expectRefusal } from '../support/refusal.ts'
import { HAS_TIME } from '../support/suites.ts'

const app = useApp()
const known = useApp({ publicUrl: 'https://diwan.example.com/office' })
let company: TestCompany
let list: string
beforeAll(async () => {
  company = await app.diwan.company()
  list = (await newList(company, (await app.diwan.project(company)).id)).id
  for (let n = 0; n < 5; n++) await newTask(company, list)
})

const idsIn = ({ body }: Answer): unknown[] => (body.data.files ?? body.data).map(({ id }: { id: unknown }) => id)

/** Follows the cursors through all pages. `path` ends where a parameter can follow. */
async function everyPage(
  api: Client,
  path: string,
  limit: number,
  between: (n: number) => Promise<void> = async () => {},
) {
  const seen: unknown[] = []
  let cursor: string | null = ''
  for (let n = 0; cursor !== null; n++) {
    const page: Answer = await api.get(`${path}limit=${limit}${cursor && `&cursor=${cursor}`}`)
    expect(page.status).toBe(200)
    seen.push(...idsIn(page))
    cursor = page.body.meta.next_cursor
    await between(n)
  }
  return seen
}

/** A collection, and how to create and remove a record in it. */
interface Kind {
  path: string
  add: (n: number) => Promise<unknown>
  remove: (id: unknown) => Promise<Answer>
}

/** One collection for each sort order: by one column or two, ascending and descending, with texts, times and nulls. */
const KINDS: Record<string, (own: TestCompany, project: string, list: string) => Kind> = {
  projects: own => ({
    path: '/projects?',
    add: async n => (await app.diwan.project(own, { name: `Project ${n}` })).id,
    remove: id => own.api.delete(`/projects/${id}`),
  }),
  'the tasks of a list': (own, _, list) => tasksAt(own, list, `/lists/${list}/tasks?`),
  files: ({ api }, project) => ({
    path: `/projects/${project}/files?`,
    async add(n) {
      const link = { name: `Plan ${n % 3}`, external_url: `https://example.com/${n}` }
      return (await created(api.post(`/projects/${project}/links`, link))).data.id
    },
    remove: id => api.delete(`/projects/${project}/files/${id}`),
  }),
  events: ({ api }) => ({
    path: '/events?include_past=true&',
    async add(n) {
      const times = { starts_at: `2027-01-0${1 + (n % 3)}`, ends_at: '2027-02-01' }
      return (await created(api.post('/events', { name: 'Visit', ...times }))).data.id
    },
    remove: id => api.delete(`/events/${id}`),
  }),
  'tasks by due date': (own, _, list) => tasksAt(own, list, '/company/tasks?sort=due&'),
  'tasks by due date, last first': (own, _, list) => tasksAt(own, list, '/company/tasks?sort=-due&'),
  'tasks by their last update': (own, project, list) => tasksAt(own, list, `/projects/${project}/tasks?sort=-updated&`),
}

function tasksAt(own: TestCompany, list: string, path: string): Kind {
  return {
    path,
    add: async n => (await newTask(own, list, n % 3 ? { due_at: `2027-01-0${1 + (n % 4)}` } : {})).id,
    remove: id => own.api.delete(`/tasks/${id}`),
  }
}

const change = fc.record({ isAdded: fc.boolean(), n: fc.nat({ max: 30 }) })

describe('Pages by cursor', () => {
  it.each(Object.keys(KINDS))(
    'of %s neither skip nor repeat a record that stays, whatever is added and removed meanwhile',
    async name => {
      const limit = fc.integer({ min: 1, max: 4 })
      const changes = fc.array(fc.array(change, { maxLength: 2 }), { minLength: 3, maxLength: 6 })
      const property = fc.asyncProperty(limit, changes, async (limit, changes) => {
        const own = await app.diwan.company()
        const project = (await app.diwan.project(own)).id
        const kind = KINDS[name]?.(own, project, (await newList(own, project)).id) as Kind
        const all: unknown[] = []
        for (let n = 0; n < 7; n++) all.push(await kind.add(n))
        const staying = new Set(all)
        const seen = await everyPage(own.api, kind.path, limit, async page => {
          for (const { isAdded, n } of changes[page] ?? []) {
            if (isAdded) all.push(await kind.add(n))
            else {
              await kind.remove(all[n % all.length])
              staying.delete(all[n % all.length])
            }
          }
        })
        expect(new Set(seen).size).toBe(seen.length)
        expect(seen.filter(id => staying.has(id))).toHaveLength(staying.size)
      })
      await fc.assert(property, { numRuns: HAS_TIME ? 4 : 2 })
    },
  )
})

describe('A cursor', () => {
  const query = '/company/tasks?sort=due&completed=false&limit=2'
  const refused = async (path: string) =>
    expectRefusal(await company.api.get(path), 422, 'unprocessable_entity', expect.stringMatching(/^cursor /))

  it('of another query is passed over where reads never fail', async () => {
    const { next_cursor } = (await company.api.get(`/lists/${list}/tasks?limit=2`)).body.meta
    const other = (await newList(company, (await app.diwan.project(company)).id)).id
    await newTask(company, other)
    expect(idsIn(await company.api.get(`/lists/${other}/tasks?cursor=${next_cursor}`))).toHaveLength(1)
  })

  it('that was altered is 422', async () => {
    const { next_cursor } = (await company.api.get(query)).body.meta
    const values = JSON.parse(Buffer.from(next_cursor, 'base64url').toString())
    for (const altered of [[...values, '1'], values.slice(0, -1), [...values.slice(0, -1), "1' or 1=1"]])
      await refused(`${query}&cursor=${Buffer.from(JSON.stringify(altered)).toString('base64url')}`)
  })

  it('of another query is 422, and of the same one it is not, in whatever order its parameters stand', async () => {
    const { next_cursor } = (await company.api.get(query)).body.meta
    await refused(`/company/tasks?sort=due&cursor=${next_cursor}`)
    await refused(`/company/tasks?sort=due&completed=true&cursor=${next_cursor}`)
    await refused(`/company/tasks?sort=-due&completed=false&cursor=${next_cursor}`)
    const same = await company.api.get(`/company/tasks?cursor=${next_cursor}&completed=false&limit=9&sort=due&offset=1`)
    expect([same.status, same.body.meta.count]).toEqual([200, same.body.meta.total - 2])
    const onEvents = await company.api.get(`/events?cursor=${next_cursor}`)
    expectRefusal(onEvents, 422, 'unprocessable_entity', expect.stringMatching(/^cursor /))
  })
})

describe('Link', () => {
  const next = ({ headers }: Answer) => /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]

  it('has the parameters that were sent, but no offset', async () => {
    const sent = '/company/tasks?limit=2&offset=0&sort=due&assignee_email=%C3%A9%2B%26@example.com&unassigned=true'
    const page = await company.api.get(sent)
    const { origin, searchParams } = new URL(next(page) as string)
    expect(origin).toBe(app.url)
    expect(Object.fromEntries(searchParams)).toEqual({
      limit: '2',
      sort: 'due',
      assignee_email: 'é+&@example.com',
      unassigned: 'true',
      cursor: page.body.meta.next_cursor,
    })
  })

  it('is an address on the same host for a caller who names no host that could stand in it', async () => {
    const headers = { host: 'a>b', authorization: `Bearer ${company.key}` }
    const page = await sendRaw(app.url, requestText('GET', `/api/v1/lists/${list}/tasks?limit=2`, headers))
    expect(next(page)).toMatch(/^\/api\/v1\/lists\/[\w-]+\/tasks\?limit=2&cursor=[\w-]+$/)
  })

  it('begins with the public address, where there is one', async () => {
    const own = await known.diwan.company()
    for (let n = 0; n < 2; n++) await known.diwan.project(own)
    const path = '/projects?include_archived=true&limit=1'
    const page = await own.api.get(path)
    expect(next(page)).toBe(`https://diwan.example.com/office/api/v1${path}&cursor=${page.body.meta.next_cursor}`)
  })
})

it('Every collection has the records of its own parent alone, in its order', async () => {
  const own = await app.diwan.company()
  const projects = [await app.diwan.project(own, { name: 'First' }), await app.diwan.project(own, { name: 'Second' })]
  const lists = [await newList(own, projects[0].id, { title: 'b' }), await newList(own, projects[1].id)]
  await newList(own, projects[0].id, { title: 'a' })
  const task = (await newTask(own, lists[0].id, { title: 'b' })).id
  for (const title of ['a', 'c']) {
    await newTask(own, lists[0].id, { title })
    await newTask(own, lists[1].id, { title: 'z' })
    await newDiscussion(own, projects[0].id, { title })
    await newDiscussion(own, projects[1].id, { title: 'z' })
    for (const on of [`/tasks/${task}`, `/lists/${lists[0].id}`])
      await newComment(own, on, { content: `${title} ${on}` })
  }
  const times = { starts_at: '2030-12-01T10:00', ends_at: '2030-12-01T11:30' }
  for (const name of ['b', 'a']) await created(own.api.post('/events', { name, ...times }))
  await created(own.api.post('/events', { name: 'earlier', ...times, starts_at: '2030-11-30' }))
  for (const [path, field, ...expected] of [
    ['/projects', 'name', 'Second', 'First'],
    [`/projects/${projects[0].id}/lists`, 'title', 'b', 'a'],
    [`/lists/${lists[0].id}/tasks`, 'title', 'b', 'a', 'c'],
    [`/projects/${projects[0].id}/lists/b/tasks`, 'title', 'b', 'a', 'c'],
    [`/projects/${projects[0].id}/discussions`, 'title', 'c', 'a'],
    [`/tasks/${task}/comments`, 'content', `a /tasks/${task}`, `c /tasks/${task}`],
    ['/events', 'name', 'earlier', 'b', 'a'],
  ] as const) {
    const { data, meta } = (await own.api.get(path)).body
    const shown = data.map((each: Record<string, unknown>) => each[field])
    expect([path, ...shown, meta.total]).toEqual([path, ...expected, expected.length])
  }
})
