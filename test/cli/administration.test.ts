import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { diwan, diwanJson } from '../support/command-in-process.ts'
import { startReceiver } from '../support/receiver.ts'
import { newFolder } from '../support/server-process.ts'
import { freePort } from '../support/servers.ts'

const app = useApp({ allowPrivateWebhooks: true })
const operator = () => ({ DIWAN_URL: app.url, DIWAN_TOKEN: OPERATOR_TOKEN })
const create = (name: string, ...more: string[]) => {
  const owner = ['--owner-name', 'Layla Haddad', '--owner-email', 'layla@example.com']
  const settings = ['--time-zone', 'Asia/Riyadh', '--plan', 'pro', ...owner]
  return diwanJson(operator(), 'company', 'create', '--name', name, ...settings, ...more)
}

it('Companies are created, shown, updated, closed, listed and reopened', async () => {
  const { id, owner_token } = await create('Najd Trading', '--rest-api')
  const on = (command: string, ...more: string[]) => diwanJson(operator(), 'company', command, `${id}`, ...more)
  expect(owner_token).toMatch(/^svc_/)
  expect(await on('show')).toMatchObject({ name: 'Najd Trading', rest_api: true })
  expect(await on('update', '--plan', 'enterprise', '--no-rest-api', '--daily-calls', '500')).toMatchObject({
    plan: 'enterprise',
    rest_api: false,
    daily_calls: 500,
  })
  expect((await on('update', '--daily-calls', 'none')).daily_calls).toBeNull()
  const mistaken = await diwan(operator(), 'company', 'close', `${id}`, '--name', 'Another')
  expect(mistaken).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^diwan: 422 \w+: name must be the name of/),
  })
  expect((await on('close', '--name', 'Najd Trading')).closed_at).not.toBeNull()
  expect(await diwanJson(operator(), 'company', 'list', '--closed')).toContainEqual(expect.objectContaining({ id }))
  expect((await on('reopen')).closed_at).toBeNull()
  expect(await diwan(operator(), 'company', 'show', '99999')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'diwan: 404 not_found: The record was not found.\n',
  })
})

it('A list is a table for people, with room for Arabic, as many rows as are asked for, and nothing that turns the terminal around', async () => {
  await create('شركة نجد ١')
  await app.diwan.company({ name: 'A\u202eB\u2066C' })
  const one = await diwan(operator(), 'company', 'list', '--limit', '1')
  expect(one.stdout).toMatch(/^ID +NAME +PLAN .*CLOSED AT\n\d+ +\S.*\n$/)
  expect(one.stderr).toMatch(/^1 of \d+; --limit shows more\n$/)
  expect((await diwan(operator(), 'company', 'list', '--q', 'شركة نجد ١')).stdout).toMatch(/^\d+ +شركة نجد ١ +pro/m)
  const hostile = await diwan(operator(), 'company', 'list', '--q', 'ABC')
  expect([hostile.stdout.includes('ABC'), /[\u202e\u2066]/.test(hostile.stdout)]).toEqual([true, false])
})

it('People are added with a code for them, changed, invited again and listed', async () => {
  const company = await app.diwan.company()
  const env = { DIWAN_URL: app.url, DIWAN_TOKEN: company.ownerToken }
  const added = await diwan(env, 'user', 'add', '--name', 'سارة', '--email', 'sara@example.com', '--language', 'ar')
  expect(added.stdout).toMatch(/^svc_inv_\w+\n$/)
  expect(added.stderr).toContain('Shown this once: invitation code')
  const people = await diwanJson(env, 'user', 'list')
  expect(people.map((person: { name: string }) => person.name)).toEqual(['Layla Haddad', 'سارة'])
  const id = String(people[1].id)
  expect(await diwanJson(env, 'user', 'update', id, '--role', 'manager')).toMatchObject({ role: 'manager' })
  expect((await diwan(env, 'user', 'invite', id)).stdout).toMatch(/^svc_inv_\w+\n$/)
})

