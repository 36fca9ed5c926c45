import { beforeAll, describe, expect, it } from 'vitest'
import { workEndpoints } from '../../src/admin/work.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { type Answer, type Client, created, type TestCompany } from '../support/diwan.ts'
import { furnishEveryRecord } from '../support/every-record.ts'
import { newList, newTask } from '../support/factories.ts'

const app = useApp()
const RECORDS = '/companies/:company/records'
/** Those that the API does not have, and the feed, are tested elsewhere. */
const ELSEWHERE = ['list_my_tasks', 'list_my_events', 'get_my_rights', 'list_todays_changes', 'read_changes']
/** Every address that people can read, as the API has it. */
const READS = workEndpoints
  .filter(({ method, name }) => method === 'GET' && !ELSEWHERE.includes(name))
  .flatMap(({ at }) => at.map(address => address.slice(RECORDS.length)))

let company: TestCompany
let names: Record<string, string>
let fill: (address: string) => string
beforeAll(async () => {
  const furnished = await furnishEveryRecord(app.diwan)
  company = furnished.company
  names = furnished.names
  fill = furnished.fill
})

/** The records for whoever administers here. */
const through = (admin: Client, path: string, headers?: Record<string, string>) => admin.get(`/records${path}`, headers)
/** What an answer says; a link leads somewhere instead. */
const said = ({ status, body, headers }: Answer) => ({ status, body, location: headers.get('location') })
const idsIn = ({ body }: Answer): unknown[] => (body.data.files ?? body.data).map(({ id }: { id: unknown }) => id)

describe('The records of a company, for leaders', () => {
  it('has every read of the API but the one about the key', () => {
    const reads = apiEndpoints.filter(({ method }) => method === 'GET').flatMap(({ at }) => at)
    expect(READS).toEqual(reads.filter(address => !['/me', '/company/changes'].includes(address)))
  })

  it.each(READS)('shows at %s what the API shows to a key of the same person', async address => {
    const path = fill(address)
    const [own, shown] = [await company.api.get(path), await through(company.admin, path)]
    expect(said(shown)).toEqual(said(own))
    expect(shown.status).toBe(address.endsWith('/download') ? 302 : 200)
  })

  it.each([
    '/company/tasks?completed=false&sort=-due&unassigned=true',
    '/company/tasks?project=:project&due_from=2020-01-01',
    '/company/tasks?overdue=perhaps',
    '/company/tasks?updated_since=2026-01-01&include_archived=true',
    '/projects/:project/tasks?sort=updated',
    '/projects/:project/files?folder_id=:folder',
    '/projects/:project?calendar=islamic-umalqura',
    '/events?from=2027-01-01&to=2027-01-01',
    '/events?from=nonsense',
    '/search?q=plan&types=folder&types=file&per_type=1',
    '/lists/:list/tasks?limit=0&offset=-1',
    '/tasks/missing',
    '/projects/:project/tasks?sort=nonsense',
  ])('reads the query of %s as the API does', async address => {
    const path = fill(address)
    expect(said(await through(company.admin, path))).toEqual(said(await company.api.get(path)))
  })

  it('finds names by the rules for Arabic', async () => {
    const { id } = await app.diwan.project(company, { name: 'إدارة المكتبة' })
    const { body } = await through(company.admin, `/search?q=${encodeURIComponent('اداره مكتبه')}`)
    expect(body.data.results).toMatchObject([{ type: 'project', id, title: 'إدارة المكتبة' }])
  })

  it('leads from page to page at its own address, with cursors of its own', async () => {
    const list = (await newList(company, names.project as string)).id
    const tasks = [await newTask(company, list), await newTask(company, list), await newTask(company, list)]
    const seen: unknown[] = []
    let next: string | undefined = `/admin/v1/companies/${company.id}/records/lists/${list}/tasks?limit=1`
    for (let n = 0; next !== undefined && n < 5; n++) {
      const page: Answer = await app.diwan.client('', company.ownerToken).get(next)
      seen.push(...idsIn(page))
      next = page.headers
        .get('link')
        ?.match(/^<http:\/\/[^/]+(\/admin\/v1\/companies\/\d+\/records\/[^>]+)>; rel="next"$/)?.[1]
    }
    expect(seen).toEqual(tasks.map(({ id }) => id))
    const { next_cursor } = (await company.api.get('/company/tasks?limit=1')).body.meta
    expect((await through(company.admin, `/company/tasks?limit=1&cursor=${next_cursor}`)).status).toBe(422)
  })

  it('answers 304 to whoever has seen it', async () => {
    const { headers } = await through(company.admin, fill('/tasks/:task'))
    const tag = { 'if-none-match': headers.get('etag') as string }
    expect((await through(company.admin, fill('/tasks/:task'), tag)).status).toBe(304)
  })
})

