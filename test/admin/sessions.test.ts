import { describe, expect, it } from 'vitest'
import { createMemoryBurst } from '../../src/adapters/burst-memory.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import { createSignIn } from '../../src/http/requests/sign-in.ts'
import { OPERATOR_TOKEN, SERVER_SECRET, useApp } from '../support/app.ts'
import { browserWith, cookieIn, type SignedIn, signIn } from '../support/console.ts'
import type { Client, TestCompany } from '../support/diwan.ts'
import { furnishEveryRecord } from '../support/every-record.ts'
import { INSTANT } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'
import { until } from '../support/servers.ts'
import { doStep } from '../support/upkeep.ts'

const app = useApp({ trustProxy: 'loopback' })

const HOUR_MS = 3_600_000

const ask = (query: string, values: unknown[] = []) => app.database.pool.query(query, values)
const asOperator = () => signIn(app.diwan, { token: OPERATOR_TOKEN })
const statusOf = async ({ browser }: { browser: Client }) => (await browser.get('/me')).status
const idsIn = (data: { id: number }[]) => data.map(({ id }) => id)
const operatorsSessions = async () => idsIn((await app.diwan.operator.get('/sessions?limit=100')).body.data)

/** Moves a session back in time. */
const age = (id: number, column: 'last_used_at' | 'expires_at', interval: string) =>
  ask(`update console_sessions set ${column} = ${column} - $2::interval where id = $1`, [id, interval])

async function audited({ admin }: TestCompany, operation: string) {
  return (await admin.get(`/audit?operation=${operation}`)).body.data
}

