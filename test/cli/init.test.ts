import { existsSync, readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { diwan, diwanJson } from '../support/command-in-process.ts'
import { type Env, embedded, newFolder } from '../support/server-process.ts'

// Each command opens a database of its own.
vi.setConfig({ testTimeout: 240_000 })

const init = (env: Env, ...more: string[]) =>
  diwan(env, 'init', '--name', 'شركة نجد', '--owner-name', 'Layla', '--owner-email', 'layla@example.com', ...more)

it('The first company is made on an empty folder, once, and not from what the administration would refuse', async () => {
  const env = { DATA_DIR: newFolder() }
  const address = await diwan(env, 'init', '--name', 'x', '--owner-name', 'y', '--owner-email', 'nobody')
  expect(address).toMatchObject({ code: 1, stderr: 'diwan: owner.email must be an e-mail address\n' })
  expect(existsSync(`${env.DATA_DIR}/database`)).toBe(false)
  const zone = await init(env, '--time-zone', 'Mars')
  expect(zone).toMatchObject({ code: 1, stderr: expect.stringContaining('time_zone must be an IANA time zone') })
  expect(await init(env, '--time-zone', 'Asia/Riyadh')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^svc_\w+\n$/),
  })
  expect(await init(env)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'diwan: There is a company already: diwan company create makes another on the running server\n',
  })
})

it('A sign-in link needs the secret and the tables of the installation', async () => {
  const env = { ...embedded(), PUBLIC_URL: 'https://diwan.example.com' }
  const { code, stdout } = await diwan(env, 'sign-in-link')
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^https:\/\/diwan\.example\.com\/console#code=svc_link_\w+\n$/),
  ])
  expect(await diwan({ DATA_DIR: newFolder() }, 'sign-in-link')).toMatchObject({
    code: 1,
    stderr: 'diwan: The database has no tables yet: start the server once, or run diwan migrate\n',
  })
})

it('A company that was generated comes back from a backup as it was, and a foreign one is refused', {
  tags: 'long',
}, async () => {
  const env = embedded()
  expect((await diwan(env, 'generate', '--companies', '1', '--tasks', '200')).code).toBe(0)
  const file = `${newFolder()}/backup.tar`
  expect(await diwanJson(env, 'backup', file)).toMatchObject({ file, engine: 'embedded', missing_files: [] })
  const { DATA_DIR: _, ...secrets } = env
  const target = { ...secrets, DATA_DIR: `${newFolder()}/data` }
  const foreign = await diwan({ ...target, SERVER_SECRET: 'x'.repeat(40) }, 'restore', file)
  expect(foreign).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('SERVER_SECRET must be that of the installation'),
  })
  expect(existsSync(target.DATA_DIR)).toBe(false)
  expect((await diwan(env, 'restore', file)).stderr).toMatch(/^diwan: DATA_DIR must have no database, and .* has one/)
  expect((await diwan(target, 'restore', file, '--verify-only')).stdout).toMatch(/^Verified [\d,]+ rows, 0 files,/)
  expect(await diwan(target, 'restore', file)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored [\d,]+ rows/),
  })
  const exported = []
  for (const each of [env, target]) {
    const folder = `${newFolder()}/export`
    expect((await diwan(each, 'export', '1', folder)).code).toBe(0)
    exported.push(readFileSync(`${folder}/tasks.jsonl`, 'utf8'))
  }
  expect(exported[0]?.trim().split('\n').length).toBeGreaterThanOrEqual(200)
  expect(exported[1]).toBe(exported[0])
  const elsewhere = newFolder()
  expect((await diwan(env, 'export', '99', `${elsewhere}/e`)).stderr).toBe('diwan: There is no company 99\n')
  expect((await diwan(env, 'export', '1', env.DATA_DIR as string)).stderr).toMatch(
    /^diwan: FOLDER must not exist, or be empty/,
  )
})
