import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestCompany } from '../support/diwan.ts'
import { type Env, refuses, type ServerProcess, serve, withoutJobs } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const STOPPED = { code: 0, signal: null }
/** A server that waited for a connection would take at least this long; one that takes less has not waited. */
const DRAINS_WITHIN_MS = 6_000

describe('SIGTERM', () => {
  const env: Env = withoutJobs()
  let server: ServerProcess
  let company: TestCompany

  beforeEach(async () => {
    if (!server || server.hasExited()) server = await serve(env)
    company = await server.diwan.company()
  })

  it('lets what runs finish while it refuses new connections', async () => {
    // One after the other: the count of calls shows when each one is admitted.
    const halves = []
    for (const n of [1, 2, 3]) halves.push(await sendHalf(server, company, `Half ${n}`))
    const isStopped = server.end('SIGTERM')
    await until(() => refuses(server.port), DRAINS_WITHIN_MS)
    expect(server.hasExited()).toBe(false)
    const answers = await Promise.all(halves.map(half => half.sendRest()))
    expect(answers.map(answer => answer.status)).toEqual([201, 201, 201])
    expect(await isStopped).toEqual(STOPPED)

    server = await serve(env)
    const { body } = await server.diwan.api(company.key).get('/projects')
    expect(body.data.map((project: { id: string }) => project.id).sort()).toEqual(
      answers.map(answer => answer.id).sort(),
    )
  })

  it('loses nothing that it acknowledged to writers who keep on writing', async () => {
    const acknowledged: string[] = []
    const failures: string[] = []
    const writers = Array.from({ length: 8 }, async () => {
      for (let n = 0; n < 500; n++) {
        const answer = await company.api.post('/projects', { name: 'Website launch' }).catch(() => undefined)
        if (!answer) return
        if (answer.status === 201) acknowledged.push(answer.body.data.id)
        else failures.push(`${answer.status} ${JSON.stringify(answer.body)}`)
      }
    })
    await until(async () => acknowledged.length > 50)
    const startedAt = performance.now()
    const isStopped = server.end('SIGTERM')
    await Promise.all(writers)
    const tookMs = performance.now() - startedAt
    expect(await isStopped).toEqual(STOPPED)
    expect(failures).toEqual([])
    expect(tookMs).toBeLessThan(DRAINS_WITHIN_MS)

    server = await serve(env)
    const kept = new Set<string>()
    for (let offset = 0; offset < acknowledged.length + 100; offset += 100) {
      const { body } = await server.diwan.api(company.key).get(`/projects?limit=100&offset=${offset}`)
      for (const { id } of body.data) kept.add(id)
    }
    expect(acknowledged.filter(id => !kept.has(id))).toEqual([])
  })

  it('does not wait for an idle connection that is kept alive', async () => {
    const agent = new Agent({ keepAlive: true })
    await new Promise<void>((resolve, reject) => {
      get(`${server.url}/health`, { agent }, response => response.resume().once('end', resolve)).once('error', reject)
    })
    await until(async () => Object.values(agent.freeSockets).flat().length === 1)
    const [socket] = Object.values(agent.freeSockets).flat() as [Socket]
    const startedAt = performance.now()
    const isStopped = server.end('SIGTERM')
    await once(socket, 'close')
    expect(performance.now() - startedAt).toBeLessThan(DRAINS_WITHIN_MS)
    expect(await isStopped).toEqual(STOPPED)
    agent.destroy()
  })

  it('answers what comes over an idle connection a moment later, and asks for the connection to be closed', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (path: string) =>
      new Promise<{ status?: number; connection?: string }>((resolve, reject) => {
        get(`${server.url}${path}`, { agent }, response => {
          const { statusCode: status, headers } = response
          response.resume().once('end', () => resolve({ status, connection: headers.connection }))
        }).once('error', reject)
      })
    expect(await ask('/health')).toEqual({ status: 200, connection: 'keep-alive' })
    const isStopped = server.end('SIGTERM')
    // The first calls may arrive before the signal does.
    const answers = []
    do answers.push(await ask('/health'))
    while (answers.at(-1)?.connection === 'keep-alive')
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.at(-1)?.connection).toBe('close')
    expect(await refuses(server.port)).toBe(true)
    expect(await isStopped).toEqual(STOPPED)
    agent.destroy()
  })

  it('does not wait for a connection that becomes idle while it stops', async () => {
    const half = await sendHalf(server, company, 'Kept alive')
    const startedAt = performance.now()
    const isStopped = server.end('SIGTERM')
    await until(() => refuses(server.port), DRAINS_WITHIN_MS)
    const isClosed = once(half.socket, 'close')
    expect((await half.sendRest()).status).toBe(201)
    await isClosed
    expect(performance.now() - startedAt).toBeLessThan(DRAINS_WITHIN_MS)
    expect(await isStopped).toEqual(STOPPED)
  })

  it('waits less than ten seconds for a client that never finishes its body', async () => {
    await sendHalf(server, company, 'Never finished')
    const { exit, tookMs } = await stop(server)
    expect(exit).toEqual(STOPPED)
    expect(tookMs).toBeLessThan(10_000)
    server = await serve(env)
    expect((await server.diwan.api(company.key).get('/projects')).body.meta.total).toBe(0)
  })

  it('leaves a folder without a lock, which opens without a complaint', async () => {
    await company.api.post('/projects', { name: 'Website launch' })
    expect(await server.end('SIGTERM')).toEqual(STOPPED)
    expect(readdirSync(env.DATA_DIR as string).filter(name => name.includes('lock'))).toEqual([])
    server = await serve(env)
    expect(server.stderr()).toBe('')
    expect((await server.diwan.api(company.key).get('/projects')).body.meta.total).toBe(1)
  })

  it('may come twice, and SIGINT means the same', async () => {
    const half = await sendHalf(server, company, 'Interrupted')
    const isStopped = server.end('SIGINT')
    await until(() => refuses(server.port), DRAINS_WITHIN_MS)
    server.end('SIGTERM')
    expect((await half.sendRest()).status).toBe(201)
    expect(await isStopped).toEqual(STOPPED)
  })
})

async function stop(server: ServerProcess) {
  const startedAt = performance.now()
  const exit = await server.end('SIGTERM')
  return { exit, tookMs: performance.now() - startedAt }
}

/** Sends a request for a project without the end of its body: the call is already admitted and counted. */
async function sendHalf({ port, diwan }: ServerProcess, { id, key }: TestCompany, name: string) {
  const callsSoFar = async () => (await diwan.operator.get(`/companies/${id}/usage?days=2`)).body.data
  const body = JSON.stringify({ name })
  const before = JSON.stringify(await callsSoFar())
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  const answer = readAnswer(socket)
  socket.write(
    `POST /api/v1/projects HTTP/1.1\r\nHost: diwan\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 5)}`,
  )
  await until(async () => JSON.stringify(await callsSoFar()) !== before)
  return {
    socket,
    sendRest() {
      socket.write(body.slice(5))
      return answer
    },
  }
}

function readAnswer(socket: Socket): Promise<{ status: number; id: string | undefined }> {
  return new Promise(resolve => {
    let text = ''
    const settle = () => resolve({ status: Number(text.split(' ')[1]), id: text.match(/"id":"([^"]+)"/)?.[1] })
    socket.on('data', chunk => {
      text += chunk
      if (/\r\n\r\n.*}$/s.test(text)) settle()
    })
    socket.on('error', settle)
    socket.on('close', settle)
  })
}
