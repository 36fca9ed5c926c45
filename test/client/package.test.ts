// @module-tag long

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newWebhookSecret, signature } from '../../src/domain/webhooks/signature.ts'
import { useApp } from '../support/app.ts'
import { launchBrowser } from '../support/browser.ts'
import { describeWith } from '../support/describe-with.ts'
import type { TestCompany } from '../support/diwan.ts'

const run = promisify(execFile)
/** To pack, to compile and to start programs takes its time on a busy machine. */
const TIMEOUT = { timeout: 180_000 }
const app = useApp()
let company: TestCompany
/** A project of somebody else, in which the package is installed as it would be published. */
let folder: string
let installed: string

beforeAll(async () => {
  company = await app.diwan.company()
  folder = mkdtempSync(join(tmpdir(), 'diwan-client-'))
  installed = join(folder, 'node_modules/@diwan/client')
  mkdirSync(installed, { recursive: true })
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: 'client' })
  const [tarball = ''] = readdirSync(folder).filter(name => name.endsWith('.tgz'))
  await run('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1'])
  symlinkSync(resolve('node_modules/@types'), join(folder, 'node_modules/@types'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
}, TIMEOUT.timeout)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program of that project with an address and a key of a real server, and gives what it printed. */
async function runProgram(file: string): Promise<string[]> {
  const env = { ...process.env, DIWAN_URL: app.url, DIWAN_KEY: company.key }
  const { stdout } = await run('node', [file], { cwd: folder, env, timeout: 150_000 })
  return stdout.trimEnd().split('\n')
}

/** Compiles a program of that project as its author would, and gives the numbers of the lines that are wrong. */
async function compiled(file: string, module: string, ...more: string[]): Promise<number[]> {
  const options = ['--strict', '--module', module, '--target', 'es2022', '--types', 'node', '--lib', 'es2022', ...more]
  const failed = await run(resolve('node_modules/.bin/tsc'), [file, ...options], { cwd: folder }).catch(error => error)
  return [...String(failed.stdout).matchAll(/^\w+\.c?ts\((\d+),/gm)].map(([, line]) => Number(line))
}

describe('The package', () => {
  it('holds what is needed to use it, depends on nothing, and is small', TIMEOUT, async () => {
    const { dependencies, name, exports, version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect([dependencies, name, exports['.'].import.default]).toEqual([undefined, '@diwan/client', './dist/index.js'])
    expect(version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version)
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
    expect(readdirSync(join(installed, 'dist')).filter(file => !/\.(js|d\.ts)$/.test(file))).toEqual(['cjs'])
    expect(gzipSync(await bundled()).length).toBeLessThanOrEqual(12_000)
  })

  it('lets a strict program, written from its types alone, do a whole workflow', TIMEOUT, async () => {
    writeFileSync(join(folder, 'workflow.ts'), readFileSync('client/examples/workflow.ts'))
    const strict = ['exactOptionalPropertyTypes', 'noUncheckedIndexedAccess', 'noPropertyAccessFromIndexSignature']
    expect(await compiled('workflow.ts', 'nodenext', ...strict.map(option => `--${option}`))).toEqual([])
    expect(await runProgram('workflow.js')).toEqual([
      expect.stringMatching(/^Layla Haddad of Company /),
      "[ 'شراء الكراسي', 'Order the desks' ]",
      "[ 'Order the desks' ]",
      'Layla Haddad 1448-08-02',
      '412 precondition_failed',
      'true 1',
      "/Plans [ 'plan.md: pending' ]",
      '1',
      'comment.created comment.updated discussion.created file.created folder.created task.completed task.created task.deleted task.updated task_list.created',
      'true',
      'true true',
    ])
  })

  it('is required, with its types, by a CommonJS program', TIMEOUT, async () => {
    const program = `import { createDiwan, DiwanError, type Task } from '@diwan/client'
const diwan = createDiwan({ url: process.env.DIWAN_URL ?? '', key: process.env.DIWAN_KEY ?? '' })
const find = async (): Promise<Task> => diwan.tasks.get('tsk-0000000000')
find().catch(error => console.log(error instanceof DiwanError, error.code, typeof require))
`
    writeFileSync(join(folder, 'required.cts'), program)
    expect(await compiled('required.cts', 'node16')).toEqual([])
    expect(await runProgram('required.cjs')).toEqual(['true not_found function'])
  })

  it('does not let a program compile that names a field or a method wrongly', TIMEOUT, async () => {
    const wrong = `import { createDiwan } from '@diwan/client'
const diwan = createDiwan({ url: '', key: '' })
diwan.lists.createTask('lst-1', { titel: '' })
diwan.lists.createTask('lst-1', {})
diwan.tasks.finish('tsk-1')
diwan.lists.update('lst-1', { priority: 'highest' })
diwan.lists.createTask('lst-1', { title: '' }, { ifMatch: '*' })
const title: number = (await diwan.tasks.get('tsk-1')).title
export { title }
`
    writeFileSync(join(folder, 'wrong.ts'), wrong)
    expect([...new Set(await compiled('wrong.ts', 'nodenext', '--noEmit'))]).toEqual([3, 4, 5, 6, 7, 8])
  })
})

describeWith('chromium', 'In a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  }, TIMEOUT.timeout)
  afterAll(() => browser?.close())

  it('the same package calls, iterates, follows changes and verifies webhooks', TIMEOUT, async () => {
    const page = await browser.newPage()
    await page.route(`${app.url}/page`, route =>
      route.fulfill({ contentType: 'text/html', body: '<title>Page</title>' }),
    )
    await page.route(`${app.url}/client.js`, async route =>
      route.fulfill({ contentType: 'text/javascript', body: await bundled() }),
    )
    await page.goto(`${app.url}/page`)
    const secret = newWebhookSecret()
    const timestamp = Math.floor(Date.now() / 1000)
    const hook = {
      secret,
      body: '{"type":"ping"}',
      timestamp,
      signature: signature([secret], 'msg_1', timestamp, '{"type":"ping"}'),
    }
    const program = `(async ({ key, hook }) => {
      const { createDiwan, verifyWebhook } = await import('/client.js')
      const diwan = createDiwan({ url: location.origin, key })
      const { meta } = await diwan.company.changes()
      const project = await diwan.projects.create({ name: 'في المتصفح' })
      const names = []
      for await (const { name } of diwan.projects.list({ limit: 1 })) names.push(name)
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(hook.timestamp), 'webhook-signature': hook.signature }
      const message = await verifyWebhook({ secret: hook.secret, headers, body: hook.body })
      const refusal = await diwan.tasks.get('tsk-0').catch(error => error.code)
      for await (const change of diwan.changes({ after: meta.next_cursor }))
        return { first: names[0], type: message.type, refusal, followed: change.id === project.id }
    })(${JSON.stringify({ key: company.key, hook })})`
    expect(await page.evaluate(program)).toEqual({
      first: 'في المتصفح',
      type: 'ping',
      refusal: 'not_found',
      followed: true,
    })
  })
})

/** The package in one file, as a page would load it. */
async function bundled(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: 'esbuild', lib: { entry: join(installed, 'dist/index.js'), formats: ['es'] } },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error('Nothing was built')
  return output.output.flatMap(each => ('code' in each ? [each.code] : [])).join('\n')
}
