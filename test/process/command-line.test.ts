import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { transformWithEsbuild } from 'vite'
import { describe, expect, inject, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import { asOwner, makeReadOnly, makeWritable } from '../support/nobody.ts'
import { refusal } from '../support/refused-start.ts'
import { embedded, launch, newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const { version, engines } = JSON.parse(readFileSync('package.json', 'utf8'))

describe('The command line', () => {
  it.each([['--help'], ['-h'], ['help'], ['key', '--help']])('lists every command on %s %s', async (...args) => {
    const asked = launch({ PORT: 'unusable' }, args.filter(Boolean))
    expect([await asked.exited, asked.stderr()]).toEqual([{ code: 0, signal: null }, ''])
    for (const command of ['serve', 'worker', 'migrate', 'key', 'verify-files', 'generate', 'schema', 'openapi'])
      expect(asked.stdout()).toMatch(new RegExp(`^  ${command} +[A-Z].+\\.$`, 'm'))
  })

  it('says its version', async () => {
    const asked = launch({}, ['--version'])
    await asked.exited
    expect(asked.stdout()).toBe(`diwan ${version}\n`)
  })

  it.each(['fly', 'constructor', '--port'])('says in one line that there is no command %s', async command => {
    expect(await refusal(launch({}, [command]))).toBe(
      `diwan: There is no command "${command}". --help lists those there are\n`,
    )
  })
})

describe('An old Node', () => {
  const pretending = (node: string) => {
    const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`
    return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
  }
  const needed: string = engines.node.replace('>=', '')

  it.each(['16.20.2', '18.20.8', '20.18.3'])('gets one line on %s', async node => {
    expect(await refusal(launch(pretending(node)))).toBe(
      `diwan: Node.js ${needed} or newer is needed; this is ${node}\n`,
    )
  })

  it.each([`${needed}.0`, '21.0.0', '24.1.0'])('is not what %s is', async node => {
    const asked = launch(pretending(node), ['--version'])
    expect(await asked.exited).toEqual({ code: 0, signal: null })
  })

  it('can read the file that says so: nothing in it is newer than Node 16, and it imports nothing before', async () => {
    const code = readFileSync('dist/main.js', 'utf8')
    const readFor = async (target: string) => (await transformWithEsbuild(code, 'main.js', { target })).code
    expect(await readFor('node16')).toBe(await readFor('esnext'))
    expect(code).not.toMatch(/^import |^export .* from /m)
  })
})

describe('A port that is taken at the first start', () => {
  it('does not cost the demo key: the next start shows one that works', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    const DATA_DIR = newFolder()
    expect(await refusal(launch({ DATA_DIR, PORT: String(port) }))).toContain(`PORT`)
    taken.close()
    const server = await serve({ DATA_DIR })
    const key = server.stdout().match(/API key {4}(svc_api_\w+)/)?.[1]
    const { body } = await server.diwan.api(key).get('/me')
    expect(body).toMatchObject({ data: { company: { name: 'Diwan Demo' } } })
    await server.end('SIGKILL')
  })
})

describe('A data folder that cannot be written', () => {
  const cannot = (folder: string) => `diwan: DATA_DIR: ${folder} cannot be written: EACCES: permission denied\n`

  it.each([
    ['serve', {}],
    ['serve', { SERVER_SECRET, OPERATOR_TOKEN }],
    ['migrate', {}],
    ['verify-files', {}],
    ['generate', {}],
  ])('is named by its variable, in one line, on %s with %j', async (command, env) => {
    const folder = newFolder()
    makeReadOnly(folder)
    for (const DATA_DIR of [folder, join(folder, 'below')])
      expect(await refusal(launch({ ...env, DATA_DIR }, [command], asOwner))).toBe(cannot(DATA_DIR))
  })

  it.each(['database', 'files'])('is named too when it is %s within it', async name => {
    const DATA_DIR = newFolder()
    embedded(DATA_DIR)
    mkdirSync(join(DATA_DIR, 'files'), { recursive: true })
    makeReadOnly(join(DATA_DIR, name))
    const line = await refusal(launch({ DATA_DIR, PORT: '0' }, ['serve'], asOwner))
    expect(line).toBe(cannot(join(DATA_DIR, name)))
    makeWritable(DATA_DIR)
  })

  it.skipIf(!inject('postgresUrl'))('is named with PostgreSQL, on servers and workers', async () => {
    const { url: DATABASE_URL, drop } = await createPostgresDatabase()
    const DATA_DIR = newFolder()
    makeReadOnly(DATA_DIR)
    for (const command of ['serve', 'worker']) {
      const line = await refusal(launch({ DATA_DIR, DATABASE_URL, SERVER_SECRET, OPERATOR_TOKEN }, [command], asOwner))
      expect(line).toMatch(/^diwan: DATA_DIR: .* cannot be written: EACCES: permission denied\n$/)
    }
    await drop()
  })
})

describe('A secret from the environment with fewer than 32 characters', () => {
  const short = 'x'.repeat(31)

  it('is used, with a warning in a block of its own and in the log, at every start', async () => {
    const env = { ...embedded(), SERVER_SECRET: short, OPERATOR_TOKEN: short }
    const block =
      /^\*{78}\n\* {2}WARNING: fewer than 32 characters in SERVER_SECRET and OPERATOR_TOKEN\n(\*.*\n)+\*{78}$/m
    for (const start of ['first', 'second']) {
      const server = await serve(env)
      await until(async () => block.test(server.stderr()) && server.stderr().includes('"level":40'))
      const logged = server.stderr().match(/^\{"level":40.*$/m)?.[0] as string
      expect(JSON.parse(logged), start).toMatchObject({ variables: ['SERVER_SECRET', 'OPERATOR_TOKEN'] })
      expect(server.stderr()).not.toContain(short)
      expect((await server.diwan.operator.get('/companies')).status).toBe(200)
      await server.end('SIGKILL')
    }
  })

  it.skipIf(!inject('postgresUrl'))('is warned of by a worker too', async () => {
    const { url: DATABASE_URL, drop } = await createPostgresDatabase()
    const worker = launch({ DATA_DIR: newFolder(), DATABASE_URL, SERVER_SECRET: short }, ['worker'])
    await until(async () => worker.stderr().includes('WARNING: fewer than 32 characters in SERVER_SECRET'))
    await worker.end('SIGTERM')
    await drop()
  })

  it('is nothing to warn of when it has 32', async () => {
    const server = await serve({ ...embedded(), SERVER_SECRET: `${short}x`, OPERATOR_TOKEN: `${short}x` })
    await server.end('SIGTERM')
    expect(server.stderr()).not.toMatch(/WARNING|"level":40/)
  })
})
