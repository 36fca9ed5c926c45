import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeWith } from '../support/describe-with.ts'
import { Diwan } from '../support/diwan.ts'
import { refusal } from '../support/refused-start.ts'
import {
  answering,
  type Env,
  type Launched,
  launch,
  newFolder,
  type ServerProcess,
  serve,
  strace,
  withoutJobs,
  withPostgres,
} from '../support/server-process.ts'
import { freePort, until } from '../support/servers.ts'

const run = promisify(execFile)
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

  describeWith('curl', 'prints three curl commands', () => {
    it('that work as they stand', async () => {
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
  })

  it('prints addresses, a demo key, a link that signs the operator in once, and the file of a token that nobody else can read', async () => {
    const base = server.stdout().match(/http:\S+\/api\/v1$/m)?.[0]
    const me = await fetch(`${base}/me`, { headers: { authorization: `Bearer ${demoKey}` } })
    expect(await me.json()).toMatchObject({ data: { company: { name: 'Diwan Demo' } } })
    const reference = await fetch(server.stdout().match(/Reference +(\S+)/)?.[1] as string)
    expect([reference.status, reference.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
    const [, console, code] = server.stdout().match(/Console +(http:\S+\/console)#code=(svc_link_\w+)/) ?? []
    expect(console).toBe(`${server.url}/console`)
    const attempts = [await redeem(server, code), await redeem(server, code)]
    expect(attempts.map(({ status }) => status)).toEqual([201, 401])
    expect(attempts[0]?.body.data.kind).toBe('operator')
    expect(server.stderr()).not.toContain(code)
    const file = server.stdout().match(/the token in (\S+)/)?.[1] as string
    const operator = new Diwan(server.url, readFileSync(file, 'utf8').trim()).operator
    expect((await operator.get('/companies')).status).toBe(200)
    for (const secret of [file, join(folder, 'server-secret')]) expect(statSync(secret).mode & 0o077).toBe(0)
  })

  it('leaves a folder with which the key command makes a key, and on which the second start prints no secret', async () => {
    const command = launch({ DATA_DIR: folder, PORT: String(server.port) }, ['key', 'create', '--name', 'Reporting'])
    expect(await command.exited).toEqual({ code: 0, signal: null })
    expect(command.stdout()).toMatch(/^svc_api_\w+\n$/)
    const { status, body } = await server.diwan.api(command.stdout().trim()).get('/me')
    expect({ status, name: body.data.key.name }).toEqual({ status: 200, name: 'Reporting' })

    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    server = await serve({ DATA_DIR: folder })
    const printed = server.stdout() + server.stderr()
    for (const secret of ['svc_', secretIn(folder, 'operator-token'), secretIn(folder, 'server-secret')])
      expect(printed).not.toContain(secret)
    expect(printed).toContain('npm run key')
    expect(printed).toMatch(/Console +http:\S+\/console\n/)
    expect((await server.diwan.api(demoKey).get('/me')).status).toBe(200)
    await server.end('SIGTERM')
  })
})

it('The key command says in one line that no server answers', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'operator-token'), 'some-operator-token\n')
  const command = launch({ DATA_DIR: folder, PORT: String(await freePort()) }, ['key', 'create'])
  expect(await refusal(command)).toMatch(/No server answers at http:\/\/127\.0\.0\.1:\d+/)
})

// test/units/config.test.ts covers every variable.
it('A setting that cannot be used stops the start with one line that names it and repeats no secret', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  const file = join(newFolder(), 'file')
  writeFileSync(file, 'mine')
  const free = await freePort()
  const own = withoutJobs()
  const cases: [Env, string[]][] = [
    [{ DATA_DIR: newFolder(), DATABASE_URL: 'mysql://diwan:hidden-word@127.0.0.1/diwan' }, ['DATABASE_URL']],
    [{ ...own, PORT: '0', HOST: '192.0.2.1' }, ['HOST']],
    [{ ...own, PORT: String(port) }, ['PORT', String(port)]],
    [{ DATA_DIR: file }, ['DATA_DIR']],
    ...['127.0.0.1', 'localhost'].map((host): [Env, string[]] => [
      withPostgres(`postgres://diwan:hidden-word@${host}:${free}/diwan`),
      ['DATABASE_URL', 'ECONNREFUSED'],
    ]),
  ]
  for (const [env, words] of cases) {
    const line = await refusal(launch(env))
    for (const word of words) expect(line).toContain(word)
    expect(line).not.toContain('hidden')
  }
  expect(readFileSync(file, 'utf8')).toBe('mine')
  taken.close()
})

describe('A folder in use', () => {
  const env: Env = { ...withoutJobs(), PORT: '0' }

  it('is refused to a second process with the pid of the first, and opens right after that was killed, to exactly one', async () => {
    const first = await serve(env)
    const line = await refusal(launch(env))
    expect(line).toContain(`DATA_DIR: ${env.DATA_DIR} is already open in another process (pid ${first.pid})`)
    expect((await first.diwan.operator.get('/companies')).status).toBe(200)
    await first.end('SIGKILL')
    const { winner, loser } = await race(launch(env), launch(env))
    expect(await refusal(loser)).toContain(`(pid ${winner.pid})`)
    await winner.end('SIGKILL')
  })

  it('may have a path longer than the address of a socket', async () => {
    const folder = join(newFolder(), 'a'.repeat(100), 'ب'.repeat(50))
    mkdirSync(folder, { recursive: true })
    const env = withoutJobs(folder)
    const first = await serve(env)
    expect(await refusal(launch({ ...env, PORT: '0' }))).toContain(`(pid ${first.pid})`)
    expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})

describeWith('strace', 'Two processes of which one stalls', () => {
  // One of the two sees that the holder is dead, but tries to take its place long after the other has done so.
  it.each(['?rename,?renameat,?renameat2', '?link,?linkat'])(
    'before %s of a folder that a killed one has locked: exactly one serves',
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

  // One of the two sees that there is no secret yet, but tries to create one long after the other has done so.
  it('before the first secret of a new folder: exactly one serves, and its key still works after a restart', async () => {
    const env = { DATA_DIR: join(newFolder(), 'data'), PORT: '0' }
    const secret = join(env.DATA_DIR, 'server-secret')
    const slow = strace('-o', '/dev/null', '-P', secret, '-e', 'inject=openat:delay_exit=3000000')
    const stalling = launch(env, ['serve'], slow)
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
})

it('A database without a version, or of another one, is refused and stays untouched', async () => {
  for (const files of [{}, { PG_VERSION: '14\n' }]) {
    const database = join(newFolder(), 'database')
    mkdirSync(database)
    const before = { 'notes.txt': 'mine', ...files }
    for (const [name, text] of Object.entries(before)) writeFileSync(join(database, name), text)
    expect(await refusal(launch({ DATA_DIR: join(database, '..'), PORT: '0' }))).toContain(`DATA_DIR: ${database}`)
    const after = readdirSync(database).map(name => [name, readFileSync(join(database, name), 'utf8')])
    expect(Object.fromEntries(after)).toEqual(before)
  }
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
