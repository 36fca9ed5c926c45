import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOidc } from '../../src/adapters/oidc.ts'
import { type TestApp, useOwnApp } from '../support/app.ts'
import { browserWith } from '../support/console.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { type Account, startProvider, type TestProvider } from '../support/identity-provider.ts'
import { expectRefusal } from '../support/refusal.ts'

const PUBLIC_URL = 'https://diwan.example.com'
const CALLBACK = `${PUBLIC_URL}/sign-in/callback`

const provider: TestProvider = await startProvider([CALLBACK])
afterAll(() => provider.stop())

const app = useOwnApp({ publicUrl: PUBLIC_URL, oidc: provider.settings })
const requiring = useOwnApp({ publicUrl: PUBLIC_URL, oidc: { ...provider.settings, isRequired: true } })

beforeEach(() => {
  vi.useRealTimers()
  provider.alter = undefined
  provider.isForged = false
  provider.trouble = undefined
})

let people = 0
/** An account at the provider. */
function account(told: Account = {}): { id: string; email: string } {
  const id = `account-${++people}`
  const email = `person.${people}@example.com`
  provider.accounts.set(id, { email, email_verified: true, ...told })
  return { id, email }
}

/** Cookies as a browser keeps them, whatever host or path they are for: the tests have several hosts on one address. */
class Jar {
  readonly cookies = new Map<string, string>()

  keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] as string).split('=')
      if (value === '' || /expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }

  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

async function go(jar: Jar, url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie: jar.header } })
  jar.keep(response)
  return response
}

const locationOf = (response: Response) => response.headers.get('location') ?? ''
/** Where the callback really is. */
const here = (url: string, at: TestApp = app) => url.replace(PUBLIC_URL, at.url)

interface Way {
  /** With us, and with the provider. */
  jar: Jar
  theirs: Jar
}
const newWay = (): Way => ({ jar: new Jar(), theirs: new Jar() })

