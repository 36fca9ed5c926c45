import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { expectToOpenAfter } from '../rounds/killed-first-starts.ts'
import { Diwan } from '../support/diwan.ts'
import { refusal } from '../support/refused-start.ts'
import {
  answering,
  type Env,
  endAll,
  type Launched,
  launch,
  newFolder,
  SERVER_SECRET,
  type ServerProcess,
  serve,
  strace,
  withoutJobs,
} from '../support/server-process.ts'
import { freePort, until } from '../support/servers.ts'

const run = promisify(execFile)
const hasCurl = spawnSync('curl', ['--version']).status === 0
const redeem = ({ url }: ServerProcess, code: string | undefined) =>
  new Diwan(url, '').client('/admin/v1').post('/sessions', { code })
const secretIn = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8').trim()

describe('The first start on an empty folder', () => {
  const folder = newFolder()
  let server: ServerProcess
  let demoKey: string

  beforeAll(async () => {
    server = await serve({ DATA_DIR: folder })
    demoKey = server.stdout().match(/API key {4}(svc_api_\w+)/)?.[1] as string
  })

  it('prints the base URL and a demo key that works there', async () => {
    const base = server.stdout().match(/http:\S+\/api\/v1$/m)?.[0]
    const response = await fetch(`${base}/me`, { headers: { authorization: `Bearer ${demoKey}` } })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ data: { company: { name: 'Diwan Demo' } } })
  })

  it.skipIf(!hasCurl)('prints three curl commands that work as they stand', async () => {
    const commands = server.stdout().match(/^ *curl .*$/gm) ?? []
    expect(commands).toHaveLength(3)
    const answers = []
    for (const command of commands) {
      const { stdout } = await run('sh', ['-c', `${command} --silent --show-error --write-out '\n%{http_code}'`])
      const [body, status] = stdout.split('\n') as [string, string]
      answers.push({ status, body: JSON.parse(body) })
    }
    expect(answers).toMatchObject([
      { status: '200', body: { data: { company: { name: 'Diwan Demo' } } } },
      { status: '200', body: { meta: { total: expect.any(Number) } } },
      { status: '201', body: { data: { name: 'مشروع جديد' } } },
    ])
  })

  it('prints the address of the reference page', async () => {
    const address = server.stdout().match(/Reference +(\S+)/)?.[1] as string
    const response = await fetch(address)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/html')
  })

  it('prints a link to the console that signs the operator in, once', async () => {
    const [, console, code] = server.stdout().match(/Console +(http:\S+\/console)#code=(svc_link_\w+)/) ?? []
    expect(console).toBe(`${server.url}/console`)
    const attempts = [await redeem(server, code), await redeem(server, code)]
    expect(attempts.map(({ status }) => status)).toEqual([201, 401])
    expect(attempts[0]?.body.data.kind).toBe('operator')
    expect(server.stderr()).not.toContain(code)
  })

  it('says where the operator token is, and only the owner of that file can read it', async () => {
    const file = server.stdout().match(/the token in (\S+)/)?.[1] as string
    const operator = new Diwan(server.url, readFileSync(file, 'utf8').trim()).operator
    expect((await operator.get('/companies')).status).toBe(200)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(statSync(join(folder, 'server-secret')).mode & 0o077).toBe(0)
  })

  it('leaves a server for which the key command makes a key that works', async () => {
    const command = launch({ DATA_DIR: folder, PORT: String(server.port) }, ['key', 'create', '--name', 'Reporting'])
    expect(await command.exited).toEqual({ code: 0, signal: null })
    expect(command.stdout()).toMatch(/^svc_api_\w+\n$/)
    const { status, body } = await server.diwan.api(command.stdout().trim()).get('/me')
    expect({ status, name: body.data.key.name }).toEqual({ status: 200, name: 'Reporting' })
  })

  it('leaves a folder on which the second start prints no secret and knows the first key', async () => {
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    server = await serve({ DATA_DIR: folder })
    const printed = server.stdout() + server.stderr()
    expect(printed).not.toContain('svc_')
    expect(printed).not.toContain(secretIn(folder, 'operator-token'))
    expect(printed).not.toContain(secretIn(folder, 'server-secret'))
    expect(printed).toContain('npm run key')
    expect(printed).toMatch(/Console +http:\S+\/console\n/)
    expect((await server.diwan.api(demoKey).get('/me')).status).toBe(200)
    await server.end('SIGTERM')
  })
})

