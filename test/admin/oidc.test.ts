import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, useOwnApp } from '../support/app.ts'
import { browserWith } from '../support/console.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { type Account, startProvider, type TestProvider } from '../support/identity-provider.ts'

const PUBLIC_URL = 'https://diwan.example.com'
const CALLBACK = `${PUBLIC_URL}/sign-in/callback`

const provider: TestProvider = await startProvider([CALLBACK])
afterAll(() => provider.stop())

const app = useOwnApp({ publicUrl: PUBLIC_URL, oidc: provider.settings })
const requiring = useOwnApp({ publicUrl: PUBLIC_URL, oidc: { ...provider.settings, isRequired: true } })

beforeEach(() => {
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

describe('Signing in with the identity provider', () => {
  it('is offered by name to whoever is not signed in', async () => {
    const { body } = await app.diwan.client('/admin/v1').get('/sign-in')
    expect(body.data).toEqual({
      identity_provider: { name: 'Najd account', url: `${PUBLIC_URL}/sign-in`, may_be_required: false },
      identity: null,
      people: [],
    })
  })

  it('sends the browser there with state, nonce and PKCE, and keeps them where only that browser has them', async () => {
    const begun = await go(new Jar(), `${app.url}/sign-in`)
    const { searchParams, origin } = new URL(locationOf(begun))
    expect(origin).toBe(provider.issuer)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'diwan',
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid email profile',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const [cookie = ''] = begun.headers.getSetCookie()
    expect(cookie).toMatch(
      /^diwan_sign_in_[\w-]{12}=[\w-]+; HttpOnly; SameSite=Lax; Path=\/sign-in; Max-Age=600; Secure$/,
    )
    expect(Buffer.from(cookie.split(/[=;]/)[1] as string, 'base64url').toString()).not.toContain(
      searchParams.get('nonce'),
    )
    expect(begun.headers.get('cache-control')).toBe('no-store')
  })

  it('begins a session as a token does, for the person who has the verified address', async () => {
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
    expect((await browser.get('/me')).body.data.user.id).toBe(person.id)
    const link = { id: expect.any(Number), issuer: provider.issuer, email }
    const [session] = (await company.admin.get(`/users/${person.id}/sessions`)).body.data
    expect(session).toMatchObject({ token: null, sign_in_link: link })
    const { body } = await browser.get(`/companies/${company.id}/users/${person.id}/sign-in-links`)
    expect(body.data).toEqual([
      { ...link, subject: account, created_at: expect.any(String), last_used_at: expect.any(String) },
    ])
    expect((await audited(company, 'sessions:write')).map(({ target, by }: never) => [target, by])).toEqual([
      [
        { type: 'session', id: session.id, name: email },
        { kind: 'person', id: person.id, name: 'Layla' },
      ],
      [
        { type: 'sign_in_link', id: body.data[0].id, name: email },
        { kind: 'person', id: person.id, name: 'Layla' },
      ],
    ])
  })

  it('takes the address in whatever case it is written', async () => {
    const company = await app.diwan.company()
    const { id } = account({ email: 'OMAR.Case@Example.com' })
    await company.admin.post('/users', { name: 'Omar', email: 'Omar.Case@example.com' })
    expect((await enter(id, company.id)).answer.status).toBe(201)
  })

  it('takes no letter for another that it becomes in lower case', async () => {
    const company = await app.diwan.company()
    // The sign for Kelvin.
    const { id } = account({ email: 'mi\u212ae@example.com' })
    await company.admin.post('/users', { name: 'Mike', email: 'mike@example.com' })
    expect((await enter(id, company.id)).answer.status).toBe(401)
  })

  it('creates nobody: an address that no person has gets a page that says so', async () => {
    const { id, email } = account()
    const company = await app.diwan.company()
    const before = (await company.admin.get('/users')).body.meta
    const { jar } = await arrive(id)
    const { body } = await consoleOf(jar).get('/sign-in')
    expect(body.data).toMatchObject({ identity: { email, email_verified: true }, people: [] })
    const refused = await consoleOf(jar).post('/sessions', { company_id: company.id })
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([401, null])
    expect((await company.admin.get('/users')).body.meta).toEqual(before)
  })

  it('never signs in the operator', async () => {
    const { jar } = await arrive(account({ email: 'operator@example.com' }).id)
    for (const company_id of [0, -1]) expect((await consoleOf(jar).post('/sessions', { company_id })).status).toBe(401)
  })

  it.each([
    ['is not verified', { email_verified: false }],
    ['is not said to be verified', { email_verified: undefined }],
    ['is verified in words only', { email_verified: 'true' as never }],
    ['is there no more', { email: undefined }],
  ])('takes no address that %s', async (_, told) => {
    const company = await app.diwan.company()
    const { id, email } = account()
    await company.admin.post('/users', { name: 'Layla', email })
    provider.accounts.set(id, { email, email_verified: true, ...told })
    const { jar } = await arrive(id)
    const { identity, people } = (await consoleOf(jar).get('/sign-in')).body.data
    expect([identity.email_verified, people]).toEqual([false, []])
    expect((await consoleOf(jar).post('/sessions', { company_id: company.id })).status).toBe(401)
  })

  it('takes the word of Entra for an address: that the directory owns its domain', async () => {
    const company = await app.diwan.company()
    const { id, email } = account()
    await company.admin.post('/users', { name: 'Layla', email })
    provider.accounts.set(id, { email, xms_edov: true })
    expect((await enter(id, company.id)).answer.status).toBe(201)
  })

  it('lets a person choose whose address is in two companies, and signs in to no third', async () => {
    const { company, account, email } = await linkable()
    const [second, third] = [await app.diwan.company(), await app.diwan.company()]
    await second.admin.post('/users', { name: 'Layla elsewhere', email })
    const { jar } = await arrive(account)
    const { people } = (await consoleOf(jar).get('/sign-in')).body.data
    expect(people.map(({ company, user }: never) => [(company as { id: number }).id, user])).toEqual([
      [company.id, expect.objectContaining({ name: 'Layla', email })],
      [second.id, expect.objectContaining({ name: 'Layla elsewhere', email })],
    ])
    expect((await consoleOf(jar).post('/sessions', { company_id: third.id })).status).toBe(401)
    const entered = await consoleOf(jar).post('/sessions', { company_id: second.id })
    expect(entered.body.data.company.id).toBe(second.id)
    // Once: the other one needs another sign-in.
    expect((await consoleOf(jar).post('/sessions', { company_id: company.id })).status).toBe(401)
  })

  it('leads into no sandbox: one is entered from its company', async () => {
    const { company, account, email } = await linkable()
    const sandbox = (await created(company.admin.post('/sandbox'))).data
    await created(app.diwan.admin(sandbox.id, sandbox.owner_token).post('/users', { name: 'Layla at play', email }))
    const { jar } = await arrive(account)
    const { people } = (await consoleOf(jar).get('/sign-in')).body.data
    expect(people.map(({ company }: { company: { id: number } }) => company.id)).toEqual([company.id])
    expect((await consoleOf(jar).post('/sessions', { company_id: sandbox.id })).status).toBe(401)
  })

  it('ends open invitations: whoever has such a code is not the person', async () => {
    const { company, person, account } = await linkable()
    await enter(account, company.id)
    const accepted = await app.diwan.client('/admin/v1').post('/invitations/accept', { code: person.invitation.code })
    expect(accepted.status).toBe(401)
  })
})

describe('A link with the identity provider', () => {
  it('holds when the address changes, there or here', async () => {
    const { company, person, account } = await linkable()
    await enter(account, company.id)
    provider.accounts.set(account, { email: 'married@example.com', email_verified: false })
    expect((await enter(account, company.id)).answer.body.data.user.id).toBe(person.id)
    const [link] = (await company.admin.get(`/users/${person.id}/sign-in-links`)).body.data
    expect(link.email).toBe('married@example.com')
  })

  it('keeps out whoever is given the address later, until it is undone', async () => {
    const { company, person, account: first, email } = await linkable()
    await enter(first, company.id)
    provider.accounts.set(first, { email: 'left@example.com', email_verified: true })
    const { id: successor } = account({ email })
    expect((await enter(successor, company.id)).answer.status).toBe(401)
    const [link] = (await company.admin.get(`/users/${person.id}/sign-in-links`)).body.data
    expect((await company.admin.delete(`/users/${person.id}/sign-in-links/${link.id}`)).status).toBe(200)
    expect((await enter(successor, company.id)).answer.status).toBe(201)
    expect((await enter(first, company.id)).answer.status).toBe(401)
  })

  it('that is undone ends its sessions, and is audited', async () => {
    const { company, person, account, email } = await linkable()
    const { browser } = await enter(account, company.id)
    const [{ id }] = (await company.admin.get(`/users/${person.id}/sign-in-links`)).body.data
    const answer = await company.admin.delete(`/users/${person.id}/sign-in-links/${id}`)
    expect(answer.body).toEqual({ data: { deleted: true, sign_in_link: { id } } })
    expect((await browser.get('/me')).status).toBe(401)
    const [entry] = await audited(company, 'sign_in_links:destructive')
    expect(entry.target).toEqual({ type: 'sign_in_link', id, name: email })
    expect((await company.admin.delete(`/users/${person.id}/sign-in-links/${id}`)).status).toBe(404)
  })

  it('of an owner is not undone by a manager, nor one of another person or company by anybody', async () => {
    const { company, person, account } = await linkable('owner')
    await enter(account, company.id)
    const path = `/users/${person.id}/sign-in-links`
    const [{ id }] = (await company.admin.get(path)).body.data
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const asManager = app.diwan.client(`/admin/v1/companies/${company.id}`, manager.token)
    expect((await asManager.delete(`${path}/${id}`)).status).toBe(403)
    expect((await company.admin.delete(`/users/${manager.id}/sign-in-links/${id}`)).status).toBe(404)
    const other = await app.diwan.company()
    expect((await other.admin.delete(`/users/${other.owner.id}/sign-in-links/${id}`)).status).toBe(404)
  })

  it('ends with everything else when the person gains rights or another address', async () => {
    const { company, person, account } = await linkable()
    for (const change of [{ role: 'manager' }, { email: `${account}@example.org` }]) {
      const { browser } = await enter(account, company.id)
      expect((await browser.get('/me')).status).toBe(200)
      await company.admin.patch(`/users/${person.id}`, change)
      expect((await browser.get('/me')).status).toBe(401)
      expect((await company.admin.get(`/users/${person.id}/sign-in-links`)).body.data).toEqual([])
    }
  })

  it('is not to be had by a manager who gives another person an address of their own', async () => {
    const { company, person, account } = await linkable()
    await enter(account, company.id)
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const asManager = app.diwan.client(`/admin/v1/companies/${company.id}`, manager.token)
    expect((await asManager.patch(`/users/${person.id}`, { email: 'mine@example.com' })).status).toBe(403)
    const owner = await app.diwan.person(company.id, { role: 'owner' })
    expect((await company.admin.patch(`/users/${owner.id}`, { email: 'mine@example.com' })).status).toBe(403)
    expect((await company.admin.patch(`/users/${person.id}`, { email: 'new@example.com' })).status).toBe(200)
  })

  it('lets nobody in who was dismissed, and who is dismissed while signed in is out at once', async () => {
    const { company, person, account } = await linkable()
    const { browser } = await enter(account, company.id)
    await company.admin.patch(`/users/${person.id}`, { active: false })
    expect((await browser.get('/me')).status).toBe(401)
    expect((await enter(account, company.id)).answer.status).toBe(401)
    await company.admin.patch(`/users/${person.id}`, { active: true })
    expect((await enter(account, company.id)).answer.status).toBe(201)
  })

  it('lets nobody into a closed company', async () => {
    const { company, account } = await linkable()
    const { browser } = await enter(account, company.id)
    const { name } = (await company.admin.get('')).body.data
    expect((await app.diwan.operator.post(`/companies/${company.id}/close`, { name })).status).toBe(200)
    expect((await browser.get('/me')).status).toBe(404)
    expect((await enter(account, company.id)).answer.status).toBe(401)
  })

  it('may have 20 sessions: when another begins, the oldest ends', async () => {
    const { company, person, account } = await linkable()
    const { browser } = await enter(account, company.id)
    for (let n = 0; n < 20; n++) await enter(account, company.id)
    expect((await browser.get('/me')).status).toBe(401)
    expect((await company.admin.get(`/users/${person.id}/sessions`)).body.meta.total).toBe(20)
  })
})

describe('The way back from the provider', () => {
  const AGAIN = '/console#sign-in=again'
  const FAILED = '/console#sign-in=failed'

  it('works only in the browser that began', async () => {
    const url = await atProvider(newWay(), account().id)
    expect(locationOf(await go(new Jar(), here(url)))).toBe(AGAIN)
  })

  it('works once: neither the state nor the code is taken again, not even with a copy of the cookies', async () => {
    const way = newWay()
    const url = here(await atProvider(way, account().id))
    const copy = new Jar()
    for (const [name, value] of way.jar.cookies) copy.cookies.set(name, value)
    expect(locationOf(await go(way.jar, url))).toBe('/console#sign-in=done')
    expect(locationOf(await go(way.jar, url))).toBe(AGAIN)
    expect(locationOf(await go(copy, url))).toBe(FAILED)
  })

  it('takes no code that was begun by another: a stolen one is of no use', async () => {
    const [victim, thief] = [newWay(), newWay()]
    const stolen = new URL(await atProvider(victim, account().id))
    const own = new URL(await atProvider(thief, account().id))
    own.searchParams.set('code', stolen.searchParams.get('code') as string)
    expect(locationOf(await go(thief.jar, here(own.href)))).toBe(FAILED)
    expect(thief.jar.cookies.has('diwan_identity')).toBe(false)
  })

  it.each([
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example.com'), FAILED],
    ['no issuer', (url: URL) => url.searchParams.delete('iss'), FAILED],
    ['two issuers', (url: URL) => url.searchParams.append('iss', provider.issuer), FAILED],
    ['another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43)), AGAIN],
    ['no state', (url: URL) => url.searchParams.delete('state'), AGAIN],
    ['two states', (url: URL) => url.searchParams.append('state', 'x'.repeat(43)), FAILED],
    ['no code', (url: URL) => url.searchParams.delete('code'), FAILED],
    ['a wrong code', (url: URL) => url.searchParams.set('code', 'x'), FAILED],
  ])('with %s ends in words, and with no identity', async (_, alter, outcome) => {
    const way = newWay()
    const url = new URL(await atProvider(way, account().id))
    alter(url)
    expect(locationOf(await go(way.jar, here(url.href)))).toBe(outcome)
    expect(way.jar.cookies.has('diwan_identity')).toBe(false)
  })

  it('takes no cookie that was altered, or is not ours', async () => {
    for (const alter of [(text: string) => `${text.slice(0, -2)}AA`, () => 'x', () => '%']) {
      const way = newWay()
      const url = await atProvider(way, account().id)
      const [[name, value]] = [...way.jar.cookies] as [[string, string]]
      way.jar.cookies.set(name, alter(value))
      expect(locationOf(await go(way.jar, here(url)))).toBe(AGAIN)
    }
  })

  it('is the right one for each of two tabs', async () => {
    const way = newWay()
    const [one, other] = [account(), account()]
    const first = await atProvider(way, one.id)
    // Another account, as in a private window: the provider would remember the first.
    const second = await atProvider({ jar: way.jar, theirs: new Jar() }, other.id)
    expect(locationOf(await go(way.jar, here(second)))).toBe('/console#sign-in=done')
    expect((await consoleOf(way.jar).get('/sign-in')).body.data.identity.email).toBe(other.email)
    expect(locationOf(await go(way.jar, here(first)))).toBe('/console#sign-in=done')
    expect((await consoleOf(way.jar).get('/sign-in')).body.data.identity.email).toBe(one.email)
  })

  it('does not fill the browser with cookies of sign-ins that nobody finished', async () => {
    const jar = new Jar()
    for (let n = 0; n < 12; n++) await go(jar, `${app.url}/sign-in`)
    expect(jar.cookies.size).toBeLessThanOrEqual(5)
  })

  it('leads to the console and nowhere else, whatever is asked for', async () => {
    for (const path of ['/sign-in?return_to=https://evil.example.com', '/sign-in?redirect_uri=//evil.example.com']) {
      const url = new URL(locationOf(await go(new Jar(), app.url + path)))
      expect([url.origin, url.searchParams.get('redirect_uri')]).toEqual([provider.issuer, CALLBACK])
    }
    const back = await go(new Jar(), `${app.url}/sign-in/callback?next=//evil.example.com&state=//evil.example.com`)
    expect(locationOf(back)).toBe(AGAIN)
  })

  it('says so when the person said no at the provider', async () => {
    const way = newWay()
    const url = await atProvider(way, '', app, new URLSearchParams({ refused: '1' }))
    expect(locationOf(await go(way.jar, here(url)))).toBe('/console#sign-in=refused')
  })

  it('gives a secret that works once, on this surface only, and is not stored', async () => {
    const { company, account } = await linkable()
    const { jar } = await arrive(account)
    const secret = jar.cookies.get('diwan_identity') as string
    const { rows } = await app.database.pool.query('select * from shown_identities')
    expect(JSON.stringify(rows.map(row => Object.values(row).map(String)))).not.toContain(secret)
    expect((await app.diwan.client('/admin/v1', secret).get('/me')).status).toBe(401)
    const attempts = await Promise.all(
      [1, 2, 3].map(() => consoleOf(jar).post('/sessions', { company_id: company.id })),
    )
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, 401, 401])
  })

  it('is closed to pages of other sites', async () => {
    const { company, account } = await linkable()
    const { jar } = await arrive(account)
    const headers = { 'sec-fetch-site': 'same-site' }
    expect((await consoleOf(jar).post('/sessions', { company_id: company.id }, headers)).status).toBe(403)
  })

  it.each([{ company_id: 1, token: 'x' }, { company_id: 1, code: 'x' }, { company_id: 'x' }, { company_id: null }])(
    'answers %j with 422',
    async body => {
      expect((await app.diwan.client('/admin/v1').post('/sessions', body)).status).toBe(422)
    },
  )

  it('is refused after ten minutes', async () => {
    const { company, account } = await linkable()
    const { jar } = await arrive(account)
    await app.database.pool.query(`update shown_identities set expires_at = expires_at - interval '10 minutes'`)
    expect((await consoleOf(jar).post('/sessions', { company_id: company.id })).status).toBe(401)
    const { headers, body } = await consoleOf(jar).get('/sign-in')
    expect([body.data.identity, headers.get('set-cookie')]).toEqual([null, expect.stringContaining('diwan_identity=;')])
  })
})

describe('What the provider signs', () => {
  const outcomeOf = async () => (await arrive(account().id)).outcome
  const DONE = '/console#sign-in=done'
  const FAILED = '/console#sign-in=failed'
  const seconds = () => Math.floor(Date.now() / 1000)

  it.each([
    ['30 seconds late', () => ({ exp: seconds() - 30 }), DONE],
    ['two minutes late', () => ({ exp: seconds() - 120 }), FAILED],
    ['30 seconds early', () => ({ nbf: seconds() + 30 }), DONE],
    ['two minutes early', () => ({ nbf: seconds() + 120 }), FAILED],
  ])('may be by a clock that differs by a minute at most: %s', async (_, claims, outcome) => {
    provider.alter = told => ({ ...told, ...claims() })
    expect(await outcomeOf()).toBe(outcome)
  })

  it.each([
    ['another issuer', { iss: 'https://evil.example.com' }],
    ['another client', { aud: 'another' }],
    ['another nonce', { nonce: 'x'.repeat(43) }],
    ['no nonce', { nonce: undefined }],
    ['nobody', { sub: undefined }],
  ])('is refused when it is for %s', async (_, claims) => {
    provider.alter = told => ({ ...told, ...claims })
    expect(await outcomeOf()).toBe(FAILED)
  })

  it('is refused when another has signed it', async () => {
    provider.isForged = true
    expect(await outcomeOf()).toBe(FAILED)
  })

  it('is read with the keys of the moment: they may change between two sign-ins', async () => {
    expect(await outcomeOf()).toBe(DONE)
    provider.rotate()
    expect(await outcomeOf()).toBe(DONE)
  })
})

describe('A provider', () => {
  const DEAD = '/console#sign-in=unreachable'
  // Nobody has signed in there yet.
  const silent = useOwnApp({ publicUrl: PUBLIC_URL, oidc: provider.settings })
  const mistaken = useOwnApp({
    publicUrl: PUBLIC_URL,
    oidc: { ...provider.settings, issuer: provider.issuer.replace('127.0.0.1', 'localhost') },
  })

  it('is asked what it is like once, not at every sign-in', async () => {
    await go(new Jar(), `${app.url}/sign-in`)
    const before = provider.asked.get('/.well-known/openid-configuration')
    for (let n = 0; n < 3; n++) await go(new Jar(), `${app.url}/sign-in`)
    expect(provider.asked.get('/.well-known/openid-configuration')).toBe(before)
  })

  it('that is in trouble says so on the way back, and tokens work', async () => {
    const way = newWay()
    const url = here(await atProvider(way, account().id))
    provider.trouble = 503
    expect(locationOf(await go(way.jar, url))).toBe(DEAD)
    const company = await app.diwan.company()
    const answer = await app.diwan.client('/admin/v1').post('/sessions', { token: company.ownerToken })
    expect(answer.status).toBe(201)
  })

  it('that does not answer says so within seconds, and is found again by itself', async () => {
    provider.trouble = 'silence'
    const before = performance.now()
    expect(locationOf(await go(new Jar(), `${silent.url}/sign-in`))).toBe(DEAD)
    expect(performance.now() - before).toBeLessThan(20_000)
    provider.trouble = undefined
    await provider.stop()
    expect(locationOf(await go(new Jar(), `${silent.url}/sign-in`))).toBe(DEAD)
    const { parts } = (await silent.diwan.operator.get('/health')).body.data
    expect(parts.find(({ name }: { name: string }) => name === 'identity_provider')).toMatchObject({
      state: 'down',
      advice: expect.stringContaining('OIDC_ISSUER'),
    })
    await provider.resume()
    expect(new URL(locationOf(await go(new Jar(), `${silent.url}/sign-in`))).origin).toBe(provider.issuer)
  })

  it('that is another than it says is not believed', async () => {
    expect(locationOf(await go(new Jar(), `${mistaken.url}/sign-in`))).toBe(DEAD)
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
    const asManager = requiring.diwan.client(`/admin/v1/companies/${company.id}`, manager.token)
    expect((await asManager.patch('', { require_oidc: true })).status).toBe(403)
    expect((await signIn(company.ownerToken)).status).toBe(201)
    const answer = await company.admin.patch('', { require_oidc: true })
    expect([answer.status, answer.body.data.require_oidc]).toEqual([200, true])
    const [entry] = await audited(company, 'companies:write')
    expect(entry.changes).toEqual({ require_oidc: { from: false, to: true } })
  })

  it('lets no person in with a token, and says so; programs go on with it, and so does the operator', async () => {
    const refused = await signIn(company.ownerToken)
    expect([refused.status, refused.body.error.message, refused.headers.get('set-cookie')]).toEqual([
      403,
      'Your company asks you to sign in with Najd account. Tokens are for programs.',
      null,
    ])
    expect((await requiring.diwan.client('/admin/v1', company.ownerToken).get('/me')).status).toBe(200)
    const other = await requiring.diwan.company()
    expect((await signIn(other.ownerToken)).status).toBe(201)
    const { id, email } = account()
    await company.admin.post('/users', { name: 'Layla', email })
    expect((await enter(id, company.id, requiring)).answer.status).toBe(201)
  })

  it('changes nothing where the operator does not let companies decide', async () => {
    const elsewhere = await app.diwan.company()
    await elsewhere.admin.patch('', { require_oidc: true })
    expect((await signIn(elsewhere.ownerToken, app)).status).toBe(201)
  })
})
