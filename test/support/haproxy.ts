import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent, request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { makeCertificate } from './certificate.ts'
import { type Env, newFolder } from './server-process.ts'
import { freePort, until } from './servers.ts'

export interface Haproxy {
  httpPort: number
  httpsPort: number
  ca: string
  /** Sends a request over TLS from a given local address. Resolves as soon as the head of the answer has arrived. */
  open(path: string, options?: Sent): Promise<IncomingMessage>
  /** The same, but waits for the whole answer. */
  ask(path: string, options?: Sent): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>
  stop(): Promise<void>
}

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  from?: string
}

/** Sends requests to a proxy on this machine, over TLS. */
export function tlsClient(httpsPort: number, ca: string): Pick<Haproxy, 'open' | 'ask'> & { close(): void } {
  const agent = new Agent({ keepAlive: true })
  const open: Haproxy['open'] = (path, { method = 'GET', headers = {}, body, from = '127.0.0.1' } = {}) =>
    new Promise((resolve, reject) => {
      const target = { host: '127.0.0.1', port: httpsPort, servername: 'localhost', ca, localAddress: from }
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const all = { host: `localhost:${httpsPort}`, ...type, ...headers }
      const request = requestHttps({ ...target, path, method, headers: all, agent, timeout: 60_000 }, resolve)
      request.on('timeout', () => request.destroy(new Error(`No answer to ${method} ${path}`)))
      request.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
    })
  return {
    open,
    async ask(path, options) {
      const answer = await open(path, options)
      return { status: answer.statusCode ?? 0, headers: answer.headers, text: await textOf(answer) }
    },
    close: () => agent.destroy(),
  }
}

/**
 * HAProxy as it is deployed: the environment gives the addresses here, and the configuration file has a line more for each node
 * after the second, but is unchanged otherwise.
 */
export function startHaproxy(program: string, addresses: string[]): Promise<Haproxy> {
  const nodes = Object.fromEntries(addresses.map((address, n) => [`NODE_${n + 1}`, address]))
  const more = addresses.slice(2).map((_, n) => `  server node-${n + 3} "\${NODE_${n + 3}}"\n`)
  return start(program, newFolder(), readFileSync('deploy/haproxy.cfg', 'utf8') + more.join(''), nodes)
}

/** The same in front of two cells, with an empty map of companies, and what is told over the admin socket. */
export async function startHaproxyOfCells(program: string, [one = '', two = '']: string[]) {
  const folder = newFolder()
  const [map, socket] = [join(folder, 'companies.map'), join(folder, 'admin')]
  writeFileSync(map, '')
  const env = { CELL_1: one, CELL_2: two, COMPANIES_MAP: map, ADMIN_SOCKET: socket }
  const proxy = await start(program, folder, readFileSync('deploy/haproxy-cells.cfg', 'utf8'), env)
  const tell = async (command: string) => {
    const connection = connect(socket)
    connection.end(`${command}\n`)
    let said = ''
    for await (const text of connection.setEncoding('utf8')) said += text
    return said.trim()
  }
  return { ...proxy, map, tell }
}

async function start(program: string, folder: string, text: string, addresses: Env): Promise<Haproxy> {
  const configuration = join(folder, 'haproxy.cfg')
  writeFileSync(configuration, text)
  const { key, cert } = makeCertificate(folder)
  const env: Env = { CERTIFICATE: join(folder, 'diwan.pem'), ...addresses }
  writeFileSync(env.CERTIFICATE as string, cert + key)
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  Object.assign(env, { HTTP_BIND: `127.0.0.1:${httpPort}`, HTTPS_BIND: `127.0.0.1:${httpsPort}` })
  const child = spawn(program, ['-f', configuration], { env: { ...process.env, ...env }, stdio: 'pipe' })
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', text => (said += text))

  const client = tlsClient(httpsPort, cert)
  const proxy: Haproxy = {
    httpPort,
    httpsPort,
    ca: cert,
    ...client,
    async stop() {
      client.close()
      if (child.exitCode !== null) return
      const exited = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exited
    },
  }
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended: ${said}`)
    return (await proxy.ask('/ready').catch(() => undefined))?.status === 200
  })
  return proxy
}

/** Over plain HTTP. */
export function askPlain(port: number, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    requestHttp({ host: '127.0.0.1', port, path, headers: { host: 'localhost' }, timeout: 10_000 }, answer => {
      answer.resume()
      resolve(answer)
    })
      .on('error', reject)
      .end()
  })
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const bytes of answer.setEncoding('utf8')) text += bytes
  return text
}