/** Begins, and answers at the provider. Returns the URL that the provider sends the browser to. */
async function atProvider(way: Way, id: string, at: TestApp = app, body = new URLSearchParams({ account: id })) {
  const begun = await go(way.jar, `${at.url}/sign-in`)
  expect(begun.status).toBe(303)
  let url = locationOf(begun)
  for (let step = 0; step < 10 && !url.startsWith(PUBLIC_URL); step++) {
    const isForm = new URL(url, provider.issuer).pathname.startsWith('/interaction/')
    const answer = await go(way.theirs, new URL(url, provider.issuer).href, isForm ? { method: 'POST', body } : {})
    url = locationOf(answer)
    if (url === '') throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`)
  }
  return url
}

/** The way to the provider and back. */
async function arrive(id: string, at: TestApp = app, way = newWay()) {
  const back = await go(way.jar, here(await atProvider(way, id, at), at))
  return { ...way, outcome: locationOf(back) }
}

const consoleOf = (jar: Jar, at: TestApp = app) => browserWith(at.diwan, jar.header)

/** Also the last step, which the console makes. */
async function enter(id: string, companyId: number, at: TestApp = app) {
  const { jar, outcome } = await arrive(id, at)
  expect(outcome).toBe('/console#sign-in=done')
  const answer = await consoleOf(jar, at).post('/sessions', { company_id: companyId })
  for (const line of answer.headers.getSetCookie()) jar.keep(new Response(null, { headers: { 'set-cookie': line } }))
  return { answer, jar, browser: consoleOf(jar, at) }
}

/** A person with an account whose address is theirs. */
async function linkable(role = 'member', company?: TestCompany) {
  const own = company ?? (await app.diwan.company())
  const { id, email } = account()
  const person = (await own.admin.post('/users', { name: 'Layla', email })).body.data
  if (role !== 'member') await app.diwan.operator.patch(`/companies/${own.id}/users/${person.id}`, { role })
  return { company: own, person, account: id, email }
}

const audited = async (company: TestCompany, operation: string) =>
  (await company.admin.get(`/audit?operation=${operation}`)).body.data
const linksOf = async ({ admin }: TestCompany, { id }: { id: number }) =>
  (await admin.get(`/users/${id}/sign-in-links`)).body.data
const shownTo = async (jar: Jar) => (await consoleOf(jar).get('/sign-in')).body.data
const beginAs = (jar: Jar, { id }: { id: number }) => consoleOf(jar).post('/sessions', { company_id: id })
const statusAs = async (id: string, company: { id: number }) => (await enter(id, company.id)).answer.status

const DONE = '/console#sign-in=done'
const AGAIN = '/console#sign-in=again'
const FAILED = '/console#sign-in=failed'
const DEAD = '/console#sign-in=unreachable'

describe('Signing in with the identity provider', () => {
  it('is offered by name to whoever is not signed in, and sends the browser there with state, nonce and PKCE, kept where only that browser has them', async () => {
    // Nothing that is asked for leads elsewhere.
    const begun = await go(new Jar(), `${app.url}/sign-in?redirect_uri=//evil.example.com&return_to=//evil.example.com`)
    const { searchParams, origin } = new URL(locationOf(begun))
    const random = expect.stringMatching(/^[\w-]{43}$/)
    expect([origin, Object.fromEntries(searchParams)]).toEqual([
      provider.issuer,
      {
        client_id: 'diwan',
        response_type: 'code',
        redirect_uri: CALLBACK,
        scope: 'openid email profile',
        code_challenge: random,
        code_challenge_method: 'S256',
        state: random,
        nonce: random,
      },
    ])
    const [cookie = ''] = begun.headers.getSetCookie()
    expect(cookie).toMatch(
      /^diwan_sign_in_[\w-]{12}=[\w-]+; HttpOnly; SameSite=Lax; Path=\/sign-in; Max-Age=600; Secure$/,
    )
    const sealed = Buffer.from(cookie.split(/[=;]/)[1] as string, 'base64url').toString()
    expect(sealed).not.toContain(searchParams.get('nonce'))
    expect(begun.headers.get('cache-control')).toBe('no-store')
    expect(await shownTo(new Jar())).toEqual({
      identity_provider: { name: 'Najd account', url: `${PUBLIC_URL}/sign-in`, may_be_required: false },
      identity: null,
      people: [],
    })
  })

  it('begins a session as a token does, for the person who has the verified address, and voids their invitation', async () => {
    const { company, person, account, email } = await linkable()
    const { answer, browser } = await enter(account, company.id)
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({ kind: 'person', user: { id: person.id }, company: { id: company.id } })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^diwan_session=svc_ses_\w+; HttpOnly; SameSite=Strict; Path=\/admin\/v1; Max-Age=43200; Secure$/,
      ),
      'diwan_identity=; HttpOnly; SameSite=Strict; Path=/admin/v1; Max-Age=0; Secure',
    ])
    const link = { id: expect.any(Number), issuer: provider.issuer, email }
    const [session] = (await company.admin.get(`/users/${person.id}/sessions`)).body.data
    expect(session).toMatchObject({ token: null, sign_in_link: link })
    const { data } = (await browser.get(`/companies/${company.id}/users/${person.id}/sign-in-links`)).body
    expect(data).toEqual([
      { ...link, subject: account, created_at: expect.any(String), last_used_at: expect.any(String) },
    ])
    const by = { kind: 'person', id: person.id, name: 'Layla' }
    expect(await audited(company, 'sessions:write')).toMatchObject([
      { target: { type: 'session', id: session.id, name: email }, by },
      { target: { type: 'sign_in_link', id: data[0].id, name: email }, by },
    ])
    const accepted = await app.diwan.client('/admin/v1').post('/invitations/accept', { code: person.invitation.code })
    expect(accepted.status).toBe(401)
  })

  it('takes an address in any case, or by the word of Entra, and none that is not verified or looks alike', async () => {
    const company = await app.diwan.company()
    for (const [n, [told, status]] of (
      [
        [{ email: 'NAME.0@Example.com' }, 201],
        [{ email_verified: undefined, xms_edov: true }, 201],
        [{ email_verified: false }, 401],
        [{ email_verified: undefined }, 401],
        [{ email_verified: 'true' as never }, 401],
        [{ email: undefined }, 401],
        // With the sign for Kelvin, which is k in lower case.
        [{ email: 'mi\u212ae.6@example.com' }, 401],
      ] as [Account, number][]
    ).entries()) {
      const email = n === 6 ? 'mike.6@example.com' : `name.${n}@example.com`
      await company.admin.post('/users', { name: 'Layla', email })
      const { id } = account({ email, ...told })
      expect([told, await statusAs(id, company)]).toEqual([told, status])
    }
  })

  it('creates nobody: an address that no person has gets a page that says so', async () => {
    const { id, email } = account()
    const company = await app.diwan.company()
    const { jar } = await arrive(id)
    expect(await shownTo(jar)).toMatchObject({ identity: { email, email_verified: true }, people: [] })
    for (const company_id of [company.id, 0, -1]) {
      const refused = await consoleOf(jar).post('/sessions', { company_id })
      expect([refused.status, refused.headers.get('set-cookie')]).toEqual([401, null])
    }
    expect((await company.admin.get('/users')).body.meta.total).toBe(1)
  })

  it('lets a person choose whose address is in two companies, once, and leads into no third and no sandbox', async () => {
    const { company, account, email } = await linkable()
    const [second, third] = [await app.diwan.company(), await app.diwan.company()]
    await second.admin.post('/users', { name: 'Layla elsewhere', email })
    const sandbox = (await created(company.admin.post('/sandbox'))).data
    await created(app.diwan.admin(sandbox.id, sandbox.owner_token).post('/users', { name: 'Layla at play', email }))
    const { jar } = await arrive(account)
    expect((await shownTo(jar)).people).toMatchObject([
      { company: { id: company.id }, user: { name: 'Layla', email } },
      { company: { id: second.id }, user: { name: 'Layla elsewhere', email } },
    ])
    const statuses = []
    for (const each of [third, sandbox]) statuses.push((await beginAs(jar, each)).status)
    const entered = await Promise.all([second, second, second].map(each => beginAs(jar, each)))
    statuses.push(...entered.map(({ status }) => status).sort(), (await beginAs(jar, company)).status)
    expect(statuses).toEqual([401, 401, 201, 401, 401, 401])
    expect(entered.find(({ status }) => status === 201)?.body.data.company.id).toBe(second.id)
  })
})

