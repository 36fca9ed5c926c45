import { afterAll, beforeAll, expect, it } from 'vitest'
import { diwan, diwanJson } from '../support/command.ts'
import type { TestCompany } from '../support/diwan.ts'
import { type Env, launch, OPERATOR_TOKEN, type ServerProcess, serve, withoutJobs } from '../support/server-process.ts'
import { freePort, until } from '../support/servers.ts'

let server: ServerProcess
let company: TestCompany
let settings: Env
let env: Env
beforeAll(async () => {
  settings = { ...withoutJobs(), PORT: String(await freePort()) }
  server = await serve(settings)
  company = await server.diwan.company()
  env = { DIWAN_URL: server.url, DIWAN_TOKEN: company.ownerToken }
})
afterAll(() => server?.end('SIGKILL'))

const refused = (n: number) => company.api.get(`/projects/prj-000000000${n}`)
const paths = (text: string) => [...text.matchAll(/prj-000000000\d/g)].map(([path]) => path)
const total = async () => (await company.admin.get('/requests?status=404')).body.meta.total

it('The log of requests has everything that was answered before SIGTERM, and all but the last seconds before a kill', async () => {
  await refused(1)
  await until(async () => (await total()) === 1)
  await server.end('SIGKILL')
  server = await serve(settings)
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => company.api.post('/projects', { name: `${n}` })),
  )
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  server = await serve(settings)
  const { data } = (await company.admin.get('/requests?limit=100&method=POST')).body
  const logged = data.map((entry: { request_id: string }) => entry.request_id)
  expect(logged.toSorted()).toEqual(answers.map(({ headers }) => headers.get('x-request-id')).toSorted())
  expect(await total()).toBe(1)
})

it('diwan requests lists the newest first, of the only company and as asked', async () => {
  await refused(2)
  await until(async () => (await total()) === 2)
  const list = await diwan(env, 'requests', '--status', '4xx', '--limit', '1')
  expect([list.code, list.stderr]).toEqual([0, '1 of 2; --limit shows more\n'])
  expect(list.stdout).toMatch(/^AT +STATUS +METHOD +PATH/)
  expect(paths(list.stdout)).toEqual(['prj-0000000002'])
  const asked = ['--status', '404', '--method', 'GET', '--operation', 'projects:read']
  expect(await diwanJson(env, 'requests', ...asked)).toMatchObject([
    { path: '/api/v1/projects/prj-0000000002', code: 'not_found' },
    { path: '/api/v1/projects/prj-0000000001' },
  ])
  expect((await diwan(env, 'requests', '--method', 'DELETE')).stderr).toBe('There are none\n')
  const wrong = await diwan(env, 'requests', '--status', 'bad')
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('status must be 2xx, 3xx, 4xx')])
  const operator = { DIWAN_URL: server.url, DIWAN_TOKEN: OPERATOR_TOKEN }
  expect(await diwanJson(operator, 'requests', '--company', String(company.id), '--limit', '1')).toHaveLength(1)
})

it('diwan requests --follow shows what is added through a restart of the server, each call once and in order', async () => {
  const following = launch(env, ['requests', '--follow', '--status', '404', '--limit', '1'])
  const lines = launch(env, ['requests', '--follow', '--json', '--request-id', 'the-one'])
  await until(async () => following.stdout() !== '')
  await refused(3)
  await until(async () => paths(following.stdout()).length === 2)
  await server.end('SIGTERM')
  await until(async () => following.stderr().includes('connecting again'))
  server = await serve(settings)
  await company.api.get('/projects/prj-0000000004', { 'x-request-id': 'the-one' })
  await until(async () => paths(following.stdout()).length >= 3 && lines.stdout() !== '')
  expect(paths(following.stdout())).toEqual([2, 3, 4].map(n => `prj-000000000${n}`))
  expect(JSON.parse(lines.stdout())).toMatchObject({ request_id: 'the-one', status: 404 })
  expect(await following.end('SIGINT')).toEqual({ code: 0, signal: null })
  expect(await lines.end('SIGTERM')).toEqual({ code: 0, signal: null })
})
