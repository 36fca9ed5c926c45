import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { diwan, diwanJson } from '../support/command.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  type Env,
  newFolder,
  OPERATOR_TOKEN,
  type ServerProcess,
  serve,
  withoutJobs,
} from '../support/server-process.ts'
import { freePort } from '../support/servers.ts'

let server: ServerProcess
let operator: Env
beforeAll(async () => {
  server = await serve({ ...withoutJobs(), ALLOW_PRIVATE_WEBHOOKS: 'on' })
  operator = { DIWAN_URL: server.url, DIWAN_TOKEN: OPERATOR_TOKEN }
})
afterAll(() => server?.end('SIGKILL'))

const owner = ['--owner-name', 'Layla Haddad', '--owner-email', 'layla@example.com']
const create = (name: string, ...more: string[]) =>
  diwanJson(
    operator,
    'company',
    'create',
    '--name',
    name,
    '--time-zone',
    'Asia/Riyadh',
    '--plan',
    'pro',
    ...owner,
    ...more,
  )

describe('Companies', () => {
  it('are created, shown, listed, updated, closed and reopened', async () => {
    const { id, owner_token } = await create('Najd Trading', '--rest-api')
    expect(owner_token).toMatch(/^svc_/)
    expect(await diwanJson(operator, 'company', 'show', `${id}`)).toMatchObject({
      name: 'Najd Trading',
      rest_api: true,
    })
    const changed = ['--plan', 'enterprise', '--no-rest-api', '--daily-calls', '500']
    expect(await diwanJson(operator, 'company', 'update', `${id}`, ...changed)).toMatchObject({
      plan: 'enterprise',
      rest_api: false,
      daily_calls: 500,
    })
    const unlimited = await diwanJson(operator, 'company', 'update', `${id}`, '--daily-calls', 'none')
    expect(unlimited.daily_calls).toBeNull()
    expect((await diwanJson(operator, 'company', 'close', `${id}`, '--name', 'Najd Trading')).closed_at).not.toBeNull()
    expect(await diwanJson(operator, 'company', 'list', '--closed')).toMatchObject([{ id }])
    expect((await diwanJson(operator, 'company', 'reopen', `${id}`)).closed_at).toBeNull()
  })

  it('are a table for people, with room for Arabic, and as many as are asked for', async () => {
    await create('شركة نجد')
    const { stdout, stderr } = await diwan(operator, 'company', 'list', '--limit', '1')
    expect(stdout).toMatch(/^ID +NAME +PLAN .*CLOSED AT\n\d+ +Najd Trading +enterprise/)
    expect(stderr).toBe('1 of 2; --limit shows more\n')
    expect((await diwan(operator, 'company', 'list', '--q', 'نجد')).stdout).toMatch(/^\d+ +شركة نجد +pro/m)
  })

  it('are shown without what a name would do to the terminal', async () => {
    await server.diwan.company({ name: 'A\u202eB\u2066C' })
    const { stdout } = await diwan(operator, 'company', 'list', '--q', 'ABC')
    expect(stdout).not.toMatch(/[\u202e\u2066]/)
  })

  it('are refused in the words of the server, with 1', async () => {
    expect(await diwan(operator, 'company', 'show', '99999')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'diwan: 404 not_found: The record was not found.\n',
    })
    const { code, stderr } = await diwan(operator, 'company', 'close', '1', '--name', 'Another')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^diwan: 422 \w+: name must be the name of the company/)])
  })
})

describe('People', () => {
  it('are added with a code for them, changed, invited again and listed', async () => {
    const company = await server.diwan.company()
    const env = { DIWAN_URL: server.url, DIWAN_TOKEN: company.ownerToken }
    const added = await diwan(env, 'user', 'add', '--name', 'سارة', '--email', 'sara@example.com', '--language', 'ar')
    expect(added.stdout).toMatch(/^svc_inv_\w+\n$/)
    expect(added.stderr).toContain('Shown this once: invitation code')
    const people = await diwanJson(env, 'user', 'list')
    expect(people.map((person: { name: string }) => person.name)).toEqual(['Layla Haddad', 'سارة'])
    const id = String(people[1].id)
    expect(await diwanJson(env, 'user', 'update', id, '--role', 'manager')).toMatchObject({ role: 'manager' })
    expect((await diwan(env, 'user', 'invite', id)).stdout).toMatch(/^svc_inv_\w+\n$/)
  })
})