describe('A link with the identity provider', () => {
  it('holds when the address changes there, and keeps out whoever is given it later, until it is undone', async () => {
    const { company, person, account: first, email } = await linkable()
    const { browser } = await enter(first, company.id)
    provider.accounts.set(first, { email: 'left@example.com', email_verified: false })
    expect((await enter(first, company.id)).answer.body.data.user.id).toBe(person.id)
    const { id: successor } = account({ email })
    expect(await statusAs(successor, company)).toBe(401)
    const [{ id, email: told }] = await linksOf(company, person)
    const path = `/users/${person.id}/sign-in-links/${id}`
    const answer = await company.admin.delete(path)
    expect([told, answer.body]).toEqual(['left@example.com', { data: { deleted: true, sign_in_link: { id } } }])
    expect((await browser.get('/me')).status).toBe(401)
    const [entry] = await audited(company, 'sign_in_links:destructive')
    expect(entry.target).toEqual({ type: 'sign_in_link', id, name: told })
    expectRefusal(await company.admin.delete(path), 404, 'not_found')
    expect([await statusAs(successor, company), await statusAs(first, company)]).toEqual([201, 401])
  })

  it('of an owner is not undone by a manager, nor found under another person', async () => {
    const { company, person, account } = await linkable('owner')
    await enter(account, company.id)
    const [{ id }] = await linksOf(company, person)
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    expectRefusal(await manager.admin.delete(`/users/${person.id}/sign-in-links/${id}`), 403, 'forbidden')
    expectRefusal(await company.admin.delete(`/users/${manager.id}/sign-in-links/${id}`), 404, 'not_found')
  })

  it('ends with everything else when the person gains rights or another address', async () => {
    const { company, person, account } = await linkable()
    for (const change of [{ role: 'manager' }, { email: `${account}@example.org` }]) {
      const { browser } = await enter(account, company.id)
      await company.admin.patch(`/users/${person.id}`, change)
      expect([(await browser.get('/me')).status, await linksOf(company, person)]).toEqual([401, []])
    }
  })

  it('is not to be had by a manager who gives another person an address of their own', async () => {
    const { company, person, account } = await linkable()
    await enter(account, company.id)
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const owner = await app.diwan.person(company.id, { role: 'owner' })
    const statuses = []
    for (const [{ admin }, { id }] of [
      [manager, person],
      [company, owner],
      [company, person],
    ] as const)
      statuses.push((await admin.patch(`/users/${id}`, { email: `mine.${id}@example.com` })).status)
    expect(statuses).toEqual([403, 403, 200])
  })

  it('lets nobody in who is dismissed, nor into a closed company', async () => {
    const { company, person, account } = await linkable()
    const { browser } = await enter(account, company.id)
    for (const [active, status, later] of [
      [false, 401, 401],
      [true, 200, 201],
    ] as const) {
      await company.admin.patch(`/users/${person.id}`, { active })
      expect([(await browser.get('/me')).status, await statusAs(account, company)]).toEqual([status, later])
    }
    const { name } = (await company.admin.get('')).body.data
    await app.diwan.operator.post(`/companies/${company.id}/close`, { name })
    expect([(await browser.get('/me')).status, await statusAs(account, company)]).toEqual([404, 401])
  })

  it('may have 20 sessions: when another begins, the oldest ends', async () => {
    const { company, person, account } = await linkable()
    const { browser } = await enter(account, company.id)
    await app.database.pool.query(
      `insert into console_sessions (company_id, link_id, digest, address)
       select company_id, id, sha256(n::text::bytea), '' from sign_in_links, generate_series(1, 19) n where user_id = $1`,
      [person.id],
    )
    expect((await browser.get('/me')).status).toBe(200)
    await enter(account, company.id)
    expect((await browser.get('/me')).status).toBe(401)
    expect((await company.admin.get(`/users/${person.id}/sessions`)).body.meta.total).toBe(20)
  })
})