it('Keys are created and rotated with nothing but the key on standard output, and revoked', async () => {
  const company = await app.diwan.company()
  const on = ['--company', String(company.id)]
  const options = ['--name', 'Reporting', '--operations', 'account:read,tasks:read']
  const made = await diwan(operator(), 'key', 'create', ...on, ...options)
  expect(made.stdout).toMatch(/^svc_api_\w+\n$/)
  const { body } = await app.diwan.api(made.stdout.trim()).get('/me')
  expect(body.data.key).toMatchObject({ name: 'Reporting', operations: ['account:read', 'tasks:read'] })
  const [, { id }] = await diwanJson(operator(), 'key', 'list', ...on)
  const rotated = await diwan(operator(), 'key', 'rotate', `${id}`, ...on, '--overlap-hours', '0')
  const statusNow = async () => (await app.diwan.api(rotated.stdout.trim()).get('/me')).status
  expect(await statusNow()).toBe(200)
  const latest = (await diwanJson(operator(), 'key', 'list', ...on)).at(-1)
  expect(await diwanJson(operator(), 'key', 'revoke', `${latest.id}`, ...on)).toMatchObject({ deleted: true })
  expect(await statusNow()).toBe(401)
  const several = await diwan(operator(), 'user', 'list')
  expect(several).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--company must be given: there are several'),
  })
})

it('Webhooks are created, tested, rotated, replayed and deleted', async () => {
  const company = await app.diwan.company()
  const env = { DIWAN_URL: app.url, DIWAN_TOKEN: company.ownerToken }
  const receiver = await startReceiver()
  const options = ['--name', 'W', '--webhook-url', receiver.url, '--kinds', 'task.*,project.*']
  expect((await diwan(env, 'webhook', 'create', ...options)).stdout).toMatch(/^whsec_\S+\n$/)
  const [{ id, kinds }] = await diwanJson(env, 'webhook', 'list')
  expect(kinds).toEqual(['task.*', 'project.*'])
  const on = (command: string, ...more: string[]) => diwan(env, 'webhook', command, `${id}`, ...more)
  expect(JSON.parse((await on('test', '--json')).stdout)).toMatchObject({ delivered: true, status: 200 })
  receiver.answer(response => response.writeHead(500).end())
  expect((await on('test')).code).toBe(1)
  expect((await on('rotate')).stdout).toMatch(/^whsec_\S+\n$/)
  expect(JSON.parse((await on('deliveries', '--json')).stdout)).toEqual([])
  expect(JSON.parse((await on('replay', '--since', '2026-01-01', '--json')).stdout)).toEqual({ replayed: 0 })
  expect((await on('replay')).stderr).toContain('--since must be given')
  expect((await on('replay', '7')).stderr).toBe('diwan: 404 not_found: The record was not found.\n')
  expect(JSON.parse((await on('delete', '--json')).stdout)).toMatchObject({ deleted: true })
})

it('The server that is asked is the one at HOST and PORT, as the operator of the data folder, and never another machine', async () => {
  const DATA_DIR = newFolder()
  const PORT = new URL(app.url).port
  const unknown = await diwan({ DATA_DIR, PORT }, 'company', 'list')
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^diwan: DIWAN_TOKEN or OPERATOR_TOKEN must be set: /),
  })
  writeFileSync(join(DATA_DIR, 'operator-token'), `${OPERATOR_TOKEN}\n`)
  expect((await diwan({ DATA_DIR, PORT }, 'company', 'list')).code).toBe(0)
  expect(await diwan({ DIWAN_URL: 'http://192.0.2.1', DATA_DIR }, 'company', 'list')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'diwan: DIWAN_TOKEN must be set to a token for 192.0.2.1\n',
  })
  const url = `http://127.0.0.1:${await freePort()}`
  expect(await diwan({ ...operator(), DIWAN_URL: url }, 'company', 'list')).toMatchObject({
    code: 1,
    stderr: `diwan: No server answers at ${url} (ECONNREFUSED). Start it first, or set DIWAN_URL\n`,
  })
})