describe('The key command', () => {
  it('says in one line that no server answers', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'operator-token'), 'some-operator-token\n')
    const command = launch({ DATA_DIR: folder, PORT: String(await freePort()) }, ['key', 'create'])
    expect(await refusal(command)).toMatch(/No server answers at http:\/\/127\.0\.0\.1:\d+/)
  })
})

describe('A setting that cannot be used', () => {
  // One variable stands for all: test/units/config.test.ts covers every variable.
  it('stops the start with one line that names it and repeats no secret', async () => {
    const line = await refusal(
      launch({ DATA_DIR: newFolder(), DATABASE_URL: 'mysql://diwan:hidden-word@127.0.0.1/diwan' }),
    )
    expect(line).toContain('DATABASE_URL')
    expect(line).not.toContain('hidden')
  })

  it('is named when it is a host that is not this machine', async () => {
    expect(await refusal(launch({ ...withoutJobs(), PORT: '0', HOST: '192.0.2.1' }))).toContain('HOST')
  })

  it('is named when it is a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    const line = await refusal(launch({ ...withoutJobs(), PORT: String(port) }))
    expect(line).toContain('PORT')
    expect(line).toContain(String(port))
    taken.close()
  })

  it('is named when it is a data folder that is a file', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, 'mine')
    expect(await refusal(launch({ DATA_DIR: file }))).toContain('DATA_DIR')
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it.concurrent.each(['127.0.0.1', 'localhost'])(
    'is named when it is a database that nobody serves on %s',
    async host => {
      const DATABASE_URL = `postgres://diwan:hidden-word@${host}:${await freePort()}/diwan`
      const line = await refusal(launch({ DATA_DIR: newFolder(), DATABASE_URL, SERVER_SECRET }))
      expect(line).toContain('DATABASE_URL')
      expect(line).toContain('ECONNREFUSED')
      expect(line).not.toContain('hidden-word')
    },
  )

  it.skipIf(!inject('postgresUrl'))('is named when it is a database that does not exist', async () => {
    const url = new URL(inject('postgresUrl') as string)
    Object.assign(url, { pathname: '/no_such_database', password: 'hidden-word' })
    const env = { DATA_DIR: newFolder(), DATABASE_URL: url.href, SERVER_SECRET }
    const line = await refusal(launch(env))
    expect(line).toContain('DATABASE_URL')
    expect(line).toContain('no_such_database')
    expect(line).not.toContain('hidden-word')
  })
})

