import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { transformWithEsbuild } from 'vite'
import { describe, expect, it } from 'vitest'
import { diwan } from '../support/command.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { created } from '../support/diwan.ts'
import { asOwner, makeReadOnly, makeWritable } from '../support/nobody.ts'
import { refusal } from '../support/refused-start.ts'
import {
  embedded,
  launch,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  serve,
  withoutJobs,
} from '../support/server-process.ts'
import { freePort, until } from '../support/servers.ts'

const { version, engines } = JSON.parse(readFileSync('package.json', 'utf8'))

it('The program ends with 0, 1 or 2, writes to the right stream, and is coloured for nobody but a terminal', async () => {
  expect(await diwan({}, '--version')).toEqual({ code: 0, stdout: `diwan ${version}\n`, stderr: '' })
  expect((await diwan({}, 'webhook')).code).toBe(2)
  expect(await diwan({}, 'fly')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^diwan: There is no/),
  })
  expect((await diwan({}, 'api', 'GET', '/me')).code).toBe(1)
  expect((await diwan({ DATA_DIR: newFolder(), PORT: 'x' }, 'doctor')).code).toBe(1)
  // The reader of the output may close the pipe early.
  const help = `${process.execPath} dist/main.js help`
  expect(execFileSync('bash', ['-c', `set -o pipefail; ${help} | true`], { encoding: 'utf8' })).toBe('')
  expect((await diwan({}, 'help')).stdout).not.toContain('\u001b')
  // In a separate terminal: Node also checks CI, TERM and other variables to find out what a terminal can display.
  const onTerminal = (env: Record<string, string>) =>
    execFileSync('script', ['-qec', help, '/dev/null'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, TERM: 'xterm', ...env },
    })
  expect(onTerminal({})).toContain('\u001b[1mRunning a server')
  expect(onTerminal({ NO_COLOR: '1' })).not.toContain('\u001b[1m')
})

it('A bucket that cannot be reached is told in one line by every command that needs it', async () => {
  const stored = withoutJobs()
  const server = await serve(stored)
  const company = await server.diwan.company()
  const files = `/projects/${(await server.diwan.project(company)).id}/files`
  await created(company.api.post(files, { name: 'a.txt', content: 'bytes' }))
  await server.end('SIGTERM')
  const env = { ...stored, S3_URL: `http://key:secret@127.0.0.1:${await freePort()}/bucket` }
  for (const command of [['backup', join(newFolder(), 'backup.tar')], ['verify-files']])
    expect([command, await diwan(env, ...command)]).toMatchObject([
      command,
      { code: 1, stderr: 'diwan: S3 could not be reached: ECONNREFUSED\n' },
    ])
})

describe('An old Node', () => {
  const pretending = (node: string) => {
    const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`
    return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
  }
  const needed: string = engines.node.replace('>=', '')

  it('gets one line, and one that is new enough does not', async () => {
    for (const node of ['16.20.2', '20.18.3'])
      expect(await refusal(launch(pretending(node)))).toBe(
        `diwan: Node.js ${needed} or newer is needed; this is ${node}\n`,
      )
    for (const node of [`${needed}.0`, '21.0.0'])
      expect(await launch(pretending(node), ['--version']).exited).toEqual({ code: 0, signal: null })
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

const cannot = (folder: string) => `diwan: DATA_DIR: ${folder} cannot be written: EACCES: permission denied\n`

it('A data folder that cannot be written is named by its variable, in one line', async () => {
  for (const [command, env] of [
    ['serve', {}],
    ['serve', { SERVER_SECRET, OPERATOR_TOKEN }],
    ['migrate', {}],
    ['verify-files', {}],
    ['generate', {}],
  ] as const) {
    const folder = newFolder()
    makeReadOnly(folder)
    for (const DATA_DIR of [folder, join(folder, 'below')])
      expect([command, await refusal(launch({ ...env, DATA_DIR }, [command], asOwner))]).toEqual([
        command,
        cannot(DATA_DIR),
      ])
  }
  for (const name of ['database', 'files']) {
    const DATA_DIR = newFolder()
    embedded(DATA_DIR)
    mkdirSync(join(DATA_DIR, 'files'), { recursive: true })
    makeReadOnly(join(DATA_DIR, name))
    expect(await refusal(launch({ DATA_DIR, PORT: '0' }, ['serve'], asOwner))).toBe(cannot(join(DATA_DIR, name)))
    makeWritable(DATA_DIR)
  }
  const DATA_DIR = newFolder()
  makeReadOnly(DATA_DIR)
  const examined = launch({ DATA_DIR, PORT: String(await freePort()) }, ['doctor'], asOwner)
  expect((await examined.exited).code).toBe(1)
  expect(examined.stdout()).toMatch(/^FAULT +storage +.*cannot be written: EACCES.*\n +.*chown/m)
})

describeWith('postgres', 'With PostgreSQL', () => {
  it('servers and workers name a data folder that cannot be written', async () => {
    const { url: DATABASE_URL, drop } = await createPostgresDatabase()
    const DATA_DIR = newFolder()
    makeReadOnly(DATA_DIR)
    for (const command of ['serve', 'worker']) {
      const line = await refusal(launch({ DATA_DIR, DATABASE_URL, SERVER_SECRET, OPERATOR_TOKEN }, [command], asOwner))
      expect(line).toMatch(/^diwan: DATA_DIR: .* cannot be written: EACCES: permission denied\n$/)
    }
    await drop()
  })

  it('a worker warns of a short secret', async () => {
    const { url: DATABASE_URL, drop } = await createPostgresDatabase()
    const worker = launch({ DATA_DIR: newFolder(), DATABASE_URL, SERVER_SECRET: 'x'.repeat(31) }, ['worker'])
    await until(async () => worker.stderr().includes('WARNING: fewer than 32 characters in SERVER_SECRET'))
    await worker.end('SIGTERM')
    await drop()
  })
})

it('A secret from the environment with fewer than 32 characters is used, with a warning at every start', async () => {
  const short = 'x'.repeat(31)
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
  const quiet = await serve({ ...embedded(), SERVER_SECRET: `${short}x`, OPERATOR_TOKEN: `${short}x` })
  await quiet.end('SIGTERM')
  expect(quiet.stderr()).not.toMatch(/WARNING|"level":40/)
})
