import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { embedded, newFolder, type ServerProcess, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const run = promisify(execFile)

interface Sample {
  lang: string
  source: string
}
interface Operation {
  operationId: string
  'x-codeSamples': Sample[]
}

/** A user's folder, with the client installed and curl configured to fail when the server refuses a call. */
let folder: string
beforeAll(async () => {
  folder = newFolder()
  const installed = join(folder, 'node_modules/@diwan')
  mkdirSync(installed, { recursive: true })
  await run('npx', ['tsc', '-p', 'client', '--outDir', join(folder, 'client/dist')])
  cpSync('client/package.json', join(folder, 'client/package.json'))
  symlinkSync(join(folder, 'client'), join(installed, 'client'))
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\nmax-time = 30\n')
  writeFileSync(join(folder, 'run.mjs'), RUN_MODULES)
  writeFileSync(join(folder, 'run.py'), RUN_SCRIPTS)
  writeFileSync(join(folder, 'run.sh'), RUN_COMMANDS)
})

// Runs each sample unchanged, one after the other, and reports failures by name.
const RUN_MODULES = `
for (const file of process.argv.slice(2))
  await import(file).catch(error => console.error('FAILED', file, error.status, error.message))
`
const RUN_SCRIPTS = `
import runpy, sys, urllib.error
for file in sys.argv[1:]:
    try:
        runpy.run_path(file)
    except urllib.error.HTTPError as error:
        print('FAILED', file, error.code, error.read().decode(), file=sys.stderr)
    except Exception as error:
        print('FAILED', file, repr(error), file=sys.stderr)
`
const RUN_COMMANDS = 'for file in "$@"; do sh -eu "$file" || echo "FAILED $file" >&2; done'

const LANGUAGES = {
  Shell: { extension: 'sh', runner: ['sh', 'run.sh'] },
  JavaScript: { extension: 'mjs', runner: ['node', 'run.mjs'] },
  Python: { extension: 'py', runner: ['python3', 'run.py'] },
}
type Language = keyof typeof LANGUAGES

/** A separate server with only the demo company, and a key that may also delete. */
let server: ServerProcess
async function startDemo(): Promise<string> {
  server = await serve({ ...embedded(), DEMO: 'on' })
  const { body } = await server.diwan.operator.get('/companies')
  const key = await server.diwan.key(body.data[0].id)
  const file = '/projects/website-launch/files/fil-9d4w7c1hza'
  await until(async () => (await server.diwan.api(key).get(file)).body.data.downloadable)
  return key
}
afterEach(async () => {
  await server?.end('SIGKILL')
})

/** Which of these samples fail, and how. */
async function failures(language: Language, key: string, samples: { name: string; source: string }[]): Promise<string> {
  const { extension, runner } = LANGUAGES[language]
  const own = newFolder()
  const files = samples.map(({ name, source }) => {
    const file = join(folder, `${name}.${extension}`)
    writeFileSync(file, source)
    return file
  })
  const [program = '', ...args] = runner
  const env = { ...process.env, HOME: folder, DIWAN_KEY: key, TMPDIR: own, PYTHONIOENCODING: 'utf-8' }
  const { stderr } = await run(program, [...args, ...files], { cwd: folder, env, timeout: 150_000, maxBuffer: 64e6 })
  return stderr.replaceAll(`${folder}/`, '')
}

/** Deletions come last, and records are deleted before what contains them. */
const ORDER = [
  'deleteTask',
  'deleteTaskList',
  'deleteDiscussion',
  'deleteFile',
  'deleteFolder',
  'deleteEvent',
  'deleteProject',
]
const place = (name: string) => ORDER.indexOf(name.replace('InProject', '')) + 1

/** The description as the reference page shows it: with the URL of the server. */
async function description() {
  const text = await (await fetch(`${server.url}/openapi.json`)).text()
  return JSON.parse(text.replaceAll('$DIWAN_URL', server.url))
}

describe('The samples of the reference page', () => {
  async function operations(): Promise<Operation[]> {
    const { paths } = await description()
    return Object.values(paths as Record<string, Record<string, Operation>>).flatMap(path => Object.values(path))
  }

  // A record can be deleted only once, so the nested and the flat addresses each get a company of their own.
  it.each(
    Object.keys(LANGUAGES).flatMap(language => [
      { language: language as Language, addresses: 'nested' },
      { language: language as Language, addresses: 'flat' },
    ]),
  )('run against the demo company: $language, $addresses addresses', async ({ language, addresses }) => {
    const key = await startDemo()
    const all = await operations()
    const chosen = all
      .filter(({ operationId }) => operationId.endsWith('InProject') === (addresses === 'nested'))
      .sort((a, b) => place(a.operationId) - place(b.operationId))
    expect(chosen.length).toBeGreaterThan(20)
    const samples = chosen.map(operation => {
      const [sample] = operation['x-codeSamples'].filter(({ lang }) => lang === language)
      return { name: operation.operationId, source: sample?.source ?? 'missing' }
    })
    expect(await failures(language, key, samples)).toBe('')
  })

  it('and the commands of its chapters do too', async () => {
    const key = await startDemo()
    const { info } = await description()
    const blocks = [...(info.description as string).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
    const commands = blocks.filter(block => block.startsWith('curl'))
    expect(commands.length).toBe(4)
    expect(
      await failures(
        'Shell',
        key,
        commands.map((source, n) => ({ name: `chapter-${n}`, source })),
      ),
    ).toBe('')
  })
})
