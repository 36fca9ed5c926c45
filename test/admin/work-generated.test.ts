import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import { useApp } from '../support/app.ts'
import type { Answer, Client, TestCompany } from '../support/diwan.ts'
import { newTask } from '../support/factories.ts'
import { feedSettled } from '../support/feed.ts'
import {
  type GeneratedRequest,
  generateRequest,
  type Known,
  withNames,
  withoutNames,
} from '../support/generated-requests.ts'
import { furnishNamed, missingFor, type Names, numberFromHigh } from '../support/hidden-work.ts'
import { listenTo } from '../support/listening.ts'
import { until } from '../support/servers.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()
const COMPANY = '/companies/:company'

/** Every endpoint that people work with, and every read of the administration of a company. */
const ENDPOINTS = [
  ...workEndpoints,
  ...adminEndpoints.filter(({ at }) => at.every(address => address.startsWith(`${COMPANY}/records/`))),
  ...adminEndpoints.filter(({ method, at }) => method === 'GET' && at.every(address => address.startsWith(COMPANY))),
].map(({ name, method, at, query, body }) => ({
  name,
  method,
  at: at.map(address => address.slice(COMPANY.length)),
  ...(query && { query }),
  ...(body && { body }),
}))

const HIDDEN = ['Zuhalstar', 'Mirrikhstar']
const VISIBLE_TASKS = 6
let company: TestCompany
let member: Awaited<ReturnType<typeof app.diwan.person>>
let work: Client
let known: Known
/** A project that was never the member's, and one that they worked in until they were removed from it. */
let secrets: Names[]
let firstCursor: string
let before: string

beforeAll(async () => {
  await numberFromHigh(app)
  company = await app.diwan.company()
  member = await app.diwan.person(company.id)
  work = app.diwan.admin(company.id, member.token)
  firstCursor = (await company.admin.get('/records/company/changes')).body.meta.next_cursor
  const records = app.diwan.client(`/admin/v1/companies/${company.id}/records`, member.token)
  const project = (word: string, is_public: boolean) =>
    app.diwan.project(company, { name: `${word} project`, is_public, external_id: `${word}-project` })
  const open = await furnishNamed(company, await project('Common', true), 'Common')
  const mine = await project('Ours', false)
  await company.admin.post(`/projects/${mine.id}/members`, { user_id: member.id })
  const ours = await furnishNamed(company, mine, 'Ours', records)
  const never = await furnishNamed(company, await project(HIDDEN[0] as string, false), HIDDEN[0] as string)
  const left = await project(HIDDEN[1] as string, false)
  await company.admin.post(`/projects/${left.id}/members`, { user_id: member.id })
  const lost = await furnishNamed(company, left, HIDDEN[1] as string, records)
  await company.api.patch(`/tasks/${lost['task.ref']}`, { assignee_email: member.email })
  await company.admin.delete(`/projects/${left.id}/members/${member.id}`)
  secrets = [never, lost]
  // Hidden records that are newer and match better must not push out what the member sees.
  for (const names of secrets)
    for (let n = 0; n < 30; n++)
      await newTask(company, names['list.ref'] as string, { title: 'Common', notes: names.word })
  for (let n = 2; n < VISIBLE_TASKS; n++)
    await newTask(company, (n % 2 ? open : ours)['list.ref'] as string, { title: `Common ${n}` })
  await tellPeople(app)
  await feedSettled(app.database.pool)
  known = { open, emails: [member.email, company.owner.email], ...(await whatTheOwnerHas(never)) }
  before = await rowsOf(secrets)
})

/** The member's colleague was careless: entity tags, cursors and an Idempotency-Key of the owner are known. */
async function whatTheOwnerHas(names: Names) {
  const owner = (path: string) => company.admin.get(`/records${path}`)
  const paths = [
    `/tasks/${names['task.ref']}`,
    `/projects/${names['project.ref']}`,
    `/lists/${names['list.ref']}/tasks`,
  ]
  const tags = (await Promise.all(paths.map(owner))).map(({ headers }) => headers.get('etag') as string)
  const pages = ['/company/tasks?limit=1', '/projects?limit=1', `/lists/${names['list.ref']}/tasks?limit=1`]
  const cursors = (await Promise.all(pages.map(owner))).map(({ body }) => body.meta.next_cursor as string)
  const idempotencyKey = 'the-owners'
  await company.admin.post(
    `/records/lists/${names['list.ref']}/comments`,
    { content: names.word },
    { 'idempotency-key': idempotencyKey },
  )
  return { tags: ['*', ...tags], cursors: [firstCursor, ...cursors], idempotencyKey }
}

