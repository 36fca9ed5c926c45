import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { diwan } from '../support/command-in-process.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList } from '../support/factories.ts'
import { type Fate, startPlannedProxy } from '../support/planned-proxy.ts'
import { type Env, newFolder } from '../support/server-process.ts'

const app = useApp()
let company: TestCompany
let env: Env
beforeAll(async () => {
  company = await app.diwan.company()
  env = { DIWAN_URL: app.url, DIWAN_KEY: company.key }
})

const call = async (...args: string[]) => {
  const { code, stdout, stderr } = await diwan(env, 'api', ...args)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

it('A call has fields of text, JSON and files, the query of a read, and the bytes of a file as base64', async () => {
  const file = join(newFolder(), 'body.json')
  writeFileSync(file, '{"name": "من ملف"}')
  const { data } = await call('POST', '/projects', 'name=a=b@c', 'is_public:=true')
  expect(data).toMatchObject({ name: 'a=b@c', is_public: true })
  expect((await call('post', '/projects', `@${file}`)).data.name).toBe('من ملف')
  expect((await call('POST', '/projects', 'name=x', `description@${file}`)).data.description).toBe('{"name": "من ملف"}')
  expect((await call('GET', '/projects', 'limit=1', 'offset:=1')).meta).toMatchObject({ limit: 1, offset: 1 })
  expect((await call('PATCH', `/projects/${data.id}`, 'description:=null')).data.description).toBeNull()
  writeFileSync(file, Buffer.from([0x41, 0x42, 0x0a, 0x43]))
  const upload = await call('POST', `/projects/${data.id}/files`, 'name=a.bin', `content_base64@${file}`)
  expect(upload.data.size_bytes).toBe(4)
})

it('An answer is shown as it came with --raw, with its headers with --include, and page after page with --paginate', async () => {
  const project = await app.diwan.project(company)
  const list = await newList(company, project.id)
  const tasks = (n: number) => Array.from({ length: n }, (_, i) => ({ title: `Task ${i}` }))
  for (const n of [100, 30]) await company.api.post(`/lists/${list.id}/tasks/batch`, { tasks: tasks(n) })
  const { stdout } = await diwan(env, 'api', 'GET', `/lists/${list.id}/tasks`, '--paginate')
  const lines = stdout.trimEnd().split('\n')
  expect([lines.length, new Set(lines.map(line => JSON.parse(line).id)).size]).toEqual([130, 130])
  expect((await diwan(env, 'api', 'GET', `/projects/${project.id}`, '--raw')).stdout).toMatch(/^\{"data":\{"id"/)
  const included = await diwan(env, 'api', 'GET', '/me', '--include')
  expect(included.stdout).toMatch(/^HTTP 200\n(.+: .*\n)*x-request-id: .*\n/)
})

it('Fields and parameters that the server ignored are told next to the answer, and nothing in the examples of the help is', async () => {
  const made = await diwan(env, 'api', 'POST', '/projects', 'name=Noted', 'nmae=x', 'اسم=y')
  expect(made).toMatchObject({ code: 0, stderr: 'The server ignored unknown fields: nmae, اسم\n' })
  expect(JSON.parse(made.stdout).data.name).toBe('Noted')
  const refused = await diwan(env, 'api', 'GET', '/company/tasks', 'status=open', 'sort=name')
  expect(refused.stderr).toMatch(
    /^The server ignored unknown parameters: status\ndiwan: 422 unprocessable_entity: sort must/,
  )
  // It is told once in a process.
  const listed = await diwan(env, 'api', 'GET', '/company/tasks', 'status=open', '--paginate')
  expect(listed).toMatchObject({ code: 0, stderr: '' })

  const help = await diwan(env, 'help', 'api')
  const examples = [...help.stdout.matchAll(/^ +diwan (api .+)$/gm)].map(([, example = '']) => example)
  expect(examples).toHaveLength(3)
  for (const example of examples) {
    const words = [...example.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''))
    const { code, stderr } = await diwan(env, ...words)
    expect([example, code, stderr]).toEqual([example, 0, ''])
  }
})

it('A call goes to the administration with its token, to nobody without a key, and is refused in the words of the server', async () => {
  const { stdout } = await diwan({ DIWAN_URL: app.url, DIWAN_TOKEN: OPERATOR_TOKEN }, 'api', 'GET', '/admin/v1/me')
  expect(JSON.parse(stdout).data.kind).toBe('operator')
  expect(await diwan({ DIWAN_URL: app.url }, 'api', 'GET', '/me')).toMatchObject({
    code: 1,
    stderr: 'diwan: DIWAN_KEY must be set to an API key: diwan key create makes one\n',
  })
  expect(await diwan(env, 'api', 'GET', '/nowhere')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'diwan: 404 unknown_endpoint: No endpoint answers GET /api/v1/nowhere.\n',
  })
  const stranger = await diwan({ ...env, DIWAN_KEY: 'svc_api_wrong' }, 'watch')
  expect(stranger).toMatchObject({ code: 1, stderr: expect.stringMatching(/^diwan: 401 unauthorized: /) })
  const weak = await diwan(env, 'listen', '--forward-to', 'http://127.0.0.1:3000', '--secret', 'oak')
  expect(weak).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--secret must be whsec_ and at least 24 bytes'),
  })
})

it('A call that comes too fast waits for as long as the server asks, within its limit', async () => {
  const proxy = await startPlannedProxy(app.url)
  const limited = { ...env, DIWAN_URL: proxy.url }
  const error = 'Too many requests. Try again in 1 second.'
  const tooFast: Fate = response => response.writeHead(429, { 'retry-after': '1' }).end(JSON.stringify({ error }))
  proxy.fates = [tooFast]
  const impatient = await diwan(limited, 'api', 'GET', '/me', '--wait', '0')
  expect(impatient).toMatchObject({ code: 1, stderr: `diwan: 429: ${error}\n` })
  proxy.fates = [tooFast]
  const askedAt = performance.now()
  expect(await diwan(limited, 'api', 'GET', '/me')).toMatchObject({
    code: 0,
    stderr: 'The server asks for a pause of 1 s\n',
  })
  expect(performance.now() - askedAt).toBeGreaterThanOrEqual(1_000)
})