describe('POST /admin/v1/sessions', () => {
  it('exchanges a personal token for a cookie, tells what GET /me tells, and stores no secret', async () => {
    const company = await app.diwan.company()
    const { answer, browser, cookie } = await signIn(app.diwan, { token: company.ownerToken })
    expect(answer.headers.get('set-cookie')).toMatch(
      /^diwan_session=svc_ses_[0-9A-Za-z]{49}; HttpOnly; SameSite=Strict; Path=\/admin\/v1; Max-Age=43200$/,
    )
    const { session, ...me } = answer.body.data
    expect(session).toEqual({ id: expect.any(Number), created_at: INSTANT, expires_at: INSTANT, idle_until: INSTANT })
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(12 * HOUR_MS)
    expect(Date.parse(session.idle_until) - Date.parse(session.created_at)).toBe(HOUR_MS)
    const asToken = (await app.diwan.client('/admin/v1', company.ownerToken).get('/me')).body.data
    expect(asToken).toEqual({ ...me, session: null })
    expect((await browser.get('/me')).body.data).toEqual({ ...me, session })
    const { rows } = await ask('select s::text as row from console_sessions s where id = $1', [session.id])
    for (const secret of [cookie, company.ownerToken]) expect(rows[0].row).not.toContain(secret.slice(-20))
    const [entry] = await audited(company, 'sessions:write')
    expect(entry).toMatchObject({
      outcome: 'allowed',
      method: 'POST',
      path: '/admin/v1/sessions',
      status: 201,
      by: { kind: 'person', id: company.owner.id },
      target: { type: 'session', id: session.id, name: 'Owner token' },
    })
  })

  it('exchanges the operator token, and keeps it in the audit of the service', async () => {
    const { id, answer, browser } = await asOperator()
    expect(answer.body.data).toMatchObject({ kind: 'operator', user: null, company: null })
    expect((await browser.get('/companies')).status).toBe(200)
    await browser.delete('/sessions/current')
    for (const operation of ['sessions:write', 'sessions:destructive']) {
      const [entry] = (await app.diwan.operator.get(`/audit?operation=${operation}`)).body.data
      expect(entry).toMatchObject({ by: { kind: 'operator' }, target: { type: 'session', id } })
    }
  })

  describe('with its cookie', () => {
    const [plain, published] = [useApp(), useApp({ publicUrl: 'https://diwan.example.com' })]

    it('marks it Secure where people come by TLS, and believes only a trusted proxy', async () => {
      for (const [{ diwan }, proto, isSecure] of [
        [app, 'https', true],
        [app, 'http', false],
        [plain, 'https', false],
        [published, 'http', true],
      ] as const) {
        const { answer } = await signIn(diwan, { token: OPERATOR_TOKEN }, { 'x-forwarded-proto': proto })
        expect(answer.headers.get('set-cookie')?.endsWith('; Secure')).toBe(isSecure)
      }
    })
  })

  it('sets no cookie for what is no good token or code, nor for a page of another site', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const { cookie } = await signIn(app.diwan, { token: person.token })
    await company.admin.patch(`/users/${person.id}`, { active: false })
    const begin = (body: object, headers = {}) => app.diwan.client('/admin/v1').post('/sessions', body, headers)
    for (const [body, status] of [
      [{}, 422],
      [{ token: 'x', code: 'y' }, 422],
      [{ company_id: 1, token: 'x' }, 422],
      [{ company_id: null }, 422],
      [{ token: 5 }, 422],
      [{ token: 'x'.repeat(1_001) }, 422],
      [{ token: '' }, 401],
      [{ code: 'svc_link_wrong' }, 401],
      [{ token: company.key }, 401],
      [{ token: cookie.split('=')[1] }, 401],
      [{ token: person.token }, 401],
    ] as const) {
      const answer = await begin(body)
      expect([body, answer.status, answer.headers.get('set-cookie')]).toEqual([body, status, null])
    }
    const elsewhere = await begin({ token: OPERATOR_TOKEN }, { 'sec-fetch-site': 'cross-site' })
    expectRefusal(elsewhere, 403, 'forbidden')
    expect(elsewhere.headers.get('set-cookie')).toBeNull()
  })

  it('takes no large body from anybody, nor do invitations', async () => {
    for (const path of ['/sessions', '/invitations/accept']) {
      const send = async (characters: number) =>
        (await app.diwan.client('/admin/v1', '').post(path, { code: 'x'.repeat(characters) })).body.error.message
      expect([await send(7_000), await send(9_000)]).toEqual([expect.stringContaining('code'), 'body is too large'])
    }
  })

  it('ends the oldest of a token when it has 20 already, also when many begin at once, and none of another', async () => {
    const company = await app.diwan.company()
    const other = await app.diwan.person(company.id)
    const others = await signIn(app.diwan, { token: other.token })
    const sessions = [await signIn(app.diwan, { token: company.ownerToken })]
    for (let n = 0; n < 20; n++) sessions.push(await signIn(app.diwan, { token: company.ownerToken }))
    const path = `/users/${company.owner.id}/sessions`
    expect(idsIn((await company.admin.get(path)).body.data)).toEqual(sessions.slice(1).map(({ id }) => id))
    expect([await statusOf(sessions[0] as SignedIn), await statusOf(others)]).toEqual([401, 200])
    const targets = (await audited(company, 'sessions:write')).map(({ target }: { target: { id: number } }) => target)
    expect(idsIn(targets.slice(0, 2)).sort()).toEqual([sessions[0]?.id, sessions[20]?.id].sort())
    await Promise.all(Array.from({ length: 6 }, () => signIn(app.diwan, { token: company.ownerToken })))
    expect((await company.admin.get(path)).body.meta.total).toBe(20)
  })

  it('never takes over a session that the browser brought: signing in again makes a new one', async () => {
    const company = await app.diwan.company()
    const planted = await signIn(app.diwan, { token: (await app.diwan.person(company.id)).token })
    const own = await signIn(app.diwan, { token: company.ownerToken }, { cookie: planted.cookie })
    const whose = async (cookie: string) => (await browserWith(app.diwan, cookie).get('/me')).body.data.user.role
    expect([await whose(planted.cookie), await whose(own.cookie)]).toEqual(['member', 'owner'])
  })
})