/** Everything that lies in the hidden projects, and what happened there. */
async function rowsOf(hidden: Names[]): Promise<string> {
  const refs = hidden.map(names => names['project.ref'])
  const inProjects = 'project_id in (select id from projects where ref = any ($1))'
  const comments = `comments where task_list_id in (select id from task_lists where ${inProjects})
    or task_id in (select id from tasks where ${inProjects}) or discussion_id in (select id from discussions where ${inProjects})`
  const sources = [
    'projects where ref = any ($1)',
    ...['task_lists', 'tasks', 'discussions', 'folders', 'files'].map(table => `${table} where ${inProjects}`),
    comments,
    `comment_attachments where comment_id in (select id from ${comments})`,
    `project_members where ${inProjects}`,
    `discussion_subscriptions where discussion_id in (select id from discussions where ${inProjects})`,
    'changes where project_id = any ($1) or left_project_id = any ($1)',
  ]
  const rows: unknown[] = []
  for (const source of sources)
    rows.push(
      (
        await app.database.pool.query(`select to_jsonb(r) as r from (select * from ${source}) r order by r::text`, [
          refs,
        ])
      ).rows,
    )
  return JSON.stringify(rows)
}

const IGNORED = ['date', 'x-request-id', 'keep-alive']

/** An answer to a member, with the names that were sent taken out. A search repeats them, so its tag depends on them. */
function said({ status, headers, body }: Answer, { path }: GeneratedRequest, names: Names) {
  const ignored = path.includes('/search') ? [...IGNORED, 'etag'] : IGNORED
  const kept = [...headers].filter(([name]) => !ignored.includes(name))
  return {
    status,
    headers: kept.map(([name, value]) => `${name}: ${withoutNames(value, names)}`).sort(),
    text: withoutNames(typeof body === 'string' ? body : JSON.stringify(body), names),
  }
}

async function send(request: GeneratedRequest, names: Names) {
  const { method, path, headers, body } = request
  const answer = await work.send(method, withNames(path, names), {
    headers,
    // A number that stands for a hidden id is sent as a number.
    ...(body !== undefined && { body: withNames(body.replace(/"(⟦[\w.]+\.id⟧)"/g, '$1'), names) }),
  })
  return said(answer, request, names)
}

const isAboutWrites = ({ method }: GeneratedRequest) => method !== 'GET' && method !== 'HEAD'

async function expectNothingTold(request: GeneratedRequest, hidden: Names): Promise<number> {
  const there = await send(request, hidden)
  const shown = JSON.stringify([there.text, there.headers])
  const told = [...HIDDEN, ...secrets.flatMap(names => Object.values(names).filter(name => /^[a-z]{3}-/.test(name)))]
  expect([request, told.filter(secret => shown.toLowerCase().includes(secret.toLowerCase()))]).toEqual([request, []])
  if (!/⟦(?!fresh)/.test(`${request.path}${request.body}`)) return there.status
  const missing = await send(request, missingFor(hidden))
  // What was made each time has a ref and a time of its own.
  if (isAboutWrites(request) && there.status < 300) expect([request, missing.status]).toEqual([request, there.status])
  else expect([request, there]).toEqual([request, missing])
  return there.status
}

/** Sends generated requests and counts their statuses: a generator that is always refused would prove nothing. */
async function attack(requests: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(fc.gen(), async gen => {
      const choose = {
        one: <T>(of: readonly T[]) => of[gen(fc.nat, of.length - 1)] as T,
        in: (times: number) => gen(fc.nat, times - 1) === 0,
      }
      const hidden = choose.one(secrets)
      const status = await expectNothingTold(generateRequest(choose, choose.one(ENDPOINTS), known), hidden)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }),
    { numRuns: requests },
  )
  expect(await rowsOf(secrets)).toBe(before)
  return statuses
}

describe('Whatever a member asks for', () => {
  // Most requests are sent twice: once with the names of hidden records, and once with names that nothing has.
  it('hidden records are as if they did not exist, and stay as they are', async () => {
    expect([...(await attack(100)).keys()]).toEqual(expect.arrayContaining([200, 404]))
  })

  // Of statuses, those that come dozens of times: a 412 may come in none of a thousand.
  it('they are so in thousands of requests', { tags: 'long', timeout: 180_000 }, async () => {
    expect([...(await attack(1_000)).keys()]).toEqual(expect.arrayContaining([200, 201, 403, 404, 422]))
  })

  it('hidden records neither count nor take the place of those that are seen', async () => {
    const { body } = await work.get('/records/company/tasks?limit=100')
    expect([body.meta.total, body.data.length]).toEqual([body.data.length, body.data.length])
    for (const per_type of [1, 2, 25]) {
      const { results } = (await work.get(`/records/search?q=Common&types=task&per_type=${per_type}`)).body.data
      const seen = body.data.filter(({ title }: { title: string }) => title.startsWith('Common'))
      expect([per_type, results.length]).toEqual([per_type, Math.min(per_type, seen.length)])
    }
  })

  it('a stream from the cursor of an owner tells nothing of them', async () => {
    const stream = await listenTo(`${app.url}/admin/v1/companies/${company.id}/records/company/changes`, {
      authorization: `Bearer ${member.token}`,
      'last-event-id': firstCursor,
    })
    const last = await newTask(company, known.open['list.ref'] as string)
    await until(async () => stream.changes.some(({ id }) => id === last.id))
    stream.leave()
    const told = secrets.flatMap(names => Object.values(names).filter(name => /^[a-z]{3}-/.test(name)))
    expect(told.filter(secret => stream.body().includes(secret))).toEqual([])
  })
})