describe('Who reads the records of a company', () => {
  it('is an owner, a manager or the operator, at every address', async () => {
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const operator = app.diwan.client(`/admin/v1/companies/${company.id}`, OPERATOR_TOKEN)
    for (const address of READS.filter(read => !read.startsWith('/events'))) {
      const path = fill(address)
      const own = said(await company.api.get(path))
      expect([path, said(await through(manager.admin, path))]).toEqual([path, own])
      expect([path, said(await through(operator, path))]).toEqual([path, own])
    }
  })

  it('is a member too, where the projects are open to them', async () => {
    const member = await app.diwan.person(company.id)
    await company.admin.post(`/projects/${names.project}/members`, { user_id: member.id })
    for (const address of READS.filter(read => read.includes(':') && !read.startsWith('/events'))) {
      const path = fill(address)
      expect([path, said(await through(member.admin, path))]).toEqual([path, said(await company.api.get(path))])
    }
  })

  it('is nobody of another company, and nobody with an API key', async () => {
    const stranger = await app.diwan.company()
    const foreign = app.diwan.admin(company.id, stranger.ownerToken)
    const withKey = app.diwan.admin(company.id, company.key)
    for (const address of READS) {
      const path = fill(address)
      expect([path, (await through(foreign, path)).status]).toEqual([path, 404])
      expect([path, (await through(withKey, path)).status]).toEqual([path, 401])
    }
  })

  it('sees no record of another company in the own one', async () => {
    const { admin } = await app.diwan.company()
    for (const address of READS.filter(read => read.includes(':')))
      expect([address, (await through(admin, fill(address))).status]).toEqual([address, 404])
    for (const list of ['/projects', '/company/tasks', '/events']) expect(idsIn(await through(admin, list))).toEqual([])
    expect((await through(admin, '/search?q=plan')).body.data.results).toEqual([])
  })

  it('sees private projects without being a member of them', async () => {
    const own = await app.diwan.company()
    const secret = await app.diwan.project(own, { name: 'Secret', is_public: false })
    const list = await newList(own, secret.id)
    const task = await newTask(own, list.id)
    const manager = await app.diwan.person(own.id, { role: 'manager' })
    expect(idsIn(await through(manager.admin, '/projects'))).toEqual([secret.id])
    expect(idsIn(await through(manager.admin, '/company/tasks'))).toEqual([task.id])
    expect((await through(manager.admin, `/tasks/${task.id}`)).body.data).toMatchObject({ id: task.id })
    const { body } = await through(manager.admin, `/projects/${secret.id}/members`)
    expect(body.data.map(({ email }: { email: string }) => email)).toEqual([own.owner.email])
  })

  it('sees events that they organize or are invited to, and no others', async () => {
    const own = await app.diwan.company()
    const guest = await app.diwan.person(own.id, { role: 'manager' })
    const other = await app.diwan.person(own.id, { role: 'manager' })
    const times = { starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }
    const { data } = await created(own.api.post('/events', { name: 'x', ...times, attendee_emails: [guest.email] }))
    const operator = app.diwan.client(`/admin/v1/companies/${own.id}`, OPERATOR_TOKEN)
    for (const [admin, seen] of [
      [own.admin, [data.id]],
      [guest.admin, [data.id]],
      [other.admin, []],
      [operator, []],
    ] as const) {
      expect(idsIn(await through(admin, '/events'))).toEqual(seen)
      expect((await through(admin, `/events/${data.id}`)).status).toBe(seen.length > 0 ? 200 : 404)
    }
  })
})

describe('Reading the records of a company', () => {
  it('spends no call, tells no allowance and counts for no key', async () => {
    const own = await app.diwan.company({ plan: 'enterprise', daily_calls: 1 })
    expect((await own.api.get('/projects')).status).toBe(200)
    expect((await own.api.get('/projects')).status).toBe(429)
    const answer = await through(own.admin, '/projects')
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, null])
    expect((await own.admin.get('/usage?days=1')).body.data.at(-1)).toMatchObject({ calls: 1 })
  })

  it.each([{ rest_api: false }, { plan: 'free' }, { subscription: 'read_only' }])(
    'is possible with %j',
    async settings => {
      const own = await app.diwan.company()
      const { id } = await app.diwan.project(own)
      await app.diwan.operator.patch(`/companies/${own.id}`, settings)
      expect(idsIn(await through(own.admin, '/projects'))).toEqual([id])
    },
  )
})