describe('A session', () => {
  it('may do exactly what its person may', async () => {
    const company = await app.diwan.company()
    const member = await app.diwan.person(company.id)
    const { browser } = await signIn(app.diwan, { token: member.token })
    const below = `/companies/${company.id}`
    expect((await browser.get(`${below}/users/${member.id}/tokens`)).status).toBe(200)
    expect((await browser.get(`${below}/users`)).status).toBe(403)
    expect((await browser.get(`/companies/${(await app.diwan.company()).id}`)).status).toBe(404)
  })

  it('is not looked at where an Authorization header is, opens neither the API nor the metrics, and its secret is no token', async () => {
    const company = await app.diwan.company()
    const { browser } = await asOperator()
    const asOwner = await browser.get('/me', { authorization: `Bearer ${company.ownerToken}` })
    expect(asOwner.body.data).toMatchObject({ kind: 'person', session: null })
    for (const authorization of ['Bearer svc_wrong', 'Basic x', ''])
      expect([authorization, (await browser.get('/me', { authorization })).status]).toEqual([authorization, 401])
    const { cookie } = await signIn(app.diwan, { token: company.ownerToken })
    const operators = await asOperator()
    const secret = { authorization: `Bearer ${cookie.split('=')[1]}` }
    const metrics = browserWith(app.diwan, operators.cookie, '').get('/metrics', { 'x-forwarded-for': '192.0.2.1' })
    const answers = [
      await browserWith(app.diwan, cookie, '/api/v1').get('/me'),
      await app.diwan.client('/api/v1').get('/me', secret),
      await app.diwan.client('/admin/v1').get('/me', secret),
      await metrics,
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 404])
  })

  it('is refused to pages of other sites, reads included, and the denial of an operator is kept too', async () => {
    const { browser } = await asOperator()
    for (const [site, status] of [
      ['same-origin', 200],
      ['none', 200],
      ['same-site', 403],
      ['cross-site', 403],
    ] as const)
      expect([site, (await browser.get('/companies', { 'sec-fetch-site': site })).status]).toEqual([site, status])
    const [denial] = (await app.diwan.operator.get('/audit?outcome=denied')).body.data
    expect(denial).toMatchObject({ path: '/admin/v1/companies', by: { kind: 'operator' }, status: 403 })
  })

  it('writes nothing without the header that only our page sends, nor when it is no good, whatever the endpoint', async () => {
    const { company, fill } = await furnishEveryRecord(app.diwan)
    const { cookie } = await signIn(app.diwan, { token: company.ownerToken })
    const ended = await signIn(app.diwan, { token: company.ownerToken })
    await ended.browser.delete('/sessions/current')
    const foreign = await signIn(app.diwan, { token: (await app.diwan.company()).ownerToken })
    const before = await everythingIn(company.id)
    const forgeries: [Record<string, string>, number][] = [
      [{ 'x-diwan-console': '' }, 403],
      [{ 'x-diwan-console': 'true' }, 403],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ cookie: `diwan_session=svc_ses_${'A'.repeat(49)}` }, 401],
      [{ cookie: 'diwan_session=' }, 401],
      [{ cookie: ended.cookie }, 401],
      [{ cookie: foreign.cookie }, 404],
    ]
    const writes = workEndpoints.filter(({ method }) => method !== 'GET')
    for (const [n, { method, at }] of writes.entries()) {
      // The first of them at every endpoint, and each of the others at some.
      for (const [headers, status] of forgeries.filter((_, turn) => turn === 0 || turn === n % forgeries.length)) {
        const answer = await browserWith(app.diwan, cookie).send(method, fill(at[0] as string), {
          body: '{"title":"Forged","name":"Forged","content":"Forged","is_public":true}',
          headers: { 'content-type': 'application/json', ...headers },
        })
        expect([method, at[0], headers, answer.status]).toEqual([method, at[0], headers, status])
      }
    }
    expect(await everythingIn(company.id)).toEqual(before)
    const bare = await app.diwan.client('/admin/v1').send('PATCH', `/companies/${company.id}`, { headers: { cookie } })
    expectRefusal(bare, 403, 'forbidden', expect.stringContaining('X-Diwan-Console: 1'))
    const [denial] = (await company.admin.get('/audit?outcome=denied')).body.data
    expect(denial).toMatchObject({ method: 'PATCH', by: { kind: 'person', id: company.owner.id } })
  })

  /** The rows of a company that people at work could change. */
  async function everythingIn(companyId: number) {
    const tables = [
      'projects',
      'task_lists',
      'tasks',
      'discussions',
      'comments',
      'folders',
      'files',
      'events',
      'changes',
    ]
    const rows: unknown[] = []
    for (const table of tables)
      rows.push((await ask(`select r::text from ${table} r where company_id = $1 order by id`, [companyId])).rows)
    return rows
  }

  it('goes with its token and no other, and does not work while its person is not active', async () => {
    const company = await app.diwan.company()
    const path = `/users/${company.owner.id}/tokens`
    const second = (await company.admin.post(path, { name: 'Second' })).body.data
    const one = await signIn(app.diwan, { token: company.ownerToken })
    const two = await signIn(app.diwan, { token: second.token })
    await company.admin.delete(`${path}/${second.id}`)
    expect([await statusOf(one), await statusOf(two)]).toEqual([200, 401])
    const person = await app.diwan.person(company.id)
    const session = await signIn(app.diwan, { token: person.token })
    for (const [active, status] of [
      [false, 401],
      [true, 200],
    ] as const) {
      await company.admin.patch(`/users/${person.id}`, { active })
      expect(await statusOf(session)).toBe(status)
    }
  })

  it('of the operator ends when the operator token is another one', async () => {
    const session = await asOperator()
    const failures = createMemoryBurst(1_000)
    const { operatorDigest } = createSignIn({ failures, serverSecret: SERVER_SECRET, operatorToken: 'another-one' })
    await ask('update console_sessions set operator_digest = $2 where id = $1', [session.id, operatorDigest])
    expect(await statusOf(session)).toBe(401)
    expect(await operatorsSessions()).not.toContain(session.id)
  })

  it('ends after 12 hours, however much it is used, and after an hour without use; what has expired is removed', async () => {
    const [old, idle, live] = [await asOperator(), await asOperator(), await asOperator()]
    await age(old.id, 'expires_at', '11 hours 59 minutes')
    await age(idle.id, 'last_used_at', '59 minutes')
    expect([await statusOf(old), await statusOf(idle)]).toEqual([200, 200])
    await age(old.id, 'expires_at', '1 minute')
    await age(idle.id, 'last_used_at', '2 hours')
    expect([await statusOf(old), await statusOf(idle)]).toEqual([401, 401])
    const listed = await operatorsSessions()
    expect([old, idle, live].map(({ id }) => listed.includes(id))).toEqual([false, false, true])
    await doStep(app, 'console_sessions')
    const { rows } = await ask('select id from console_sessions where id = any ($1)', [[old.id, live.id]])
    expect(rows.map(({ id }) => Number(id))).toEqual([live.id])
  })

  it('notes that it is used, at most once a minute', async () => {
    const { id, browser } = await asOperator()
    const lastUsed = async () =>
      (await ask('select last_used_at::text as at from console_sessions where id = $1', [id])).rows[0].at
    await age(id, 'last_used_at', '50 seconds')
    const begun = await lastUsed()
    await browser.get('/me')
    expect(await lastUsed()).toBe(begun)
    await age(id, 'last_used_at', '30 minutes')
    await browser.get('/me')
    await until(async () => (await lastUsed()) > begun)
  })
})

