import { once } from 'node:events'
import { request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { callTool, connectAgent } from '../support/agent.ts'
import { useApp, useOwnApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { audit, furnishWork, type Work } from '../support/factories.ts'
import { appAt, REDIRECT } from '../support/oauth.ts'
import { requestText, sendRaw } from '../support/raw-http.ts'

const app = useApp()
const throttled = useOwnApp({ burstPerMinute: 10 })
const named = useApp({ publicUrl: 'http://diwan.example.com' })
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
})

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** One message by hand, as the older protocol sends it. */
async function send(
  key: string | undefined,
  { url = app.url, method = 'POST', body = LIST as unknown, headers = {} } = {},
) {
  const response = await fetch(`${url}/mcp`, {
    method,
    headers: { ...HEADERS, ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}
const remaining = async ({ api }: TestCompany) => Number((await api.get('/me')).headers.get('x-ratelimit-remaining'))

describe('Whoever comes', () => {
  it('needs a key that is good now: 401 otherwise, and the answer says how', async () => {
    const { id, key } = (await work.company.admin.post('/keys', { name: 'Short', access: 'read' })).body.data
    expect((await send(key)).status).toBe(200)
    await work.company.admin.delete(`/keys/${id}`)
    const challenge = `Bearer resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp"`
    for (const bad of [undefined, 'svc_api_wrong', work.company.ownerToken, key]) {
      const { status, headers, text } = await send(bad)
      const expected = bad === undefined ? challenge : `${challenge}, error="invalid_token"`
      expect([status, headers.get('www-authenticate')]).toEqual([401, expected])
      expect(JSON.parse(text).error.code).toBe('unauthorized')
    }
  })

  it('is not answered where the API is off, or not in the plan', async () => {
    const off = await app.diwan.company({ rest_api: false })
    expect(await send(off.key)).toMatchObject({ status: 404, text: expect.stringContaining('not_found') })
    const free = await app.diwan.company({ plan: 'free' })
    expect(await send(free.key)).toMatchObject({ status: 403, text: expect.stringContaining('plan_upgrade_required') })
  })

  it('is refused from a page of another origin, or one whose name was made to lead here', async () => {
    const { port } = new URL(app.url)
    const { key } = await named.diwan.company()
    for (const [url, bearer, host, origin, status] of [
      [app.url, work.company.key, `127.0.0.1:${port}`, app.url, 200],
      [app.url, work.company.key, `127.0.0.1:${port}`, 'https://evil.example.com', 403],
      [app.url, work.company.key, `127.0.0.1:${port}`, 'null', 403],
      [app.url, work.company.key, `127.0.0.1:${port}`, `${app.url}.evil.example.com`, 403],
      [app.url, work.company.key, `localhost:${port}`, `http://localhost:${port}`, 200],
      [app.url, work.company.key, `evil.example.com:${port}`, `http://evil.example.com:${port}`, 403],
      [named.url, key, 'evil.example.com', 'http://evil.example.com', 403],
      [named.url, key, 'diwan.example.com', 'http://diwan.example.com', 200],
    ] as const) {
      const headers = { ...HEADERS, host, origin, authorization: `Bearer ${bearer}` }
      const [answer] = await once(
        request(`${url}/mcp`, { method: 'POST', headers }).end(JSON.stringify(LIST)),
        'response',
      )
      answer.resume()
      expect([host, origin, answer.statusCode]).toEqual([host, origin, status])
    }
  })

  it('may name us by a host that no URL can have, and is told the same as anybody', async () => {
    const { client_id } = (await appAt(app.url).register()).body
    for (const host of ['[', '::1', 'x:99999999', 'a:b:c', '999.1.1.1', 'xn--a']) {
      const ask = (method: string, path: string, headers = {}, body = '') =>
        sendRaw(app.url, requestText(method, path, { host, 'content-length': String(body.length), ...headers }, body))
      const { status, headers } = await ask('POST', '/mcp')
      expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('//unknown.invalid/')])
      expect((await ask('POST', '/mcp', { origin: 'http://a' })).status).toBe(403)
      const asked = { client_id, redirect_uri: REDIRECT, response_type: 'code', resource: 'http://x/mcp' }
      const proven = { ...asked, code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' }
      const sent = await ask('GET', `/oauth/authorize?${new URLSearchParams(proven)}`)
      expect([sent.status, sent.headers.get('location')]).toEqual([302, expect.stringContaining('invalid_target')])
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const fields = { client_id, grant_type: 'refresh_token', refresh_token: 'x', resource: 'http://x/mcp' }
      const refused = await ask('POST', '/oauth/token', form, String(new URLSearchParams(fields)))
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target'])
    }
  })

  it('may write the whole address, with a name and a password', async () => {
    const headers = { ...HEADERS, authorization: `Bearer ${work.company.key}` }
    const asking = request(app.url, { method: 'POST', path: 'http://u:p@x/mcp?tools=tasks', headers })
    const [answer] = await once(asking.end(JSON.stringify(LIST)), 'response')
    answer.resume()
    expect(answer.statusCode).toBe(200)
  })

  it('sends one JSON message with POST, of no more keys, entries or levels than any call has', async () => {
    const { key } = work.company
    const keys = Array.from({ length: 20_000 }, (_, n) => `"k${n}":0`).join()
    for (const [sent, status] of [
      [{ body: [LIST, LIST] }, 422],
      [{ body: '{' }, 400],
      [{ body: `"${'x'.repeat(1_100_000)}"` }, 422],
      [{ body: `{"params":{${keys}}}` }, 422],
      [{ body: `{"params":[${'0,'.repeat(50_000)}0]}` }, 422],
      [{ body: `{"params":${'['.repeat(1_001)}}` }, 422],
      [{ headers: { 'content-type': 'text/plain' } }, 415],
      [{ method: 'GET' }, 405],
      [{ method: 'DELETE' }, 405],
    ] as const)
      expect([sent, (await send(key, sent as object)).status]).toEqual([sent, status])
  })
})

it('There is nothing to subscribe to: no stream is opened', async () => {
  const [name, version] = ['io.modelcontextprotocol', '2026-07-28']
  const _meta = {
    [`${name}/protocolVersion`]: version,
    [`${name}/clientInfo`]: { name: 'test', version: '1.0.0' },
    [`${name}/clientCapabilities`]: {},
  }
  const method = 'subscriptions/listen'
  const params = { _meta, notifications: { toolsListChanged: true } }
  const body = { jsonrpc: '2.0', id: 1, method, params }
  const headers = { 'mcp-protocol-version': version, 'mcp-method': method }
  const { headers: answered, text } = await send(work.company.key, { body, headers })
  expect(answered.get('content-type')).toBe('application/json')
  expect(JSON.parse(text)).toMatchObject({ error: { message: 'Subscription limit reached' } })
})

describe('A call', () => {
  it('spends what its endpoint spends, and listing spends nothing', async () => {
    const counted = await app.diwan.company({ daily_calls: 100 })
    const agent = await connectAgent(`${app.url}/mcp`, counted.key)
    const before = await remaining(counted)
    await agent.listTools()
    expect(await remaining(counted)).toBe(before - 1)
    await callTool(agent, 'list_projects')
    expect(await remaining(counted)).toBe(before - 3)
  })

  it('reads a number where text is expected as it was written, as its endpoint does', async () => {
    const { company, task } = await furnishWork(app.diwan)
    for (const [written, minutes] of [
      ['1.0', 60],
      ['1', 1],
      ['2.50', 150],
      ['"1.0"', 60],
    ] as const) {
      const body = `{"jsonrpc":"2.0","id":1,"params":{"arguments":{"task":"${task.id}","time_spent":${written}},
        "name":"set_task_time"},"method":"tools/call"}`
      expect((await send(company.key, { body })).status).toBe(200)
      const { time_spent_minutes } = (await company.api.get(`/tasks/${task.id}`)).body.data
      expect([written, time_spent_minutes]).toEqual([written, minutes])
    }
  })

  it('without calls left is refused in the words of the API', async () => {
    const poor = await app.diwan.company({ daily_calls: 1 })
    const agent = await connectAgent(`${app.url}/mcp`, poor.key)
    expect((await callTool(agent, 'list_projects')).isError).toBe(false)
    const { isError, texts } = await callTool(agent, 'list_projects')
    expect([isError, texts[0]]).toEqual([true, expect.stringContaining('Enterprise')])
    expect((await agent.listTools()).tools.length).toBeGreaterThan(0)
  })

  it('beyond what the key may do is denied and audited as at its own address, and one that destroys is audited as permitted', async () => {
    const key = await app.diwan.key(work.company.id, { access: 'read', operations: ['tasks:read'], rights: [] })
    const agent = await connectAgent(`${app.url}/mcp`, key)
    const { isError, texts } = await callTool(agent, 'complete_task', { task: work.task.id })
    expect([isError, texts[0]]).toEqual([true, 'The key has read access, which does not permit tasks:write.'])
    const [entry] = await audit(work.company)
    expect(entry).toMatchObject({
      outcome: 'denied',
      operation: 'tasks:write',
      method: 'POST',
      path: `/api/v1/tasks/${work.task.id}/complete`,
    })
    expect((await work.company.api.get(`/tasks/${work.task.id}`)).body.data.completed).toBe(false)
    const task = (await work.company.api.post(`/lists/${work.list.id}/tasks`, { title: 'To go' })).body.data
    const permitted = await connectAgent(`${app.url}/mcp`, work.company.key)
    expect((await callTool(permitted, 'delete_task', { task: task.id })).isError).toBe(false)
    expect((await audit(work.company))[0]).toMatchObject({
      outcome: 'allowed',
      operation: 'tasks:destructive',
      by: { kind: 'key' },
    })
  })
})

it('The throttle counts a message once for its address, and a call once for its key', async () => {
  const company = await throttled.diwan.company()
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account', arguments: {} } }
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push((await send(company.key, { url: throttled.url, body: call })).status)
  expect(statuses).toEqual([...Array(10).fill(200), 429])
  const refused = await send(company.key, { url: throttled.url })
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(JSON.parse(refused.text)).toEqual({ error: expect.stringContaining('Too many requests') })
})