describe('The way back from the provider', () => {
  it('works once, in the browser that began: neither the state nor the code is taken again, not even with its cookies', async () => {
    const way = newWay()
    const url = here(await atProvider(way, account().id))
    const copy = new Jar()
    for (const [name, value] of way.jar.cookies) copy.cookies.set(name, value)
    const outcomes = []
    for (const jar of [new Jar(), way.jar, way.jar, copy]) outcomes.push(locationOf(await go(jar, url)))
    expect(outcomes).toEqual([AGAIN, DONE, AGAIN, FAILED])
  })

  it('takes no code that was begun by another: a stolen one is of no use', async () => {
    const [victim, thief] = [newWay(), newWay()]
    const stolen = new URL(await atProvider(victim, account().id))
    const own = new URL(await atProvider(thief, account().id))
    own.searchParams.set('code', stolen.searchParams.get('code') as string)
    expect(locationOf(await go(thief.jar, here(own.href)))).toBe(FAILED)
    expect(thief.jar.cookies.has('diwan_identity')).toBe(false)
  })

  it('ends in words and with no identity when it was altered, the cookie was, or the person said no at the provider', async () => {
    for (const [what, alter, outcome] of [
      ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example.com'), FAILED],
      ['no issuer', (url: URL) => url.searchParams.delete('iss'), FAILED],
      ['two issuers', (url: URL) => url.searchParams.append('iss', provider.issuer), FAILED],
      ['another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43)), AGAIN],
      ['no state', (url: URL) => url.searchParams.delete('state'), AGAIN],
      ['two states', (url: URL) => url.searchParams.append('state', 'x'.repeat(43)), FAILED],
      ['a wrong code', (url: URL) => url.searchParams.set('code', 'x'), FAILED],
      ['an altered cookie', (_: URL, text: string) => `${text.slice(0, -2)}AA`, AGAIN],
      ['a cookie that is not ours', () => '%', AGAIN],
    ] as const) {
      const way = newWay()
      const url = new URL(await atProvider(way, account().id))
      const [[name, value]] = [...way.jar.cookies] as [[string, string]]
      const cookie = alter(url, value)
      if (typeof cookie === 'string') way.jar.cookies.set(name, cookie)
      expect([what, locationOf(await go(way.jar, here(url.href)))]).toEqual([what, outcome])
      expect(way.jar.cookies.has('diwan_identity')).toBe(false)
    }
    const way = newWay()
    const url = await atProvider(way, '', app, new URLSearchParams({ refused: '1' }))
    expect(locationOf(await go(way.jar, here(url)))).toBe('/console#sign-in=refused')
  })

  it('is the right one for each of two tabs, and keeps no more than five', async () => {
    const way = newWay()
    const [one, other] = [account(), account()]
    const first = await atProvider(way, one.id)
    // Another account, as in a private window: the provider would remember the first.
    const second = await atProvider({ jar: way.jar, theirs: new Jar() }, other.id)
    for (const [url, { email }] of [
      [second, other],
      [first, one],
    ] as const) {
      expect(locationOf(await go(way.jar, here(url)))).toBe(DONE)
      expect((await shownTo(way.jar)).identity.email).toBe(email)
    }
    const jar = new Jar()
    for (let n = 0; n < 7; n++) await go(jar, `${app.url}/sign-in`)
    expect(jar.cookies.size).toBeLessThanOrEqual(5)
  })

  it('gives a secret that is good for ten minutes, on this surface and page only, and is not stored', async () => {
    const { company, account } = await linkable()
    const { jar } = await arrive(account)
    const secret = jar.cookies.get('diwan_identity') as string
    const { rows } = await app.database.pool.query('select i::text as row from shown_identities i')
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect((await app.diwan.client('/admin/v1', secret).get('/me')).status).toBe(401)
    const elsewhere = { 'sec-fetch-site': 'same-site' }
    const refused = await consoleOf(jar).post('/sessions', { company_id: company.id }, elsewhere)
    expect(refused.status).toBe(403)
    expect((await shownTo(jar)).identity).not.toBeNull()
    await app.database.pool.query(`update shown_identities set expires_at = expires_at - interval '10 minutes'`)
    expect((await beginAs(jar, company)).status).toBe(401)
    const { headers, body } = await consoleOf(jar).get('/sign-in')
    expect([body.data.identity, headers.get('set-cookie')]).toEqual([null, expect.stringContaining('diwan_identity=;')])
  })
})

describe('An identity that the provider signs', () => {
  it('is for this sign-in and this client, by a clock that differs by a minute at most, and signed with a key that the provider has at the moment', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const [claims, outcome] of [
      [{}, DONE],
      [{ exp: now - 20 }, DONE],
      [{ exp: now - 120 }, FAILED],
      [{ nbf: now + 40 }, DONE],
      [{ nbf: now + 300 }, FAILED],
      [{ iss: 'https://evil.example.com' }, FAILED],
      [{ aud: 'another' }, FAILED],
      [{ nonce: 'x'.repeat(43) }, FAILED],
      [{ nonce: undefined }, FAILED],
      [{ sub: undefined }, FAILED],
    ] as const) {
      provider.alter = told => ({ ...told, ...claims })
      expect([claims, (await arrive(account().id)).outcome]).toEqual([claims, outcome])
    }
    provider.isForged = true
    expect((await arrive(account().id)).outcome).toBe(FAILED)
    provider.alter = undefined
    provider.isForged = false
    provider.rotate()
    expect((await arrive(account().id)).outcome).toBe(DONE)
  })
})

