import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useApp } from '../support/app.ts'
import { type Answer, type Client, created, type TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { requestText, sendRaw } from '../support/raw-http.ts'
import { expectRefusal } from '../support/refusal.ts'
import { HAS_TIME } from '../support/suites.ts'

const app = useApp()
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

  it('have all records in their order whatever their size, and outrank an offset', async () => {
    const own = await app.diwan.company()
    const project = (await app.diwan.project(own)).id
    const ownList = (await newList(own, project)).id
    const kinds = Object.values(KINDS).map(kindOf => kindOf(own, project, ownList))
    for (const { add } of kinds.slice(0, 4)) for (let n = 0; n < 7; n++) await add(n)
    for (const { path } of kinds) {
      const inOne = idsIn(await own.api.get(`${path}limit=100`))
      expect(inOne.length).toBeGreaterThanOrEqual(7)
      expect([path, await everyPage(own.api, path, 3)]).toEqual([path, inOne])
    }
    const path = `/lists/${list}/tasks`
    const all = idsIn(await company.api.get(path))
    const { next_cursor } = (await company.api.get(`${path}?limit=1`)).body.meta
    const rest = await company.api.get(`${path}?limit=3&offset=4&cursor=${next_cursor}`)
    expect(idsIn(rest)).toEqual(all.slice(1, 4))
    expect(rest.body.meta).toMatchObject({ total: 5, limit: 3, offset: 0, count: 3 })
  })
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

  it('leads from page to page, with the parameters that were sent, and is absent on the last', async () => {
    const all = idsIn(await company.api.get('/company/tasks?sort=due'))
    const seen: unknown[] = []
    const sent = '/company/tasks?limit=2&offset=0&sort=due&assignee_email=%C3%A9%2B%26@example.com&unassigned=true'
    for (let path: string | undefined = sent; path; ) {
      const page: Answer = await company.api.get(path)
      expect(page.status).toBe(200)
      seen.push(...idsIn(page))
      const link = next(page)
      expect(link === undefined).toBe(page.body.meta.next_cursor === null)
      if (link) {
        const url = new URL(link)
        expect([url.origin, url.searchParams.get('cursor')]).toEqual([app.url, page.body.meta.next_cursor])
        expect([url.searchParams.get('assignee_email'), url.searchParams.has('offset')]).toEqual([
          'é+&@example.com',
          false,
        ])
      }
      path = link?.slice(`${app.url}/api/v1`.length)
    }
    expect(seen).toEqual(all)
  })

  it('is an address on the same host for a caller who names no host that could stand in it', async () => {
    const headers = { host: 'a>b', authorization: `Bearer ${company.key}` }
    const page = await sendRaw(app.url, requestText('GET', `/api/v1/lists/${list}/tasks?limit=2`, headers))
    expect(next(page)).toMatch(/^\/api\/v1\/lists\/[\w-]+\/tasks\?limit=2&cursor=[\w-]+$/)
  })
})

it('Every paginated collection takes a cursor, and its answer tells the next one', () => {
  const paginated = [...apiEndpoints, ...adminEndpoints].filter(({ query }) => query?.properties.offset)
  expect(paginated.length).toBeGreaterThan(20)
  for (const { name, query, returns } of paginated)
    expect([name, query?.properties.cursor, JSON.stringify(returns)]).toEqual([
      name,
      expect.anything(),
      expect.stringContaining('"next_cursor"'),
    ])
})