it('DELETE /admin/v1/sessions/current ends the session, has the browser forget it, and leaves the token', async () => {
  const company = await app.diwan.company()
  const session = await signIn(app.diwan, { token: company.ownerToken })
  const { id } = session
  const answer = await session.browser.delete('/sessions/current')
  expect([answer.status, answer.body]).toEqual([200, { data: { deleted: true, session: { id } } }])
  expect(answer.headers.get('set-cookie')).toBe('diwan_session=; HttpOnly; SameSite=Strict; Path=/admin/v1; Max-Age=0')
  expect([await statusOf(session), (await company.admin.get('')).status]).toEqual([401, 200])
  const [entry] = await audited(company, 'sessions:destructive')
  expect(entry).toMatchObject({ by: { kind: 'person' }, target: { type: 'session', id, name: 'Owner token' } })
})

describe("A person's sessions", () => {
  it('are listed to the person and to leaders, without their secrets', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const agent = { 'user-agent': 'A browser', 'x-forwarded-for': '192.0.2.7' }
    const { id, browser } = await signIn(app.diwan, { token: person.token }, agent)
    await signIn(app.diwan, { token: company.ownerToken })
    const session = {
      id,
      created_at: INSTANT,
      last_used_at: INSTANT,
      expires_at: INSTANT,
      user_agent: 'A browser',
      address: '192.0.2.7',
      token: { id: expect.any(Number), name: 'Test' },
      sign_in_link: null,
      current: true,
    }
    const meta = { total: 1, limit: 50, offset: 0, count: 1, next_cursor: null }
    const path = `/users/${person.id}/sessions`
    expect((await browser.get(`/companies/${company.id}${path}`)).body).toEqual({ data: [session], meta })
    expect((await company.admin.get(path)).body).toEqual({ data: [{ ...session, current: false }], meta })
  })

  it('are ended by the person and by leaders, those of an owner by an owner or the operator', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const member = await app.diwan.person(company.id)
    const sessions = []
    for (const token of [company.ownerToken, manager.token, member.token])
      sessions.push(await signIn(app.diwan, { token }))
    const [owners, managers, members] = sessions as [SignedIn, SignedIn, SignedIn]
    const foreign = await signIn(app.diwan, { token: (await app.diwan.company()).ownerToken })
    const operators = await asOperator()
    const end = async (client: Client, user: { id: number }, { id }: SignedIn) =>
      (await client.delete(`/users/${user.id}/sessions/${id}`)).status
    expect(await end(manager.admin, company.owner, owners)).toBe(403)
    expect(await end(member.admin, manager, managers)).toBe(403)
    for (const other of [members, foreign, operators]) expect(await end(company.admin, company.owner, other)).toBe(404)
    expect((await app.diwan.operator.delete(`/sessions/${foreign.id}`)).status).toBe(404)
    expect([await end(manager.admin, member, members), await statusOf(members)]).toEqual([200, 401])
    expect([await end(company.admin, manager, managers), await statusOf(managers)]).toEqual([200, 401])
    const byOperator = app.diwan.admin(company.id, OPERATOR_TOKEN)
    expect([await end(byOperator, company.owner, owners), await statusOf(owners)]).toEqual([200, 401])
    expect(await end(company.admin, company.owner, owners)).toBe(404)
    expect([await statusOf(foreign), await statusOf(operators)]).toEqual([200, 200])
  })
})

it("The operator's sessions are listed to the operator and ended one by one", async () => {
  const [one, two] = [await asOperator(), await asOperator()]
  const { data } = (await one.browser.get('/sessions?limit=100')).body
  const shown = (id: number) => data.find((each: { id: number }) => each.id === id)
  expect(shown(one.id)).toMatchObject({ current: true, token: null })
  expect(shown(two.id)).toMatchObject({ current: false, token: null })
  const ended = await one.browser.delete(`/sessions/${two.id}`)
  expect([ended.status, ended.headers.get('set-cookie'), await statusOf(two)]).toEqual([200, null, 401])
  expect(cookieIn(await one.browser.delete(`/sessions/${one.id}`))).toBe('diwan_session=')
  expect(await statusOf(one)).toBe(401)
})
