import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { transformWithEsbuild } from 'vite'
import { describe, expect, inject, it } from 'vitest'
import { diwan } from '../support/command.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { created } from '../support/diwan.ts'
import { asOwner, makeReadOnly, makeWritable } from '../support/nobody.ts'
import { refusal } from '../support/refused-start.ts'
import { embedded, launch, newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve } from '../support/server-process.ts'
import { freePort, until } from '../support/servers.ts'

const { version, engines } = JSON.parse(readFileSync('package.json', 'utf8'))

const COMMANDS =
  'serve worker init sign-in-link doctor migrate backup restore accept-secret export verify-files move-files company user key webhook requests api watch listen import generate schema openapi completion version'

describe('The command line', () => {
  it.each([[], ['--help'], ['-h'], ['help']])('lists every command on one screen, with %j', async (...args) => {
    const { code, stdout, stderr } = await diwan({ PORT: 'unusable' }, ...args)
    expect([code, stderr]).toEqual([0, ''])
    for (const command of COMMANDS.split(' ')) expect(stdout).toMatch(new RegExp(`^  ${command} +[A-Z].+\\.$`, 'm'))
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(33)
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(84)
  })

  it.each([
    ['help', 'key', 'create'],
    ['key', 'create', '--help'],
    ['key', 'create', '-h', '--nonsense'],
  ])('explains one command: %s %s %s', async (...args) => {
    const { code, stdout, stderr } = await diwan({}, ...args)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Usage: diwan key create \[OPTIONS\]\n\nMake an API key\./)
    expect(stdout).toMatch(/^ {2}--access TEXT +Sets access \(read, write; default write\)$/m)
    expect(stdout).toContain('diwan key create --name Reporting --access read')
  })

  it('explains each of them within a screen, in lines that fit', async () => {
    for (const command of [...COMMANDS.split(' '), 'company create', 'webhook create', 'webhook replay']) {
      const { code, stdout } = await diwan({}, 'help', ...command.split(' '))
      const lines = stdout.split('\n')
      expect([command, code, lines.length <= 36, lines.every(line => line.length <= 90)]).toEqual([
        command,
        0,
        true,
        true,
      ])
    }
  })

  it('lists the commands of a group, and ends with 2 when none of them was named', async () => {
    const [asked, forgotten] = [await diwan({}, 'help', 'webhook'), await diwan({}, 'webhook')]
    expect(asked.stdout).toMatch(/^ {2}webhook replay +Send recent deliveries again\.$/m)
    expect([asked.code, forgotten.code, forgotten.stdout]).toEqual([0, 2, asked.stdout])
  })

  it('says its version', async () => {
    for (const word of ['--version', 'version']) expect((await diwan({}, word)).stdout).toBe(`diwan ${version}\n`)
  })

  it.each([
    [['fly'], 'There is no command "fly": diwan help lists those there are'],
    [['constructor'], 'There is no command "constructor": diwan help lists those there are'],
    [['--port'], 'There is no command "--port": diwan help lists those there are'],
    [['sevre'], 'There is no command "sevre". Did you mean "serve"?'],
    [['company', 'crate'], 'There is no command "company crate". Did you mean "company create"?'],
    [['generate', '--tasks', 'many'], '--tasks must be a whole number, not "many"'],
    [['generate', '--tasks', '0'], '--tasks must be a whole number from 1 to 100000000'],
    [['generate', '--tasks'], '--tasks must be followed by a value'],
    [['generate', '--tasks', '--companies', '1'], '--tasks must be followed by a value'],
    [['generate', '--taks', '5'], 'generate has no option --taks. Did you mean --tasks?'],
    [['serve', '--port', '80'], 'serve has no option --port: diwan help serve lists them'],
    [['serve', 'now'], 'serve takes no arguments, and "now" is one too many'],
    [['doctor', '--json=yes'], '--json takes no value'],
    [['key', 'create', '--access', 'all'], '--access must be one of read, write'],
    [['company', 'create', '--name', 'x'], '--time-zone must be given: diwan help company create explains it'],
    [['company', 'show'], 'COMPANY must be given: The id of the company'],
    [['completion', 'tcsh'], 'SHELL must be one of bash, zsh, fish'],
    [['company', 'list', '--url', 'ftp://x'], '--url must begin with http:// or https://'],
    [['api', 'FETCH', '/me'], 'METHOD must be one of GET, POST, PUT, PATCH, DELETE'],
    [['api', 'GET', 'me'], 'PATH must begin with a slash, as in /projects'],
    [['api', 'POST', '/projects', 'name'], 'FIELD must be name=text, name:=JSON or name@FILE, not "name"'],
  ])('ends with 2 and one line when %j cannot be meant', async (args, line) => {
    expect(await diwan({}, ...args)).toEqual({ code: 2, stdout: '', stderr: `diwan: ${line}\n` })
  })

  it('is coloured for nobody but a terminal', async () => {
    expect((await diwan({}, 'help')).stdout).not.toContain('\u001b')
    // In a separate terminal: Node also checks CI, TERM and other variables to find out what a terminal can display.
    const onTerminal = (env: Record<string, string>) =>
      execFileSync('script', ['-qec', `${process.execPath} dist/main.js help`, '/dev/null'], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, TERM: 'xterm', ...env },
      })
    expect(onTerminal({})).toContain('\u001b[1mRunning a server')
    expect(onTerminal({ NO_COLOR: '1' })).not.toContain('\u001b[1m')
  })
})

describe('A bucket that cannot be reached', () => {
  it('is told in one line by every command that needs it', async () => {
    const stored = embedded()
    const server = await serve(stored)
    const company = await server.diwan.company()
    const files = `/projects/${(await server.diwan.project(company)).id}/files`
    await created(company.api.post(files, { name: 'a.txt', content: 'bytes' }))
    await server.end('SIGTERM')
    const env = { ...stored, S3_URL: `http://key:secret@127.0.0.1:${await freePort()}/bucket` }
    const commands = [['backup', join(newFolder(), 'backup.tar')], ['verify-files'], ['move-files']]
    const run = ([name = '', ...args]: string[]) =>
      diwan(name === 'move-files' ? { ...env, S3_MOVE: 'in' } : env, name, ...args)
    for (const command of commands) {
      const { code, stderr } = await run(command)
      expect([command[0], code, stderr]).toEqual([command[0], 1, 'diwan: S3 could not be reached: ECONNREFUSED\n'])
    }
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