describe('A folder in use', () => {
  const env: Env = { ...withoutJobs(), PORT: '0' }
  afterEach(endAll)

  it('is refused to a second process, with its cause and the pid of the first, which goes on', async () => {
    const first = await serve(env)
    const line = await refusal(launch(env))
    expect(line).toContain(`DATA_DIR: ${env.DATA_DIR} is already open in another process (pid ${first.pid})`)
    expect((await first.diwan.operator.get('/companies')).status).toBe(200)
    await first.end('SIGKILL')
  })

  it('opens by itself right after its process was killed', async () => {
    const second = await serve(env)
    expect((await second.diwan.operator.get('/companies')).status).toBe(200)
    await second.end('SIGKILL')
  })

  it('is served by exactly one of two that find the lock of a killed process at the same moment', async () => {
    for (let round = 1; round <= 2; round++) {
      const { winner, loser } = await race(launch(env), launch(env))
      expect(await refusal(loser)).toContain(`(pid ${winner.pid})`)
      await winner.end('SIGKILL')
    }
  })

  // One of the two sees that the holder is dead, but tries to take its place long after the other has done so.
  it.skipIf(!strace()).each(['?rename,?renameat,?renameat2', '?link,?linkat'])(
    'is served by exactly one even if the other stalls before %s',
    async calls => {
      const env: Env = { ...withoutJobs(), PORT: '0' }
      const killed = await serve(env)
      await killed.end('SIGKILL')
      const delayMicroseconds = Math.round(Math.min(2 * killed.startedInMs, 10_000) * 1_000)
      const slow = strace('-o', '/dev/null', '-e', `inject=${calls}:delay_enter=${delayMicroseconds}`)
      const stalling = launch(env, ['serve'], slow)
      const isAtTheLock = () => readdirSync(env.DATA_DIR as string).some(name => name.includes(String(stalling.pid)))
      await until(async () => isAtTheLock() || stalling.hasExited())
      const { winner, loser } = await race(stalling, launch(env))
      expect(await refusal(loser)).toContain(`(pid ${winner.pid})`)
      await winner.end('SIGKILL')
    },
  )
})

describe('A new folder', () => {
  // One of the two sees that there is no secret yet, but tries to create one long after the other has done so.
  const slowToSee = (file: string) => strace('-o', '/dev/null', '-P', file, '-e', 'inject=openat:delay_exit=3000000')

  it('is served by exactly one of two started at the same moment, and its key still works after a restart', async () => {
    const env = { DATA_DIR: join(newFolder(), 'data'), PORT: '0' }
    const stalling = launch(env, ['serve'], slowToSee(join(env.DATA_DIR, 'server-secret')))
    await until(async () => existsSync(env.DATA_DIR))
    const { winner, loser } = await race(stalling, launch(env))
    await loser.exited
    const key = winner.stdout().match(/svc_api_\w+/)?.[0]
    await winner.end('SIGTERM')
    const next = await serve(env)
    expect((await next.diwan.api(key).get('/me')).status).toBe(200)
    const operator = new Diwan(next.url, secretIn(env.DATA_DIR, 'operator-token')).operator
    expect((await operator.get('/companies')).status).toBe(200)
    await next.end('SIGKILL')
  })

  it('may have a path longer than the address of a socket', async () => {
    const folder = join(newFolder(), 'a'.repeat(100), 'ب'.repeat(50))
    mkdirSync(folder, { recursive: true })
    const env = withoutJobs(folder)
    const first = await serve(env)
    expect(await refusal(launch({ ...env, PORT: '0' }))).toContain(`(pid ${first.pid})`)
    expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  it.each([
    ['has no version', {}],
    ['was written by another version', { PG_VERSION: '14\n' }],
  ])('with a database that %s is refused, and that database stays untouched', async (_, files) => {
    const database = join(newFolder(), 'database')
    mkdirSync(database)
    const before = { 'notes.txt': 'mine', ...files }
    for (const [name, text] of Object.entries(before)) writeFileSync(join(database, name), text)
    expect(await refusal(launch({ DATA_DIR: join(database, '..'), PORT: '0' }))).toContain(`DATA_DIR: ${database}`)
    const after = readdirSync(database).map(name => [name, readFileSync(join(database, name), 'utf8')])
    expect(Object.fromEntries(after)).toEqual(before)
  })

  it('opens after kills in the middle of its first start', () => expectToOpenAfter(2))
})

/** Waits for both, and tells which one serves and which one ended. */
async function race(...two: [Launched, Launched]): Promise<{ winner: Launched; loser: Launched }> {
  const served = await Promise.all(two.map(one => answering(one)))
  const winners = two.filter((_, n) => served[n] !== undefined)
  expect(winners, two.map(one => one.stderr()).join()).toHaveLength(1)
  const [winner] = winners as [Launched]
  const loser = two.find(one => one !== winner) as Launched
  return { winner, loser }
}
