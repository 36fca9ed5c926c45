import { describe, expect, it } from 'vitest'
import { createMemoryBurst } from '../../src/adapters/burst-memory.ts'
import { createSignIn } from '../../src/http/requests/sign-in.ts'
import { OPERATOR_TOKEN, SERVER_SECRET, useApp } from '../support/app.ts'
import { browserWith, cookieIn, signIn } from '../support/console.ts'
import type { TestCompany } from '../support/diwan.ts'
import { until } from '../support/servers.ts'

const app = useApp({ trustProxy: 'loopback' })

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const NOT_FOUND = { error: { code: 'not_found', message: 'The record was not found.' } }
const HOUR_MS = 3_600_000

const ask = (query: string, values: unknown[] = []) => app.database.pool.query(query, values)

/** Moves a session back in time. */
const age = (id: number, column: 'last_used_at' | 'expires_at', interval: string) =>
  ask(`update console_sessions set ${column} = ${column} - $2::interval where id = $1`, [id, interval])

async function audited({ admin }: TestCompany, operation: string) {
  return (await admin.get(`/audit?operation=${operation}`)).body.data
}

describe('POST /admin/v1/sessions', () => {
  it('exchanges a personal token for a cookie, and tells what GET /me tells', async () => {
    const company = await app.diwan.company()
    const { answer, browser } = await signIn(app.diwan, { token: company.ownerToken })
    const cookie = answer.headers.get('set-cookie') as string
    expect(cookie).toMatch(
      /^diwan_session=svc_ses_[0-9A-Za-z]{49}; HttpOnly; SameSite=Strict; Path=\/admin\/v1; Max-Age=43200$/,
    )
    const { session, ...me } = answer.body.data
    expect(session).toEqual({ id: expect.any(Number), created_at: INSTANT, expires_at: INSTANT, idle_until: INSTANT })
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(12 * HOUR_MS)
    expect(Date.parse(session.idle_until) - Date.parse(session.created_at)).toBe(HOUR_MS)
    const asToken = (await app.diwan.client('/admin/v1', company.ownerToken).get('/me')).body.data
    expect(asToken).toEqual({ ...me, session: null })
    expect((await browser.get('/me')).body.data).toEqual({ ...me, session })
  })

  it('exchanges the operator token too', async () => {
    const { answer, browser } = await signIn(app.diwan, { token: OPERATOR_TOKEN })
    expect(answer.body.data).toMatchObject({ kind: 'operator', user: null, company: null })
    expect((await browser.get('/companies')).status).toBe(200)
    expect((await browser.post('/companies', {})).status).toBe(422)
  })

  it.each([
    [{ 'x-forwarded-proto': 'https' }, true],
    [{ 'x-forwarded-proto': 'http' }, false],
    [{}, false],
  ])('marks the cookie Secure when the request came by TLS: %j', async (headers, isSecure) => {
    const { answer } = await signIn(app.diwan, { token: OPERATOR_TOKEN }, headers as Record<string, string>)
    expect(answer.headers.get('set-cookie')?.endsWith('; Secure')).toBe(isSecure)
  })

  describe('behind a proxy that is not trusted', () => {
    const [plain, published] = [useApp(), useApp({ publicUrl: 'https://diwan.example.com' })]

    it('believes no header, and takes the address that people use for it', async () => {
      const headers = { 'x-forwarded-proto': 'https' }
      const believed = await signIn(plain.diwan, { token: OPERATOR_TOKEN }, headers)
      expect(believed.answer.headers.get('set-cookie')).not.toContain('Secure')
      const { answer } = await signIn(published.diwan, { token: OPERATOR_TOKEN })
      expect(answer.headers.get('set-cookie')).toMatch(/; Secure$/)
    })
  })

  it.each([
    [{}, 422],
    [{ token: 'x', code: 'y' }, 422],
    [{ token: 5 }, 422],
    [{ token: 'x'.repeat(1_001) }, 422],
    [{ token: 'svc_wrong' }, 401],
    [{ token: '' }, 401],
    [{ code: 'svc_link_wrong' }, 401],
  ])('answers %j with %i and sets no cookie', async (body, status) => {
    const answer = await app.diwan.client('/admin/v1').post('/sessions', body)
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([status, null])
  })

  it('takes no API key, no other session and no token of somebody who was deactivated', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const { cookie } = await signIn(app.diwan, { token: person.token })
    await company.admin.patch(`/users/${person.id}`, { active: false })
    for (const token of [company.key, cookie.split('=')[1] as string, person.token])
      expect((await app.diwan.client('/admin/v1').post('/sessions', { token })).status).toBe(401)
  })

  it.each(['/sessions', '/invitations/accept'])(
    'takes no large body from anybody, nor does its like: %s',
    async path => {
      const send = (characters: number) =>
        app.diwan.client('/admin/v1', '').post(path, { code: 'x'.repeat(characters) })
      expect((await send(7_000)).body.error.message).toContain('code')
      const { status, body } = await send(9_000)
      expect([status, body.error.message]).toEqual([422, 'body is too large'])
    },
  )

  it('refuses a page of another site, whatever it brings', async () => {
    const answer = await app.diwan
      .client('/admin/v1')
      .post('/sessions', { token: OPERATOR_TOKEN }, { 'sec-fetch-site': 'cross-site' })
    expect([answer.status, answer.body.error.code, answer.headers.get('set-cookie')]).toEqual([403, 'forbidden', null])
  })

  it('stores neither the secret nor the token', async () => {
    const company = await app.diwan.company()
    const { cookie } = await signIn(app.diwan, { token: company.ownerToken })
    const { rows } = await ask('select * from console_sessions')
    const stored = JSON.stringify(rows.map(row => Object.values(row).map(value => String(value))))
    expect(stored).not.toContain(cookie.slice(-20))
    expect(stored).not.toContain(company.ownerToken.slice(-20))
  })

  it('is kept in the audit of the company, or for the operator in that of the service', async () => {
    const company = await app.diwan.company()
    const { id } = await signIn(app.diwan, { token: company.ownerToken })
    const [entry] = await audited(company, 'sessions:write')
    expect(entry).toMatchObject({
      outcome: 'allowed',
      method: 'POST',
      path: '/admin/v1/sessions',
      status: 201,
      by: { kind: 'person', id: company.owner.id },
      target: { type: 'session', id, name: 'Owner token' },
    })
    const operators = await signIn(app.diwan, { token: OPERATOR_TOKEN })
    const [ofService] = (await app.diwan.operator.get('/audit?operation=sessions:write')).body.data
    expect(ofService).toMatchObject({ by: { kind: 'operator' }, target: { type: 'session', id: operators.id } })
    await operators.browser.delete('/sessions/current')
    const [ended] = (await app.diwan.operator.get('/audit?operation=sessions:destructive')).body.data
    expect(ended).toMatchObject({ by: { kind: 'operator' }, target: { type: 'session', id: operators.id } })
  })

  it('ends the oldest of a token when it has 20 already, and none of another token', async () => {
    const company = await app.diwan.company()
    const other = await app.diwan.person(company.id)
    const others = await signIn(app.diwan, { token: other.token })
    const sessions = []
    for (let n = 0; n < 21; n++) sessions.push(await signIn(app.diwan, { token: company.ownerToken }))
    const statuses = await Promise.all(sessions.map(async ({ browser }) => (await browser.get('/me')).status))
    expect(statuses).toEqual([401, ...Array(20).fill(200)])
    expect((await others.browser.get('/me')).status).toBe(200)
    const { data } = (await company.admin.get(`/users/${company.owner.id}/sessions`)).body
    expect(data.map(({ id }: { id: number }) => id)).toEqual(sessions.slice(1).map(({ id }) => id))
    const entries = await audited(company, 'sessions:write')
    expect(
      entries
        .slice(0, 2)
        .map(({ target }: { target: { id: number } }) => target.id)
        .sort(),
    ).toEqual([sessions[0]?.id, sessions[20]?.id].sort())
  })

  it('leaves 20 of a token however many begin at once', async () => {
    const company = await app.diwan.company()
    await Promise.all(Array.from({ length: 26 }, () => signIn(app.diwan, { token: company.ownerToken })))
    expect((await company.admin.get(`/users/${company.owner.id}/sessions`)).body.meta.total).toBe(20)
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
    expect((await browser.post(`${below}/keys`, { name: 'x', access: 'read' })).status).toBe(403)
    const elsewhere = await app.diwan.company()
    expect((await browser.get(`/companies/${elsewhere.id}`)).body).toEqual(NOT_FOUND)
  })

  it('is not looked at where an Authorization header is, whatever that says', async () => {
    const company = await app.diwan.company()
    const { browser } = await signIn(app.diwan, { token: OPERATOR_TOKEN })
    const authorization = (text: string) => ({ authorization: text })
    const asOwner = await browser.get('/me', authorization(`Bearer ${company.ownerToken}`))
    expect(asOwner.body.data).toMatchObject({ kind: 'person', session: null })
    for (const text of ['Bearer svc_wrong', 'Basic x', ''])
      expect([text, (await browser.get('/me', authorization(text))).status]).toEqual([text, 401])
  })

  it('opens neither the API nor the metrics', async () => {
    const company = await app.diwan.company()
    const { cookie } = await signIn(app.diwan, { token: company.ownerToken })
    const operators = await signIn(app.diwan, { token: OPERATOR_TOKEN })
    expect((await browserWith(app.diwan, cookie, '/api/v1').get('/me')).status).toBe(401)
    const secret = { authorization: `Bearer ${cookie.split('=')[1]}` }
    expect((await app.diwan.client('/api/v1').get('/me', secret)).status).toBe(401)
    expect((await app.diwan.client('/admin/v1').get('/me', secret)).status).toBe(401)
    const metrics = browserWith(app.diwan, operators.cookie, '').get('/metrics', { 'x-forwarded-for': '192.0.2.1' })
    expect((await metrics).status).toBe(404)
  })

  it.each(['POST', 'PATCH', 'DELETE'])(
    'does nothing by %s without the header that only our page sends',
    async method => {
      const company = await app.diwan.company()
      const { cookie } = await signIn(app.diwan, { token: company.ownerToken })
      const address = `/companies/${company.id}${method === 'POST' ? '/users' : method === 'DELETE' ? '/keys/1' : ''}`
      for (const headers of [{}, { 'x-diwan-console': '0' }] as Record<string, string>[]) {
        const { status, body } = await app.diwan
          .client('/admin/v1')
          .send(method, address, { headers: { cookie, ...headers } })
        expect([status, body.error.code, body.error.message]).toEqual([
          403,
          'forbidden',
          expect.stringContaining('X-Diwan-Console: 1'),
        ])
      }
      const [denial] = (await company.admin.get('/audit?outcome=denied')).body.data
      expect(denial).toMatchObject({ method, by: { kind: 'person', id: company.owner.id } })
    },
  )

  it('is refused to a page of another site, reads included, and the denial of an operator is kept too', async () => {
    const { browser } = await signIn(app.diwan, { token: OPERATOR_TOKEN })
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

  it('goes with its token, and with no other', async () => {
    const company = await app.diwan.company()
    const path = `/users/${company.owner.id}/tokens`
    const second = (await company.admin.post(path, { name: 'Second' })).body.data
    const [one, two] = [
      await signIn(app.diwan, { token: company.ownerToken }),
      await signIn(app.diwan, { token: second.token }),
    ]
    await company.admin.delete(`${path}/${second.id}`)
    expect([(await one.browser.get('/me')).status, (await two.browser.get('/me')).status]).toEqual([200, 401])
  })

  it('does not work while its person is not active', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const { browser } = await signIn(app.diwan, { token: person.token })
    const statuses = []
    for (const active of [false, true]) {
      await company.admin.patch(`/users/${person.id}`, { active })
      statuses.push((await browser.get('/me')).status)
    }
    expect(statuses).toEqual([401, 200])
  })

  it('of the operator ends when the operator token is another one', async () => {
    const { id, browser } = await signIn(app.diwan, { token: OPERATOR_TOKEN })
    const failures = createMemoryBurst(1_000)
    const { operatorDigest } = createSignIn({ failures, serverSecret: SERVER_SECRET, operatorToken: 'another-one' })
    await ask('update console_sessions set operator_digest = $2 where id = $1', [id, operatorDigest])
    expect((await browser.get('/me')).status).toBe(401)
    const { data } = (await app.diwan.operator.get('/sessions?limit=100')).body
    expect(data.map((session: { id: number }) => session.id)).not.toContain(id)
  })

  it('ends after 12 hours, however much it is used, and after an hour without use', async () => {
    const [old, idle] = [
      await signIn(app.diwan, { token: OPERATOR_TOKEN }),
      await signIn(app.diwan, { token: OPERATOR_TOKEN }),
    ]
    await age(old.id, 'expires_at', '11 hours 59 minutes')
    await age(idle.id, 'last_used_at', '59 minutes')
    expect([(await old.browser.get('/me')).status, (await idle.browser.get('/me')).status]).toEqual([200, 200])
    await age(old.id, 'expires_at', '1 minute')
    await age(idle.id, 'last_used_at', '2 hours')
    expect([(await old.browser.get('/me')).status, (await idle.browser.get('/me')).status]).toEqual([401, 401])
    const { data } = (await app.diwan.operator.get('/sessions?limit=100')).body
    for (const { id } of [old, idle]) expect(data.map((session: { id: number }) => session.id)).not.toContain(id)
  })

  it('notes that it is used, at most once a minute', async () => {
    const { id, browser } = await signIn(app.diwan, { token: OPERATOR_TOKEN })
    const lastUsed = async () =>
      (await ask('select last_used_at::text as at from console_sessions where id = $1', [id])).rows[0].at
    const begun = await lastUsed()
    await browser.get('/me')
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(await lastUsed()).toBe(begun)
    await age(id, 'last_used_at', '30 minutes')
    await browser.get('/me')
    await until(async () => (await lastUsed()) > begun)
  })
})

