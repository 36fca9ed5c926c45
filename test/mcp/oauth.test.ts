import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool, connectAgent } from '../support/agent.ts'
import { OPERATOR_TOKEN, useApp, useOwnApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { audit } from '../support/factories.ts'
import { appAt, listTools, newVerifier, REDIRECT, refusals } from '../support/oauth.ts'

const app = useApp({ allowPrivateWebhooks: true })
let company: TestCompany
let oauth: ReturnType<typeof appAt>
beforeAll(async () => {
  company = await app.diwan.company()
  oauth = appAt(app.url)
})

/** What is refused is counted under its name. */
async function counted<T>(reason: string, refused: () => Promise<T>, times = 1): Promise<T> {
  const before = await refusals(app.url, reason)
  const answer = await refused()
  expect([reason, (await refusals(app.url, reason)) - before]).toEqual([reason, times])
  return answer
}

/** An app that has just registered sends a browser to ask. */
const asking = async () => oauth.ask({ client_id: (await oauth.register()).body.client_id, ...newVerifier() })

const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } }

it('A refusal leads an agent without a key to the metadata of the resource, and from there to the server that grants access', async () => {
  const refused = await listTools(app.url, 'none')
  expect(refused.status).toBe(401)
  const named = refused.headers.get('www-authenticate')?.match(/resource_metadata="([^"]+)"/)?.[1] ?? ''
  expect(named).toBe(`${app.url}/.well-known/oauth-protected-resource/mcp`)
  const resource = await (await fetch(named)).json()
  expect(resource).toMatchObject({ resource: `${app.url}/mcp`, authorization_servers: [app.url] })
  const server = await (await fetch(`${app.url}/.well-known/oauth-authorization-server`)).json()
  expect(server).toMatchObject({
    issuer: app.url,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  })
})

describe('A server with a public address', () => {
  const named = useApp({ publicUrl: 'https://diwan.example.com/tools' })

  it('names itself by that address wherever it is asked, below its path too', async () => {
    const own = 'https://diwan.example.com/tools'
    for (const path of ['', '/mcp', '/tools/mcp']) {
      const resource = await (await fetch(`${named.url}/.well-known/oauth-protected-resource${path}`)).json()
      expect(resource).toMatchObject({ resource: `${own}/mcp`, authorization_servers: [own] })
    }
    const server = await (await fetch(`${named.url}/.well-known/oauth-authorization-server/tools`)).json()
    expect(server).toMatchObject({ issuer: own, token_endpoint: `${own}/oauth/token` })
    const challenge = (await listTools(named.url, 'x')).headers.get('www-authenticate')
    expect(challenge).toContain('"https://diwan.example.com/.well-known/oauth-protected-resource/tools/mcp"')
    const { register, ask } = appAt(named.url)
    const asking = { client_id: (await register()).body.client_id, ...newVerifier() }
    const asked = await ask({ ...asking, resource: `${own}/mcp` })
    expect(asked.headers.get('set-cookie')).toContain('; Secure')
    const { sentTo } = await ask({ ...asking, resource: `${named.url}/mcp` })
    expect(Object.fromEntries(sentTo.searchParams)).toMatchObject({ error: 'invalid_target', iss: own })
  })
})

