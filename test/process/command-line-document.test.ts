import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { documented } from '../support/documented.ts'
import { newFolder, serve } from '../support/server-process.ts'

const DOCUMENT = 'docs/command-line.md'
const run = promisify(execFile)

it('The document of the command line works as it stands, from an empty folder to a call of the API', async () => {
  const folder = newFolder()
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'diwan'), `#!/bin/sh\nexec ${process.execPath} ${resolve('dist/main.js')} "$@"\n`)
  chmodSync(join(bin, 'diwan'), 0o755)
  const env = { PATH: `${bin}:${process.env.PATH}`, TMPDIR: process.env.TMPDIR, DATA_DIR: join(folder, 'data') }
  const follow = (script: string, more = {}) =>
    run('bash', ['-euc', script], { cwd: folder, env: { ...env, ...more }, encoding: 'utf8' })
  const chapter = (heading: string) => documented(DOCUMENT, heading).join('\n')

  await follow(chapter('A first company'))
  const server = await serve({ DATA_DIR: env.DATA_DIR, WORKER: 'off' })
  const { stdout } = await follow(
    [
      ...['Managing a running server', 'Calling the API', 'Importing tasks', 'Completion'].map(chapter),
      ...documented('docs/importing.md', 'CSV'),
      ...documented('docs/importing.md', 'Importing again'),
    ].join('\n'),
    { PORT: String(server.port) },
  )
  expect(stdout).toMatch(/^1 +Najd Trading/m)
  expect(stdout).toMatch(/^\{"data":\{"key":\{"name":"Reporting"/m)
  expect(stdout).toMatch(/^\{"id":"prj-\w+","name":"Website launch"/m)
  expect(stdout).toContain('"name":"مشروع جديد"')
  expect(stdout).toContain('Imported 2 tasks into 2 lists (1 completed):')
  expect(stdout).toContain('Imported 1 task into 1 list (0 completed):')
  expect(stdout).toContain('0 new, 0 changed, 1 unchanged.')
  expect(stdout).not.toContain('Nobody, or more than one member')
  await server.end('SIGTERM')
  expect((await follow(chapter('When something is wrong'))).stdout).toContain('Nothing is wrong.')
})