describe('A provider', () => {
  const DISCOVERY = '/.well-known/openid-configuration'

  it('is asked what it is like once in some seconds, and is not believed when it is another than it says', async () => {
    const oidc = createOidc(provider.settings, CALLBACK)
    const before = provider.asked.get(DISCOVERY) ?? 0
    vi.useFakeTimers({ toFake: ['performance'] })
    for (let n = 0; n < 3; n++) await oidc.begin()
    expect(provider.asked.get(DISCOVERY)).toBe(before + 1)
    vi.advanceTimersByTime(6_000)
    await oidc.begin()
    vi.useRealTimers()
    expect(provider.asked.get(DISCOVERY)).toBe(before + 2)
    const issuer = provider.issuer.replace('127.0.0.1', 'localhost')
    const mistaken = createOidc({ ...provider.settings, issuer }, CALLBACK)
    await expect(mistaken.begin()).rejects.toMatchObject({ failure: 'unreachable' })
  })

  it('that is in trouble says so, while tokens work, and is found again by itself', async () => {
    const way = newWay()
    const url = here(await atProvider(way, account().id))
    provider.trouble = 503
    expect(locationOf(await go(way.jar, url))).toBe(DEAD)
    expect(locationOf(await go(new Jar(), `${app.url}/sign-in`))).toBe(DEAD)
    const company = await app.diwan.company()
    const answer = await app.diwan.client('/admin/v1').post('/sessions', { token: company.ownerToken })
    expect(answer.status).toBe(201)
    provider.trouble = undefined
    await provider.stop()
    expect(locationOf(await go(new Jar(), `${app.url}/sign-in`))).toBe(DEAD)
    const { parts } = (await app.diwan.operator.get('/health')).body.data
    expect(parts.find(({ name }: { name: string }) => name === 'identity_provider')).toMatchObject({
      state: 'down',
      advice: expect.stringContaining('OIDC_ISSUER'),
    })
    await provider.resume()
    expect(new URL(locationOf(await go(new Jar(), `${app.url}/sign-in`))).origin).toBe(provider.issuer)
  })

  it('that does not answer is given up after some seconds', { tags: 'long' }, async () => {
    provider.trouble = 'silence'
    const begun = createOidc(provider.settings, CALLBACK).begin()
    await expect(begun).rejects.toMatchObject({ failure: 'unreachable' })
  })
})