describe('An app', () => {
  it('is granted a key of its own kind, signed by the person, and reaches the tools with its tokens', async () => {
    const asked = await asking()
    const shown = await company.admin.get(`/app-requests/${asked.id}`, { cookie: asked.cookie })
    expect(shown.body.data).toMatchObject({ name: 'Planner', host: 'app.example.com', is_local: false })
    const { key, access, refreshToken, client_id } = await oauth.connected(company, { access: 'write' })
    expect(key).toMatchObject({ name: 'Planner', kind: 'app', app_host: 'app.example.com', access: 'write' })
    expect(key).not.toHaveProperty('key')
    expect(key.created_by.id).toBe(company.owner.id)
    const agent = await connectAgent(`${app.url}/mcp`, access)
    const { isError } = await callTool(agent, 'create_project', { name: 'By an app' })
    expect(isError).toBe(false)
    const next = await oauth.refresh(client_id, refreshToken, { resource: `${app.url}/mcp` })
    expect(next.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    expect(next.headers.get('cache-control')).toBe('no-store')
    expect((await listTools(app.url, next.body.access_token)).status).toBe(200)
    const used = { kind: 'app', last_used_at: expect.any(String) }
    expect((await company.admin.get(`/keys/${key.id}`)).body.data).toMatchObject(used)
  })

  it('loses everything when its key is revoked or has expired; it cannot be rotated, as it renews its tokens itself', async () => {
    const { key, access, refreshToken, client_id } = await oauth.connected(company)
    expect((await company.admin.post(`/keys/${key.id}/rotate`, {})).status).toBe(422)
    await company.admin.delete(`/keys/${key.id}`)
    expect((await listTools(app.url, access)).status).toBe(401)
    expect(await counted('ended', () => oauth.refresh(client_id, refreshToken))).toMatchObject(INVALID_GRANT)
    const expires_at = new Date(Date.now() + 1e7).toISOString()
    const short = await oauth.connected(company, { access: 'read', expires_at })
    const expiry = `update api_keys set expires_at = now() - interval '1 second' where id = $1`
    await app.database.pool.query(expiry, [short.key.id])
    expect((await listTools(app.url, short.access)).status).toBe(401)
    expect(await oauth.refresh(short.client_id, short.refreshToken)).toMatchObject(INVALID_GRANT)
  })

  it('that is refused is told so, once', async () => {
    const asked = await asking()
    const path = `/admin/v1/companies/${company.id}/app-requests/${asked.id}`
    const refuse = () =>
      app.diwan.client('', company.ownerToken).send('DELETE', path, { headers: { cookie: asked.cookie } })
    const { searchParams } = new URL((await refuse()).body.data.redirect_to)
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', state: 'xyz', iss: app.url })
    expect((await refuse()).status).toBe(404)
  })

  it('gives up its access with its refresh token, and one token with that token', async () => {
    const { access, refreshToken, key } = await oauth.connected(company)
    expect((await oauth.revoke('svc_refresh_nonsense')).status).toBe(200)
    expect((await oauth.revoke(access)).status).toBe(200)
    expect((await listTools(app.url, access)).status).toBe(401)
    expect((await company.admin.get(`/keys/${key.id}`)).body.data.revoked_at).toBe(null)
    expect((await oauth.revoke(refreshToken, { client_id: 'another' })).status).toBe(200)
    expect((await company.admin.get(`/keys/${key.id}`)).body.data.revoked_at).toBe(null)
    expect((await oauth.revoke(refreshToken)).status).toBe(200)
    expect((await company.admin.get(`/keys/${key.id}`)).body.data.revoked_at).not.toBe(null)
    expect((await audit(company))[0]).toMatchObject({ reason: 'The app gave up its access.', target: { id: key.id } })
  })

  it('may be described by a document at its own URL, which is read once', async () => {
    let reads = 0
    const site = createServer((asked, answer) => {
      reads += 1
      const { port } = site.address() as AddressInfo
      const client_id = `http://127.0.0.1:${port}${asked.url}`
      const said = {
        client_id: asked.url === '/liar.json' ? 'http://127.0.0.1/x' : client_id,
        client_name: 'Desk \u202e',
      }
      answer.end(
        asked.url === '/huge.json' ? 'x'.repeat(20_000) : JSON.stringify({ ...said, redirect_uris: [REDIRECT] }),
      )
    })
    await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
    afterAll(() => void site.close())
    const at = (path: string) => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`
    const { code_challenge, code_verifier } = newVerifier()
    const asked = await oauth.ask({ client_id: at('/app.json'), code_challenge })
    const { code, key } = await oauth.grant(company.admin, asked)
    expect(key).toMatchObject({ name: 'Desk', app_host: new URL(at('/')).host })
    expect((await oauth.exchange({ client_id: at('/app.json'), code, code_verifier })).status).toBe(200)
    expect(reads).toBe(1)
    for (const path of ['/liar.json', '/huge.json', '/../x.json', '/'])
      expect((await oauth.ask({ client_id: at(path), code_challenge })).status).toBe(400)
  })
})

it('Who decides is somebody who manages keys, in the browser in which it was asked', async () => {
  const asked = await asking()
  const accept = (token: string, cookie: string) =>
    app.diwan
      .admin(company.id, token)
      .post(`/app-requests/${asked.id}/accept`, { access: 'read' }, { cookie })
      .then(({ status }) => status)
  const member = await app.diwan.person(company.id)
  for (const [token, cookie, status] of [
    [member.token, asked.cookie, 403],
    [OPERATOR_TOKEN, asked.cookie, 403],
    [company.ownerToken, '', 404],
    [company.ownerToken, (await asking()).cookie, 404],
  ] as const)
    expect([cookie, await accept(token, cookie)]).toEqual([cookie, status])
  const tooMuch = { access: 'read', operations: ['tasks:write'] }
  const greedy = await company.admin.post(`/app-requests/${asked.id}/accept`, tooMuch, { cookie: asked.cookie })
  expect(greedy.status).toBe(422)
  expect(await accept(company.ownerToken, asked.cookie)).toBe(201)
  expect(await accept(company.ownerToken, asked.cookie)).toBe(404)
})

describe('Refused and counted is', () => {
  it('a code that was injected: with another verifier, client, redirect or resource', async () => {
    const { client_id, code, code_verifier } = await oauth.granted(company)
    const other = (await oauth.register()).body.client_id
    const right = { client_id, code, code_verifier }
    const wrong: [string, object][] = [
      ['wrong_verifier', { ...right, code_verifier: newVerifier().code_verifier }],
      ['other_client', { ...right, client_id: other }],
      ['other_redirect', { ...right, redirect_uri: `${REDIRECT}/x` }],
      ['unknown', { ...right, code: `${code.slice(0, -1)}${code.endsWith('x') ? 'y' : 'x'}` }],
    ]
    for (const [reason, fields] of wrong)
      expect(await counted(reason, () => oauth.exchange({ ...fields }))).toMatchObject(INVALID_GRANT)
    expect(
      await counted('other_resource', () => oauth.exchange({ ...right, resource: 'https://evil.example.com/mcp' })),
    ).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    expect((await oauth.exchange(right)).status).toBe(200)
  })

  it('a code that comes again: the grant ends, and the audit says why', async () => {
    const { client_id, code, code_verifier, access, key } = await oauth.connected(company)
    const again = () => oauth.exchange({ client_id, code, code_verifier })
    expect(await counted('code_replay', again)).toMatchObject(INVALID_GRANT)
    expect((await listTools(app.url, access)).status).toBe(401)
    expect((await audit(company))[0]).toMatchObject({
      operation: 'keys:destructive',
      by: { kind: 'key', id: key.id },
      reason: 'A code or refresh token of the app was used twice: its access has ended.',
    })
  })

  it('a code that is older than a minute', async () => {
    const { client_id, code, code_verifier, key } = await oauth.granted(company)
    await app.database.pool.query(
      `update app_credentials set expires_at = now() - interval '1 second' where key_id = $1`,
      [key.id],
    )
    expect(await counted('expired', () => oauth.exchange({ client_id, code, code_verifier }))).toMatchObject(
      INVALID_GRANT,
    )
  })

  it('a refresh token from another app, or that comes again, at once or at the same time: then the grant ends', async () => {
    const { client_id, refreshToken, access } = await oauth.connected(company)
    const other = (await oauth.register()).body.client_id
    expect(await counted('other_client', () => oauth.refresh(other, refreshToken))).toMatchObject(INVALID_GRANT)
    const next = (await oauth.refresh(client_id, refreshToken)).body
    expect(await counted('refresh_replay', () => oauth.refresh(client_id, refreshToken))).toMatchObject(INVALID_GRANT)
    for (const token of [access, next.access_token]) expect((await listTools(app.url, token)).status).toBe(401)
    expect(await oauth.refresh(client_id, next.refresh_token)).toMatchObject(INVALID_GRANT)

    const racing = await oauth.connected(company)
    const both = await Promise.all([1, 2].map(() => oauth.refresh(racing.client_id, racing.refreshToken)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    const [won] = both.filter(({ status }) => status === 200)
    expect((await listTools(app.url, won?.body.access_token)).status).toBe(401)
  })

  it('a downgrade of PKCE: without a challenge, with a plain one, or with none when the code is exchanged', async () => {
    const { client_id } = (await oauth.register()).body
    const { code_challenge } = newVerifier()
    const downgrades = [
      {},
      { code_challenge, code_challenge_method: 'plain' },
      { code_challenge, code_challenge_method: undefined },
      { code_challenge: 'short' },
    ]
    for (const fields of downgrades) {
      const { status, sentTo } = await counted('pkce_downgrade', () => oauth.ask({ client_id, ...fields }))
      const told = Object.fromEntries(sentTo.searchParams)
      expect([status, told]).toMatchObject([302, { error: 'invalid_request', state: 'xyz', iss: app.url }])
    }
    const granted = await oauth.granted(company)
    const without = { client_id: granted.client_id, code: granted.code }
    expect(await counted('bad_request', () => oauth.exchange(without))).toMatchObject({
      body: { error: 'invalid_request' },
    })
  })

  it('a redirect to anywhere else: on a page that leads nowhere', async () => {
    const named = [REDIRECT, 'http://127.0.0.1:1234/cb', 'http://localhost/cb', 'com.example.app:/cb']
    const { client_id } = (await oauth.register({ redirect_uris: named })).body
    const { code_challenge } = newVerifier()
    const tricks = [
      `${REDIRECT}/`,
      `${REDIRECT}#x`,
      'https://app.example.com@evil.example.com/callback',
      'https://app.example.com\\@evil.example.com/callback',
      'http://app.example.com/callback',
      'http://127.0.0.1:1234/other',
      'http://127.0.0.2:1234/cb',
      'javascript:alert(1)//',
      undefined,
    ]
    for (const redirect_uri of tricks) {
      const asking = () => oauth.ask({ client_id, code_challenge, redirect_uri })
      const { status, headers, body } = await counted('unknown_redirect', asking)
      expect([redirect_uri, status, headers.get('location')]).toEqual([redirect_uri, 400, null])
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(body).toContain('dir="rtl"')
      expect(body).not.toContain('evil')
    }
    for (const redirect_uri of ['http://127.0.0.1:5678/cb', 'http://localhost:9/cb', 'com.example.app:/cb'])
      expect((await oauth.ask({ client_id, code_challenge, redirect_uri })).id).not.toBe('')
    expect((await counted('unknown_client', () => oauth.ask({ client_id: 'app-x', code_challenge }))).status).toBe(400)
  })

  it('another resource, and whatever is named twice', async () => {
    const { client_id } = (await oauth.register()).body
    const { code_challenge } = newVerifier()
    for (const resource of [
      'https://evil.example.com/mcp',
      `${app.url}/api/v1`,
      `${app.url}.evil.example.com/mcp`,
      'x',
    ]) {
      const { sentTo } = await counted('other_resource', () => oauth.ask({ client_id, code_challenge, resource }))
      expect(sentTo.searchParams.get('error')).toBe('invalid_target')
    }
    const query = new URLSearchParams({ client_id, code_challenge, redirect_uri: REDIRECT, response_type: 'code' })
    const asking = fetch(`${app.url}/oauth/authorize?${query}&code_challenge_method=S256&code_challenge_method=plain`, {
      redirect: 'manual',
    })
    expect((await asking).headers.get('location')).toContain('error=invalid_request')
    const wrong = await oauth.ask({ client_id, code_challenge, response_type: 'token' })
    expect(wrong.sentTo.searchParams.get('error')).toBe('unsupported_response_type')
  })

  it('a token anywhere but at the tools, and at the tools every other credential', async () => {
    const { access, refreshToken } = await oauth.connected(company)
    expect((await app.diwan.api(access).get('/me')).status).toBe(401)
    expect((await app.diwan.admin(company.id, access).get('')).status).toBe(401)
    for (const other of [refreshToken, company.ownerToken]) expect((await listTools(app.url, other)).status).toBe(401)
    // One that was made for the same server by another of its names.
    const { port } = new URL(app.url)
    expect((await listTools(`http://localhost:${port}`, access)).status).toBe(401)
    await app.database.pool.query(`update app_credentials set expires_at = now() where kind = 'access'`)
    expect((await listTools(app.url, access)).status).toBe(401)
  })

  it('a registration that names a redirect which a browser would run, or says nothing', async () => {
    const bad = [
      ['javascript:alert(1)'],
      ['http://example.com/cb'],
      ['https://a.example.com/#x'],
      ['ms-msdt:/x'],
      ['https://a.example.com/ب'],
      [],
      Array(21).fill(REDIRECT),
      [1],
      undefined,
    ]
    for (const redirect_uris of bad) {
      const refused = await counted('bad_registration', () => oauth.register({ redirect_uris }))
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } })
    }
    const headers = { 'content-type': 'application/json' }
    for (const body of ['', '[]', '{', '"x"', `{"client_name":"${'x'.repeat(70_000)}"}`]) {
      const response = await fetch(`${app.url}/oauth/register`, { method: 'POST', headers, body })
      expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_client_metadata'])
    }
    const { body } = await oauth.register({ client_name: `\u202e\u0000${'ن'.repeat(500)}` })
    expect(body.client_name).toBe('ن'.repeat(100))
  })
})

