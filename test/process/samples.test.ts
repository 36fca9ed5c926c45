import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { describeWith } from '../support/describe-with.ts'
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
async function startDemo(): Promise<{ server: ServerProcess; key: string }> {
  const server = await serve({ ...embedded(), DEMO: 'on' })
  const { body } = await server.diwan.operator.get('/companies')
  const key = await server.diwan.key(body.data[0].id)
  const file = '/projects/website-launch/files/fil-9d4w7c1hza'
  await until(async () => (await server.diwan.api(key).get(file)).body.data.downloadable)
  return { server, key }
}

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
const ORDER = 'deleteTask deleteTaskList deleteDiscussion deleteFile deleteFolder deleteEvent deleteProject'.split(' ')
const place = (name: string) => ORDER.indexOf(name.replace('InProject', '')) + 1

/** The description as the reference page shows it: with the URL of the server. */
async function description({ url }: ServerProcess) {
  const text = await (await fetch(`${url}/openapi.json`)).text()
  return JSON.parse(text.replaceAll('$DIWAN_URL', url))
}

/** A record can be deleted only once, so the nested and the flat addresses each get a company of their own. */
async function expectSamplesRun(language: Language): Promise<void> {
  for (const addresses of ['nested', 'flat']) {
    const { server, key } = await startDemo()
    const { paths } = await description(server)
    const all = Object.values(paths as Record<string, Record<string, Operation>>).flatMap(path => Object.values(path))
    const samples = all
      .filter(({ operationId }) => operationId.endsWith('InProject') === (addresses === 'nested'))
      .sort((a, b) => place(a.operationId) - place(b.operationId))
      .map(operation => {
        const [sample] = operation['x-codeSamples'].filter(({ lang }) => lang === language)
        return { name: operation.operationId, source: sample?.source ?? 'missing' }
      })
    expect(samples.length).toBeGreaterThan(20)
    expect(await failures(language, key, samples)).toBe('')
    await server.end('SIGKILL')
  }
}

it('The samples of the reference page in JavaScript run against the demo company', () => expectSamplesRun('JavaScript'))

describeWith('python', 'In Python', () => {
  it('the samples of the reference page run against the demo company', () => expectSamplesRun('Python'))
})

describeWith('curl', 'In the shell', () => {
  it('the samples of the reference page run against the demo company', () => expectSamplesRun('Shell'))

  it('the commands of its chapters run too', async () => {
    const { server, key } = await startDemo()
    const { info } = await description(server)
    const blocks = [...(info.description as string).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
    const commands = blocks.filter(block => block.startsWith('curl'))
    expect(commands.length).toBe(4)
    const samples = commands.map((source, n) => ({ name: `chapter-${n}`, source }))
    expect(await failures('Shell', key, samples)).toBe('')
    await server.end('SIGKILL')
  })
})
