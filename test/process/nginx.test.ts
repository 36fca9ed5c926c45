import { connect } from 'node:http2'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../support/describe-with.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newTask } from '../support/factories.ts'
import { newListInFeed } from '../support/feed.ts'
import { askPlain, type Haproxy } from '../support/haproxy.ts'
import { startNginx } from '../support/nginx.ts'
import { embedded, OPERATOR_TOKEN, type ServerProcess, serve } from '../support/server-process.ts'
import { freePort, until } from '../support/servers.ts'

describeWith('nginx', 'A node behind nginx, with another that is down', ({ nginx }) => {
  let node: ServerProcess
  let proxy: Haproxy
  let company: TestCompany

  beforeAll(async () => {
    node = await serve({ ...embedded(), TRUST_PROXY: 'loopback' })
    proxy = await startNginx(nginx, [new URL(node.url).host, `127.0.0.1:${await freePort()}`])
    company = await node.diwan.company()
  })
  afterAll(async () => {
    await proxy?.stop()
    await node?.end('SIGKILL')
  })

  const asCompany = () => ({ authorization: `Bearer ${company.key}` })

  it('is reached over TLS alone, by HTTP/1.1 and HTTP/2, and knows the address that callers use', async () => {
    for (const name of ['First', 'Second']) await created(company.api.post('/projects', { name }))
    const headers = { ...asCompany(), 'x-forwarded-proto': 'http', 'x-forwarded-host': 'elsewhere.example' }
    const page = await proxy.ask('/api/v1/projects?limit=1', { headers })
    expect(page.status).toBe(200)
    expect(page.headers.link).toContain(`<https://localhost:${proxy.httpsPort}/api/v1/projects?`)
    const session = connect(`https://localhost:${proxy.httpsPort}`, { ca: proxy.ca })
    const stream = session.request({ ':path': '/api/v1/me', ...asCompany() })
    const head = await new Promise<Record<string, unknown>>((resolve, reject) => {
      stream.on('response', resolve).on('error', reject)
    })
    expect([head[':status'], head['strict-transport-security']]).toEqual([200, 'max-age=31536000'])
    session.destroy()
    const plain = await askPlain(proxy.httpPort, '/docs?a=1')
    expect([plain.statusCode, plain.headers.location]).toEqual([308, 'https://localhost/docs?a=1'])
  })

  it("knows the caller's own address, whatever the caller says of it, and keeps its metrics inside", async () => {
    const { status } = await proxy.ask('/admin/v1/sessions', {
      method: 'POST',
      from: '127.0.0.7',
      headers: { 'x-forwarded-for': '198.51.100.3', forwarded: 'for=203.0.113.9' },
      body: { token: company.ownerToken },
    })
    expect(status).toBe(201)
    const { data } = (await company.admin.get(`/users/${company.owner.id}/sessions`)).body
    expect(data.map(({ address }: { address: string }) => address)).toEqual(['127.0.0.7'])
    for (const path of ['/metrics', '/metrics?a=1', '/%6detrics', '/Metrics', '//metrics', '/a/../metrics']) {
      const asked = await proxy.ask(path, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })
      expect([path, asked.status]).toEqual([path, 404])
    }
  })

  it('takes an upload of 5 MB, and itself refuses one that is too large', async () => {
    const project = await node.diwan.project(company)
    const upload = (content: string) =>
      proxy.ask(`/api/v1/projects/${project.id}/files`, {
        method: 'POST',
        headers: asCompany(),
        body: { name: 'ملاحظات.txt', content },
      })
    const sent = await upload('م'.repeat(2_500_000))
    expect(sent.status).toBe(201)
    const { ref } = JSON.parse(sent.text).data
    await until(async () => (await company.api.get(`/projects/${project.id}/files/${ref}`)).body.data.downloadable)
    const loaded = await proxy.ask(`/api/v1/projects/${project.id}/files/${ref}/download`, { headers: asCompany() })
    expect([loaded.status, loaded.text === 'م'.repeat(2_500_000)]).toEqual([200, true])
    const refused = await upload('x'.repeat(31 * 1_048_576))
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([422, 'unprocessable_entity'])
  })

  it('sends each event of a stream at once, while the stream stays open', async () => {
    const project = await node.diwan.project(company)
    const { list, after } = await newListInFeed(company, project.id)
    const headers = { ...asCompany(), accept: 'text/event-stream', 'accept-encoding': 'gzip', 'last-event-id': after }
    const answer = await proxy.open('/api/v1/company/changes', { headers })
    let [text, isOpen] = ['', true]
    answer.setEncoding('utf8').on('data', bytes => (text += bytes))
    answer.on('close', () => (isOpen = false)).on('error', () => {})
    for (let n = 0; n < 3; n++) {
      const task = await newTask(company, list.id)
      await until(async () => text.includes(task.id))
      expect(isOpen).toBe(true)
    }
    answer.destroy()
  })

  it('answers every request, though half of the nodes refuse connections', async () => {
    const { list } = await newListInFeed(company, (await node.diwan.project(company)).id)
    const statuses: number[] = []
    for (let n = 0; n < 10; n++) {
      const asked = { method: 'POST', headers: asCompany(), body: { title: 'شراء الأثاث' } }
      statuses.push((await proxy.ask(`/api/v1/lists/${list.id}/tasks`, asked)).status)
    }
    expect(new Set(statuses)).toEqual(new Set([201]))
  })
})
