import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { documented } from '../support/documented.ts'
import { newFolder, type ServerProcess, serve } from '../support/server-process.ts'

const run = promisify(execFile)

/** Where the reader is: the data folder is beside them, and what the README puts elsewhere goes below. */
const here = newFolder()
const elsewhere = join(here, 'elsewhere')
let server: ServerProcess
let key: string
beforeAll(async () => {
  mkdirSync(elsewhere)
  server = await serve({ DATA_DIR: join(here, 'data'), BURST_PER_MINUTE: '0' })
  key = server.stdout().match(/API key {4}(svc_api_\w+)/)?.[1] as string
})

async function follow(script: string, cwd = here): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: elsewhere,
    DATA_DIR: join(here, 'data'),
    PORT: String(server.port),
    KEY: key,
    npm_config_offline: 'true',
    npm_config_audit: 'false',
  }
  const moved = script
    .replaceAll('http://127.0.0.1:3000', server.url)
    .replaceAll('/tmp', elsewhere)
    .replace(/^npm (run|pack)/gm, `npm --prefix ${resolve('.')} $1`)
  const { stdout } = await run('bash', ['-euc', moved], { cwd, env, timeout: 120_000 })
  return stdout.trim()
}

const blocks = documented('README.md', 'A first session')
const session = blocks.filter(block => /^api /m.test(block) && !block.includes('api()'))
const settings = (blocks[0] ?? '').replace('export KEY=svc_api_…', ':')

/** A call and, in the lines after it, what it is said to answer. */
const calls = session
  .join('\n')
  .split(/\n(?=api )/)
  .map(text => ({
    command: text.replaceAll(/^#.*\n?/gm, ''),
    answer: text.match(/^# (.*)$/m)?.[1] ?? '',
  }))

describe('The README', () => {
  it('has a first session that works as it stands, with the answers that it shows', async () => {
    expect(calls.length).toBe(9)
    // Refs, numbers and times are others each time.
    const refs = new Map<string, string>()
    const known = (text: string) => [...refs].reduce((done, [shown, actual]) => done.replaceAll(shown, actual), text)
    const lasting = (text: string) => text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"|"id":\d+/g, 'varies')
    for (const { command, answer } of calls) {
      const actual = await follow(`${settings}\n${known(command)}`)
      const [shownRef, actualRef] = [answer, actual].map(text => text.match(/"(?:id|ref)":"([a-z]{3}-\w+)"/)?.[1])
      if (shownRef && actualRef) refs.set(shownRef, actualRef)
      let rest = lasting(actual)
      for (const piece of lasting(known(answer)).split('…')) {
        expect(rest, command).toContain(piece)
        rest = rest.slice(rest.indexOf(piece) + piece.length)
      }
    }
  })

  it('leads to a program that creates a task', async () => {
    const [install = '', start = ''] = documented('README.md', 'A first session').filter(block =>
      /npm pack|first-task/.test(block),
    )
    const [program = ''] = documented('README.md', 'A first session', 'js')
    await follow(install)
    const folder = join(elsewhere, 'first-program')
    writeFileSync(join(folder, 'first-task.mjs'), program.replace('http://127.0.0.1:3000', server.url))
    const created = await follow(start, folder)
    const shown = start.match(/^# (.*)$/m)?.[1] as string
    const withoutRef = (text: string) => text.replace(/tsk-\w+/, 'tsk-')
    expect(withoutRef(created)).toBe(withoutRef(shown))
    const task = (await server.diwan.api(key).get(`/tasks/${created.split(' ')[1]}`)).body.data
    expect(task).toMatchObject({ title: 'كتابة الصفحة الأولى', due_at: '2027-02-01' })
  })

  it('makes another key, and manages companies', async () => {
    const [keys = ''] = blocks.filter(block => block.includes('npm run --silent key'))
    const made = (await follow(keys)).split('\n')
    expect(made).toEqual([expect.stringMatching(/^svc_api_\w+$/), expect.stringMatching(/^svc_api_\w+$/)])
    const [companies = ''] = blocks.filter(block => block.includes('/admin/v1/companies'))
    const [list, created] = (await follow(companies.replaceAll(/^curl/gm, 'echo; curl'))).split('\n').filter(Boolean)
    expect(JSON.parse(list as string).data).toMatchObject([{ name: 'Diwan Demo' }])
    expect(JSON.parse(created as string).data).toMatchObject({ owner_token: expect.stringMatching(/^svc_/) })
  })
})