describe('Keys', () => {
  it('are created and rotated with nothing but the key on standard output, and revoked', async () => {
    const company = await server.diwan.company()
    const env = { DIWAN_URL: server.url, DIWAN_TOKEN: OPERATOR_TOKEN }
    const of = ['--company', String(company.id)]
    const made = await diwan(
      env,
      'key',
      'create',
      ...of,
      '--name',
      'Reporting',
      '--operations',
      'account:read,tasks:read',
    )
    expect(made.stdout).toMatch(/^svc_api_\w+\n$/)
    const { body } = await server.diwan.api(made.stdout.trim()).get('/me')
    expect(body.data.key).toMatchObject({ name: 'Reporting', operations: ['account:read', 'tasks:read'] })
    const [, { id }] = await diwanJson(env, 'key', 'list', ...of)
    const rotated = await diwan(env, 'key', 'rotate', `${id}`, ...of, '--overlap-hours', '0')
    expect((await server.diwan.api(rotated.stdout.trim()).get('/me')).status).toBe(200)
    const latest = (await diwanJson(env, 'key', 'list', ...of)).at(-1)
    expect(await diwanJson(env, 'key', 'revoke', `${latest.id}`, ...of)).toMatchObject({ deleted: true })
    expect((await server.diwan.api(rotated.stdout.trim()).get('/me')).status).toBe(401)
  })
})

describe('Webhooks', () => {
  it('are created, tested, rotated, replayed and deleted', async () => {
    const company = await server.diwan.company()
    const env = { DIWAN_URL: server.url, DIWAN_TOKEN: company.ownerToken }
    const receiver = await startReceiver()
    const made = await diwan(
      env,
      'webhook',
      'create',
      '--name',
      'W',
      '--webhook-url',
      receiver.url,
      '--kinds',
      'task.*,project.*',
    )
    expect(made.stdout).toMatch(/^whsec_\S+\n$/)
    const [{ id, kinds }] = await diwanJson(env, 'webhook', 'list')
    expect(kinds).toEqual(['task.*', 'project.*'])
    expect(await diwanJson(env, 'webhook', 'test', `${id}`)).toMatchObject({ delivered: true, status: 200 })
    receiver.answer(response => response.writeHead(500).end())
    expect((await diwan(env, 'webhook', 'test', `${id}`)).code).toBe(1)
    expect((await diwan(env, 'webhook', 'rotate', `${id}`)).stdout).toMatch(/^whsec_\S+\n$/)
    expect(await diwanJson(env, 'webhook', 'deliveries', `${id}`)).toEqual([])
    expect(await diwanJson(env, 'webhook', 'replay', `${id}`, '--since', '2026-01-01')).toEqual({ replayed: 0 })
    expect((await diwan(env, 'webhook', 'replay', `${id}`)).stderr).toContain('--since must be given')
    expect((await diwan(env, 'webhook', 'replay', `${id}`, '7')).stderr).toBe(
      'diwan: 404 not_found: The record was not found.\n',
    )
    expect(await diwanJson(env, 'webhook', 'delete', `${id}`)).toMatchObject({ deleted: true })
  })
})

describe('Who is asked, and as whom', () => {
  it('is the server at HOST and PORT, as the operator of the data folder', async () => {
    const DATA_DIR = newFolder()
    const own = await serve({ DATA_DIR, WORKER: 'off' })
    const PORT = String(own.port)
    expect(await diwanJson({ DATA_DIR, PORT }, 'company', 'list')).toMatchObject([{ name: 'Diwan Demo' }])
    const { code, stderr } = await diwan({ DATA_DIR: newFolder(), PORT }, 'company', 'list')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^diwan: DIWAN_TOKEN or OPERATOR_TOKEN must be set: /)])
    await own.end('SIGKILL')
  })

  it('is named when the operator has several companies', async () => {
    const { code, stderr } = await diwan(operator, 'user', 'list')
    expect([code, stderr]).toEqual([2, expect.stringContaining('--company must be given: there are several')])
  })

  it('is told in one line when nobody answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const { code, stderr } = await diwan({ ...operator, DIWAN_URL: url }, 'company', 'list')
    expect([code, stderr]).toEqual([
      1,
      `diwan: No server answers at ${url} (ECONNREFUSED). Start it first, or set DIWAN_URL\n`,
    ])
  })

  it('is never another machine with the token of this one', async () => {
    const { code, stderr } = await diwan({ DIWAN_URL: 'http://192.0.2.1', DATA_DIR: newFolder() }, 'company', 'list')
    expect([code, stderr]).toEqual([1, 'diwan: DIWAN_TOKEN must be set to a token for 192.0.2.1\n'])
  })
})
