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

  it('from a page of another origin is refused', async () => {
    expect((await send(work.company.key, { headers: { origin: app.url } })).status).toBe(200)
    for (const origin of ['https://evil.example.com', 'null', `${app.url}.evil.example.com`])
      expect((await send(work.company.key, { headers: { origin } })).status).toBe(403)
  })

  it('from a page whose name was made to lead here is refused, unless it is the name of the server', async () => {
    const { port } = new URL(app.url)
    const asked = async (url: string, key: string, host: string) => {
      const headers = { ...HEADERS, host, origin: `http://${host}`, authorization: `Bearer ${key}` }
      const asking = request(`${url}/mcp`, { method: 'POST', headers }).end(JSON.stringify(LIST))
      const [answer] = await once(asking, 'response')
      answer.resume()
      return answer.statusCode
    }
    expect(await asked(app.url, work.company.key, `localhost:${port}`)).toBe(200)
    expect(await asked(app.url, work.company.key, `evil.example.com:${port}`)).toBe(403)
    const { key } = await named.diwan.company()
    expect(await asked(named.url, key, 'evil.example.com')).toBe(403)
    expect(await asked(named.url, key, 'diwan.example.com')).toBe(200)
  })

  it.each(['[', ']', '::1', '[::1', 'x:99999999', 'a:b:c', '1.2.3.4.5', '999.1.1.1', 'xn--a'])(
    'may name us by a host that no URL can have, %s, and is told the same as anybody',
    async host => {
      const ask = (method: string, path: string, headers = {}, body = '') =>
        sendRaw(app.url, requestText(method, path, { host, 'content-length': String(body.length), ...headers }, body))
      for (const method of ['GET', 'POST']) {
        const { status, headers } = await ask(method, '/mcp')
        expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('//unknown.invalid/')])
        expect((await ask(method, '/mcp', { origin: 'http://a' })).status).toBe(403)
      }
      const { client_id } = (await appAt(app.url).register()).body
      const asked = { client_id, redirect_uri: REDIRECT, response_type: 'code', resource: 'http://x/mcp' }
      const proven = { ...asked, code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' }
      const sent = await ask('GET', `/oauth/authorize?${new URLSearchParams(proven)}`)
      expect([sent.status, sent.headers.get('location')]).toEqual([302, expect.stringContaining('invalid_target')])
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const fields = { client_id, grant_type: 'refresh_token', refresh_token: 'x', resource: 'http://x/mcp' }
      const refused = await ask('POST', '/oauth/token', form, String(new URLSearchParams(fields)))
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target'])
    },
  )

  it('may write the whole address, with a name and a password', async () => {
    const headers = { ...HEADERS, authorization: `Bearer ${work.company.key}` }
    const asking = request(app.url, { method: 'POST', path: 'http://u:p@x/mcp?tools=tasks', headers })
    const [answer] = await once(asking.end(JSON.stringify(LIST)), 'response')
    answer.resume()
    expect(answer.statusCode).toBe(200)
  })

  it('sends one JSON message with POST; everything else is refused', async () => {
    const { key } = work.company
    expect((await send(key, { body: [LIST, LIST] })).status).toBe(422)
    expect((await send(key, { body: '{' })).status).toBe(400)
    expect((await send(key, { body: `"${'x'.repeat(1_100_000)}"` })).status).toBe(422)
    expect((await send(key, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    for (const method of ['GET', 'DELETE']) expect((await send(key, { method })).status).toBe(405)
  })

  it('sends no more keys, entries or levels than any call has', async () => {
    const keys = Array.from({ length: 20_000 }, (_, n) => `"k${n}":0`).join()
    for (const params of [`{${keys}}`, `[${'0,'.repeat(50_000)}0]`, '['.repeat(1_001)]) {
      const { status, text } = await send(work.company.key, { body: `{"params":${params}}` })
      expect([status, JSON.parse(text).error.message]).toEqual([422, expect.stringMatching(/too large|too deeply/)])
    }
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

  it.each([
    ['1.0', 60],
    ['1', 1],
    ['2.50', 150],
    ['"1.0"', 60],
  ])('reads a number where text is expected as it was written, as its endpoint does: %s', async (written, minutes) => {
    const { company, task } = await furnishWork(app.diwan)
    const body = `{"jsonrpc":"2.0","id":1,"params":{"arguments":{"task":"${task.id}","time_spent":${written}},
      "name":"set_task_time"},"method":"tools/call"}`
    expect((await send(company.key, { body })).status).toBe(200)
    expect((await company.api.get(`/tasks/${task.id}`)).body.data.time_spent_minutes).toBe(minutes)
  })

  it('without calls left is refused in the words of the API', async () => {
    const poor = await app.diwan.company({ daily_calls: 1 })
    const agent = await connectAgent(`${app.url}/mcp`, poor.key)
    expect((await callTool(agent, 'list_projects')).isError).toBe(false)
    const { isError, texts } = await callTool(agent, 'list_projects')
    expect([isError, texts[0]]).toEqual([true, expect.stringContaining('Enterprise')])
    expect((await agent.listTools()).tools.length).toBeGreaterThan(0)
  })

  it('beyond what the key may do is denied and audited, as at its own address', async () => {
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
  })

  it('that destroys is audited as permitted, with the key that did it', async () => {
    const task = (await work.company.api.post(`/lists/${work.list.id}/tasks`, { title: 'To go' })).body.data
    const agent = await connectAgent(`${app.url}/mcp`, work.company.key)
    expect((await callTool(agent, 'delete_task', { task: task.id })).isError).toBe(false)
    const [entry] = await audit(work.company)
    expect(entry).toMatchObject({ outcome: 'allowed', operation: 'tasks:destructive', by: { kind: 'key' } })
  })
})

describe('The throttle', () => {
  it('counts a message once for its address, and a call once for its key', async () => {
    const company = await throttled.diwan.company()
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account', arguments: {} } }
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push((await send(company.key, { url: throttled.url, body: call })).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429])
    const refused = await send(company.key, { url: throttled.url })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(JSON.parse(refused.text)).toEqual({ error: expect.stringContaining('Too many requests') })
  })
})
