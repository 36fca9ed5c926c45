import { connect } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import { composedServices } from '../support/deployment.ts'
import { describeWith } from '../support/describe-with.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newTask } from '../support/factories.ts'
import { newListInFeed } from '../support/feed.ts'
import { askPlain, type Haproxy, startHaproxy } from '../support/haproxy.ts'
import {
  type Env,
  type Launched,
  launch,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
} from '../support/server-process.ts'
import { askPostgres, freePort, until } from '../support/servers.ts'
import { hasTakenWrites } from '../support/taken-writes.ts'

const PER_MINUTE = 300

describeWith(['postgres', 'haproxy'], 'Two nodes and a worker behind HAProxy', paths => {
  let nodes: ServerProcess[]
  let restart: (n: number) => Promise<void>
  let worker: Launched
  let proxy: Haproxy
  let company: TestCompany
  let url: string
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await createPostgresDatabase()
    ;({ url, drop } = database)
    // Addresses and paths differ here; everything else is as in the Compose file, and all share the data folder.
    const here = { DATABASE_URL: database.url, SERVER_SECRET, OPERATOR_TOKEN, DATA_DIR: newFolder() }
    const composed = (name: string): Env => {
      const { REDIS_URL, CLAMD_URL, ...environment } = composedServices()[name]?.environment ?? {}
      // What the operator fills in is left out.
      const fixed = Object.entries(environment).filter(([, value]) => !value.includes('${'))
      return { ...Object.fromEntries(fixed), ...here, BURST_PER_MINUTE: String(PER_MINUTE) }
    }
    const ports = [await freePort(), await freePort()] as const
    const start = (n: number) => serve({ ...composed(`api-${n + 1}`), PORT: String(ports[n]) })
    nodes = await Promise.all([start(0), start(1)])
    restart = async n => {
      expect(await nodes[n]?.end('SIGTERM')).toEqual({ code: 0, signal: null })
      nodes[n] = await start(n)
    }
    worker = launch(composed('worker'), composedServices().worker?.command)
    proxy = await startHaproxy(
      paths.haproxy,
      ports.map(port => `127.0.0.1:${port}`),
    )
    company = await (nodes[0] as ServerProcess).diwan.company()
  })
  afterAll(async () => {
    await proxy?.stop()
    await Promise.all([...(nodes ?? []), ...(worker ? [worker] : [])].map(each => each.end('SIGKILL')))
    await drop?.()
  })

  const asCompany = () => ({ authorization: `Bearer ${company.key}` })

  it('are reached over TLS alone, by HTTP/1.1 and HTTP/2, know the address that callers use, and keep their metrics inside', async () => {
    for (const name of ['First', 'Second']) await created(company.api.post('/projects', { name }))
    const headers = { ...asCompany(), 'x-forwarded-proto': 'http' }
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
    for (const path of ['/metrics', '/metrics?a=1', '/%6detrics', '/Metrics']) {
      const { status } = await proxy.ask(path, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })
      expect([path, status]).toEqual([path, 404])
    }
  })

  it('throttle each caller by its own address, whatever it says of itself', async () => {
    const from = (address: string, n: number) =>
      proxy.ask('/api/v1/me', {
        from: address,
        headers: { 'x-forwarded-for': `198.51.100.${n % 250}`, forwarded: 'for=203.0.113.9' },
      })
    const statuses: number[] = []
    for (let n = 0; n < 3 * PER_MINUTE && !statuses.includes(429); n += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, each) => from('127.0.0.7', n + each)))
      statuses.push(...answers.map(({ status }) => status))
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect((await from('127.0.0.8', 1)).status).toBe(401)
  })

  it('take an upload of 5 MB, which the worker scans, and either of them serves', async () => {
    const project = await nodes[0]?.diwan.project(company)
    const files = `/projects/${project?.id}/files`
    const content = 'م'.repeat(2_500_000)
    const body = { name: 'ملاحظات.txt', content }
    const sent = await proxy.ask(`/api/v1${files}`, { method: 'POST', headers: asCompany(), body })
    expect(sent.status).toBe(201)
    const { ref } = JSON.parse(sent.text).data
    // The database is asked: calls would use up what the key may call in a minute.
    await until(async () => (await askPostgres(url, `select scan_state from files where ref = '${ref}'`)) === 'clean')
    for (const node of nodes) {
      const { status, body } = await node.diwan.api(company.key).get(`${files}/${ref}/download`)
      expect([status, body === content]).toEqual([200, true])
    }
  })

  it('send a stream unbuffered, and are restarted one after the other without a failed call', async () => {
    const { list, after } = await newListInFeed(company, (await (nodes[0] as ServerProcess).diwan.project(company)).id)
    const headers = { ...asCompany(), accept: 'text/event-stream', 'last-event-id': after }
    const stream = await proxy.open('/api/v1/company/changes', { headers })
    let [text, isOpen, isWriting] = ['', true, true]
    stream.setEncoding('utf8').on('data', bytes => (text += bytes))
    stream.on('close', () => (isOpen = false)).on('error', () => {})
    const task = await newTask(company, list.id)
    await until(async () => text.includes(task.id))
    expect(isOpen).toBe(true)
    stream.destroy()

    const statuses = new Set<number>()
    const writing = (async () => {
      // Slowly, because the key may make 300 calls in a minute.
      for (; isWriting; await sleep(500)) {
        const sent = { method: 'POST', headers: asCompany(), body: { title: 'شراء الأثاث' } }
        statuses.add((await proxy.ask(`/api/v1/lists/${list.id}/tasks`, sent)).status)
      }
    })()
    // It is awaited below. If something else fails before that, that error is the one to report.
    writing.catch(() => {})
    for (const n of [0, 1]) {
      await restart(n)
      await until(() => hasTakenWrites(nodes[n] as ServerProcess))
    }
    isWriting = false
    await writing
    expect([...statuses]).toEqual([201])
  })
})