describe('A company that requires the identity provider', () => {
  let company: TestCompany
  beforeAll(async () => {
    company = await requiring.diwan.company()
  })
  const signIn = (token: string, at = requiring) => at.diwan.client('/admin/v1').post('/sessions', { token })

  it('is made so by an owner, and not by a manager', async () => {
    const manager = await requiring.diwan.person(company.id, { role: 'manager' })
    expectRefusal(await manager.admin.patch('', { require_oidc: true }), 403, 'forbidden')
    expect((await signIn(company.ownerToken)).status).toBe(201)
    const answer = await company.admin.patch('', { require_oidc: true })
    expect([answer.status, answer.body.data.require_oidc]).toEqual([200, true])
    const [entry] = await audited(company, 'companies:write')
    expect(entry.changes).toEqual({ require_oidc: { from: false, to: true } })
  })

  it('lets no person in with a token; programs go on with it, and companies where the operator does not ask', async () => {
    const refused = await signIn(company.ownerToken)
    expectRefusal(
      refused,
      403,
      'forbidden',
      'Your company asks you to sign in with Najd account. Tokens are for programs.',
    )
    expect(refused.headers.get('set-cookie')).toBeNull()
    expect((await requiring.diwan.client('/admin/v1', company.ownerToken).get('/me')).status).toBe(200)
    expect((await signIn((await requiring.diwan.company()).ownerToken)).status).toBe(201)
    const { id, email } = account()
    await company.admin.post('/users', { name: 'Layla', email })
    expect((await enter(id, company.id, requiring)).answer.status).toBe(201)
    const elsewhere = await app.diwan.company()
    await elsewhere.admin.patch('', { require_oidc: true })
    expect((await signIn(elsewhere.ownerToken, app)).status).toBe(201)
  })
})