it('What is sent in another form than OAuth’s is refused in its words', async () => {
  for (const path of ['token', 'revoke']) {
    const response = await fetch(`${app.url}/oauth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
  }
  const form = (body: string) =>
    fetch(`${app.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    }).then(response => response.json())
  expect(await form('grant_type=password&client_id=x')).toMatchObject({ error: 'unsupported_grant_type' })
  expect(await form('grant_type=refresh_token&grant_type=x&client_id=x')).toMatchObject({ error: 'invalid_request' })
  expect(await form('%00=%ff')).toMatchObject({ error: 'invalid_request' })
  expect(await form(`grant_type=${'x'.repeat(17_000)}`)).toMatchObject({ error_description: 'The body is too large.' })
})

describe('Everything under /oauth is slowed by address', () => {
  const slow = useOwnApp({ signInFailuresPerMinute: 5 })
  const throttled = useOwnApp({ burstPerMinute: 3 })

  async function statusesOf(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
    const statuses: number[] = []
    for (let n = 0; n < count; n++) statuses.push((await send()).status)
    return statuses
  }

  it('registrations, however good they are, wrong tokens, and all of it by the throttle of everything', async () => {
    const { register, refresh } = appAt(slow.url)
    expect(await statusesOf(6, () => register())).toEqual([...Array(5).fill(201), 429])
    expect(await refusals(slow.url, 'too_fast')).toBe(1)
    expect(await statusesOf(6, () => refresh('x', 'svc_refresh_wrong'))).toEqual([...Array(5).fill(400), 429])
    const everything = await statusesOf(4, () => appAt(throttled.url).refresh('x', 'y'))
    expect(everything).toEqual([400, 400, 400, 429])
  })
})

describe('Registrations that nobody uses', () => {
  const own = useOwnApp()

  it('are few for one address, and gone after a day; those that were granted something stay', async () => {
    const { register, connected } = appAt(own.url)
    const used = await connected(await own.diwan.company())
    for (let n = 0; n < 50; n++) expect((await register()).status).toBe(201)
    expect(await register()).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
    expect(await refusals(own.url, 'registration_flood')).toBe(1)
    const left = await own.database.db.raw<{ id: string }>(
      `select id from app_clients where expires_at > now() + interval '25 hours'`,
      [],
    )
    expect(left).toEqual([{ id: used.client_id }])
  })
})