describe('DELETE /admin/v1/sessions/current', () => {
  it('ends the session and has the browser forget it', async () => {
    const company = await app.diwan.company()
    const { id, browser } = await signIn(app.diwan, { token: company.ownerToken })
    const answer = await browser.delete('/sessions/current')
    expect([answer.status, answer.body]).toEqual([200, { data: { deleted: true, session: { id } } }])
    expect(answer.headers.get('set-cookie')).toBe(
      'diwan_session=; HttpOnly; SameSite=Strict; Path=/admin/v1; Max-Age=0',
    )
    expect((await browser.get('/me')).status).toBe(401)
    expect((await company.admin.get('')).status).toBe(200)
    const [entry] = await audited(company, 'sessions:destructive')
    expect(entry).toMatchObject({ by: { kind: 'person' }, target: { type: 'session', id, name: 'Owner token' } })
  })

  it('finds none with a token', async () => {
    expect((await app.diwan.operator.delete('/sessions/current')).body).toEqual(NOT_FOUND)
  })
})

describe("A person's sessions", () => {
  it('are listed to the person and to leaders, without their secrets', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const agent = { 'user-agent': 'A browser', 'x-forwarded-for': '192.0.2.7' }
    const { id, cookie, browser } = await signIn(app.diwan, { token: person.token }, agent)
    await signIn(app.diwan, { token: company.ownerToken })
    const path = `/companies/${company.id}/users/${person.id}/sessions`
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
    expect((await browser.get(path)).body).toEqual({ data: [session], meta })
    const shown = (await company.admin.get(`/users/${person.id}/sessions`)).body
    expect(shown).toEqual({ data: [{ ...session, current: false }], meta })
    expect(JSON.stringify(shown)).not.toContain(cookie.slice(-20))
    const colleague = await app.diwan.person(company.id)
    expect((await colleague.admin.get(`/users/${person.id}/sessions`)).status).toBe(403)
  })

  it('are ended by the person and by leaders, those of an owner by an owner or the operator', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const member = await app.diwan.person(company.id)
    const path = (user: { id: number }, session: { id: number }) => `/users/${user.id}/sessions/${session.id}`
    const [owners, managers, members] = [
      await signIn(app.diwan, { token: company.ownerToken }),
      await signIn(app.diwan, { token: manager.token }),
      await signIn(app.diwan, { token: member.token }),
    ]
    expect((await manager.admin.delete(path(company.owner, owners))).status).toBe(403)
    expect((await member.admin.delete(path(manager, managers))).status).toBe(403)
    expect((await manager.admin.delete(path(company.owner, members))).body).toEqual(NOT_FOUND)
    expect((await manager.admin.delete(path(member, members))).status).toBe(200)
    expect((await members.browser.get('/me')).status).toBe(401)
    expect((await company.admin.delete(path(manager, managers))).status).toBe(200)
    expect((await managers.browser.get('/me')).status).toBe(401)
    expect((await app.diwan.operator.delete(`/companies/${company.id}${path(company.owner, owners)}`)).status).toBe(200)
    expect((await owners.browser.get('/me')).status).toBe(401)
    expect((await company.admin.delete(path(company.owner, owners))).body).toEqual(NOT_FOUND)
  })

  it("are not those of the operator, nor another company's", async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    const foreign = await signIn(app.diwan, { token: elsewhere.ownerToken })
    const operators = await signIn(app.diwan, { token: OPERATOR_TOKEN })
    for (const { id } of [foreign, operators]) {
      expect((await company.admin.delete(`/users/${company.owner.id}/sessions/${id}`)).status).toBe(404)
    }
    expect((await app.diwan.operator.delete(`/sessions/${foreign.id}`)).status).toBe(404)
    expect([(await foreign.browser.get('/me')).status, (await operators.browser.get('/me')).status]).toEqual([200, 200])
  })
})

describe("The operator's sessions", () => {
  it('are listed to the operator and ended one by one', async () => {
    const [one, two] = [
      await signIn(app.diwan, { token: OPERATOR_TOKEN }),
      await signIn(app.diwan, { token: OPERATOR_TOKEN }),
    ]
    const { data } = (await one.browser.get('/sessions?limit=100')).body
    expect(data.find(({ id }: { id: number }) => id === one.id)).toMatchObject({ current: true, token: null })
    expect(data.find(({ id }: { id: number }) => id === two.id)).toMatchObject({ current: false, token: null })
    const ended = await one.browser.delete(`/sessions/${two.id}`)
    expect([ended.status, ended.headers.get('set-cookie')]).toEqual([200, null])
    expect((await two.browser.get('/me')).status).toBe(401)
    expect(cookieIn(await one.browser.delete(`/sessions/${one.id}`))).toBe('diwan_session=')
    expect((await one.browser.get('/me')).status).toBe(401)
  })
})
