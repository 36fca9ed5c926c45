import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestCompany } from '../support/diwan.ts'
import { type Env, refuses, type ServerProcess, serve, withoutJobs } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const STOPPED = { code: 0, signal: null }
/** A connection that is waited for is cut off after this long; one that is idle is closed after two seconds. */
const CUT_AFTER_MS = 6_000

describe('A server that is told to stop', () => {
  const env: Env = withoutJobs()
  let server: ServerProcess
  let company: TestCompany

  beforeEach(async () => {
    if (!server || server.hasExited()) server = await serve(env)
    company = await server.diwan.company()
  })

  const projects = async () => {
    const kept = new Set<string>()
    for (let offset = 0, total = 1; offset < total; offset += 100) {
      const { body } = await server.diwan.api(company.key).get(`/projects?limit=100&offset=${offset}`)
      total = body.meta.total
      for (const { id } of body.data) kept.add(id)
    }
    return kept
  }

  it('lets what runs finish, refuses new connections, closes those that become idle, and leaves no lock', async () => {
    // One after the other: the count of calls shows when each one is admitted.
    const halves = []
    for (const n of [1, 2, 3]) halves.push(await sendHalf(server, company, `Half ${n}`))
    const isStopped = server.end('SIGINT')
    await until(() => refuses(server.port))
    // It may be told twice.
    server.end('SIGTERM')
    expect(server.hasExited()).toBe(false)
    const closed = halves.map(({ socket }) => once(socket, 'close'))
    const answers = await Promise.all(halves.map(half => half.sendRest()))
    expect(answers.map(answer => answer.status)).toEqual([201, 201, 201])
    await Promise.all(closed)
    expect(await isStopped).toEqual(STOPPED)

    expect(readdirSync(env.DATA_DIR as string).filter(name => name.includes('lock'))).toEqual([])
    server = await serve(env)
    expect(server.stderr()).toBe('')
    expect([...(await projects())].sort()).toEqual(answers.map(answer => answer.id).sort())
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
    const isStopped = server.end('SIGTERM')
    await Promise.all(writers)
    expect(await isStopped).toEqual(STOPPED)
    expect(failures).toEqual([])
    server = await serve(env)
    const kept = await projects()
    expect(acknowledged.filter(id => !kept.has(id))).toEqual([])
  })

  it('answers what comes over an idle connection a moment later and then closes it, and waits for no other', async () => {
    const [idle, agent] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true, maxSockets: 1 })]
    const ask = (by: Agent) =>
      new Promise<{ status?: number; connection?: string }>((resolve, reject) => {
        get(`${server.url}/health`, { agent: by }, response => {
          const { statusCode: status, headers } = response
          response.resume().once('end', () => resolve({ status, connection: headers.connection }))
        }).once('error', reject)
      })
    for (const each of [idle, agent]) expect(await ask(each)).toEqual({ status: 200, connection: 'keep-alive' })
    await until(async () => Object.values(idle.freeSockets).flat().length === 1)
    const [socket] = Object.values(idle.freeSockets).flat() as [Socket]
    const toldAt = performance.now()
    const closed = once(socket, 'close').then(() => performance.now() - toldAt)
    const isStopped = server.end('SIGTERM')
    // The first calls may arrive before the signal does.
    const answers = []
    do answers.push(await ask(agent))
    while (answers.at(-1)?.connection === 'keep-alive')
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.at(-1)?.connection).toBe('close')
    expect(await closed).toBeLessThan(CUT_AFTER_MS)
    expect(await isStopped).toEqual(STOPPED)
    for (const each of [idle, agent]) each.destroy()
  })

  it('does not wait for a client that never finishes its body, and keeps nothing of it', async () => {
    await sendHalf(server, company, 'Never finished')
    expect(await server.end('SIGTERM')).toEqual(STOPPED)
    server = await serve(env)
    expect(await projects()).toEqual(new Set())
  })
})

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
