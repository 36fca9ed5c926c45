import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyWebhook } from '../../client/src/index.ts'
import { diwan } from '../support/command.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newComment, newList, newTask } from '../support/factories.ts'
import { type Fate, startPlannedProxy } from '../support/planned-proxy.ts'
import { type Received, refused, startReceiver } from '../support/receiver.ts'
import {
  type Env,
  launch,
  newFolder,
  OPERATOR_TOKEN,
  type ServerProcess,
  serve,
  withoutJobs,
} from '../support/server-process.ts'
import { freePort, until } from '../support/servers.ts'

let server: ServerProcess
let company: TestCompany
let env: Env
let settings: Env
beforeAll(async () => {
  settings = { ...withoutJobs(), PORT: String(await freePort()) }
  server = await serve(settings)
  company = await server.diwan.company()
  env = { DIWAN_URL: server.url, DIWAN_KEY: company.key }
})
afterAll(() => server?.end('SIGKILL'))

const call = async (...args: string[]) => {
  const { code, stdout, stderr } = await diwan(env, 'api', ...args)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

describe('diwan api', () => {
  it('reads and writes: text, JSON, files and the query', async () => {
    const file = join(newFolder(), 'body.json')
    writeFileSync(file, '{"name": "من ملف"}')
    const { data } = await call('POST', '/projects', 'name=a=b@c', 'is_public:=true')
    expect(data).toMatchObject({ name: 'a=b@c', is_public: true })
    expect((await call('post', '/projects', `@${file}`)).data.name).toBe('من ملف')
    expect((await call('POST', '/projects', 'name=x', `description@${file}`)).data.description).toBe(
      '{"name": "من ملف"}',
    )
    expect((await call('GET', '/projects', 'limit=1', 'offset:=1')).meta).toMatchObject({ limit: 1, offset: 1 })
    expect((await call('PATCH', `/projects/${data.id}`, 'description:=null')).data.description).toBeNull()
  })

  it('sends the bytes of a file as base64, and prints those of an answer as they are', async () => {
    const { id } = await server.diwan.project(company)
    const bytes = Buffer.from([0x41, 0x42, 0x0a, 0x43])
    const file = join(newFolder(), 'bytes')
    writeFileSync(file, bytes)
    const { data } = await call('POST', `/projects/${id}/files`, 'name=a.bin', `content_base64@${file}`)
    expect(data.size_bytes).toBe(bytes.length)
    const { stdout } = await diwan(env, 'api', 'GET', `/projects/${id}`, '--raw')
    expect(stdout).toMatch(/^\{"data":\{"id"/)
  })

  it('fetches every page, a record a line', async () => {
    const { id } = await server.diwan.project(company)
    const { body } = await company.api.post(`/projects/${id}/lists`, { title: 'L' })
    const tasks = (n: number) => Array.from({ length: n }, (_, i) => ({ title: `Task ${i}` }))
    for (const n of [100, 30]) await company.api.post(`/lists/${body.data.id}/tasks/batch`, { tasks: tasks(n) })
    const { stdout } = await diwan(env, 'api', 'GET', `/lists/${body.data.id}/tasks`, '--paginate')
    const ids = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).id)
    expect([ids.length, new Set(ids).size]).toEqual([130, 130])
  })

  it('says which fields and parameters the server ignored, next to the answer', async () => {
    const made = await diwan(env, 'api', 'POST', '/projects', 'name=Noted', 'nmae=x', 'اسم=y')
    expect([made.code, made.stderr]).toEqual([0, 'The server ignored unknown fields: nmae, اسم\n'])
    expect(JSON.parse(made.stdout).data.name).toBe('Noted')
    const ignored = 'The server ignored unknown parameters: status\n'
    const listed = await diwan(env, 'api', 'GET', '/company/tasks', 'status=open', '--paginate')
    expect([listed.code, listed.stderr]).toEqual([0, ignored])
    const refused = await diwan(env, 'api', 'GET', '/company/tasks', 'status=open', 'sort=name')
    expect(refused.stderr).toMatch(
      /^The server ignored unknown parameters: status\ndiwan: 422 unprocessable_entity: sort must/,
    )
  })

  it('does what the examples in its help show, and nothing in them is ignored', async () => {
    const { stdout } = await diwan(env, 'help', 'api')
    const examples = [...stdout.matchAll(/^ +diwan (api .+)$/gm)].map(([, example = '']) => example)
    expect(examples).toHaveLength(3)
    for (const example of examples) {
      const words = [...example.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''))
      const { code, stderr } = await diwan(env, ...words)
      expect([example, code, stderr]).toEqual([example, 0, ''])
    }
  })

  it('shows status and headers when asked', async () => {
    const { stdout } = await diwan(env, 'api', 'GET', '/me', '--include')
    expect(stdout).toMatch(/^HTTP 200\n(.+: .*\n)*x-request-id: .*\n/)
  })

  it('speaks to the administration with its token, and to nobody without a key', async () => {
    const { stdout } = await diwan({ DIWAN_URL: server.url, DIWAN_TOKEN: OPERATOR_TOKEN }, 'api', 'GET', '/admin/v1/me')
    expect(JSON.parse(stdout).data.kind).toBe('operator')
    const { code, stderr } = await diwan({ DIWAN_URL: server.url }, 'api', 'GET', '/me')
    expect([code, stderr]).toEqual([1, 'diwan: DIWAN_KEY must be set to an API key: diwan key create makes one\n'])
  })

  it('ends with 1 and the words of the server when it refuses', async () => {
    expect(await diwan(env, 'api', 'GET', '/nowhere')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'diwan: 404 unknown_endpoint: No endpoint answers GET /api/v1/nowhere.\n',
    })
  })

  it('waits when calls come too fast, within the limit', async () => {
    const proxy = await startPlannedProxy(server.url)
    const limited = { ...env, DIWAN_URL: proxy.url }
    // What the throttle of the server answers, though with a shorter pause.
    const error = 'Too many requests. Try again in 2 seconds.'
    const tooFast: Fate = response => response.writeHead(429, { 'retry-after': '2' }).end(JSON.stringify({ error }))
    proxy.fates = [tooFast]
    const { code, stderr } = await diwan(limited, 'api', 'GET', '/me', '--wait', '0')
    expect([code, stderr]).toEqual([1, `diwan: 429: ${error}\n`])
    proxy.fates = [tooFast]
    const askedAt = performance.now()
    const patient = await diwan(limited, 'api', 'GET', '/me')
    expect([patient.code, patient.stderr]).toEqual([0, 'The server asks for a pause of 2 s\n'])
    expect(performance.now() - askedAt).toBeGreaterThanOrEqual(2_000)
  })
})

describe('diwan watch', () => {
  it('follows what is asked for through a restart of the server, and leaves nothing out', async () => {
    const all = launch(env, ['watch'])
    const some = launch(env, ['watch', '--kind', 'project.updated,task', '--json'])
    const seen = () =>
      some
        .stdout()
        .trim()
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line))
    const { id } = await server.diwan.project(company)
    const touch = (name: string) => company.api.patch(`/projects/${id}`, { name })
    await until(async () => {
      await touch(`Renamed ${Math.random()}`)
      return seen().length > 0 && /project\.updated +prj-/.test(all.stdout())
    })
    await server.end('SIGKILL')
    server = await serve(settings)
    const { next_cursor } = (await company.api.get('/company/changes')).body.meta
    await touch('After the restart')
    const { data } = (await company.api.get(`/company/changes?after=${next_cursor}`)).body
    // The pauses between its retries have grown while the server was starting.
    await until(async () => seen().some(({ cursor }) => cursor === data[0].cursor), 100_000)
    expect(new Set(seen().map(({ kind, change }) => `${kind}.${change}`))).toEqual(new Set(['project.updated']))
    expect(some.stderr()).toContain('connecting again')
    for (const watching of [all, some]) expect(await watching.end('SIGINT')).toEqual({ code: 0, signal: null })
  })

  it('begins behind a cursor, and ends with 1 when the key is no good', async () => {
    const { next_cursor } = (await company.api.get('/company/changes')).body.meta
    const { id } = await server.diwan.project(company)
    const watching = launch(env, ['watch', '--after', next_cursor, '--json'])
    await until(async () => watching.stdout().includes(id))
    await watching.end('SIGTERM')
    const refused = await diwan({ ...env, DIWAN_KEY: 'svc_api_wrong' }, 'watch')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^diwan: 401 unauthorized: /)])
  })
})

describe('diwan listen', () => {
  it('sends what a webhook would, signed, and says how it was answered', async () => {
    const receiver = await startReceiver()
    const options = ['--kind', 'task,comment', '--company', String(company.id)]
    const listening = launch(env, ['listen', '--forward-to', `${receiver.url}/hooks`, ...options])
    const secret = () => /^Signing with (whsec_\S+)$/m.exec(listening.stderr())?.[1]
    await until(async () => secret() !== undefined)
    const { id } = await newList(company, (await server.diwan.project(company)).id)
    // It begins with what happens from now on, which is a moment after it has said its secret.
    await until(async () => {
      await newTask(company, id, { title: 'Order the desks' })
      return receiver.received.length > 0
    })
    const task = await newTask(company, id, { title: 'شراء الأثاث' })
    const comment = await newComment(company, `/tasks/${task.id}`, { content: 'Oak.' })
    const about = (each: string | number) => receiver.received.find(({ body }) => body.id === each)
    await until(async () => about(comment.id) !== undefined)
    const { headers, text } = about(comment.id) as Received
    const message = await verifyWebhook({ secret: secret() as string, headers, body: text })
    expect(message).toMatchObject({ type: 'comment.created', parent_id: task.id, company_id: company.id })
    expect(message.data).toEqual((await company.api.get(`/tasks/${task.id}/comments/${comment.id}`)).body.data)
    expect(about(task.id)?.body.data.title).toBe('شراء الأثاث')
    receiver.answer(refused(500))
    await company.api.delete(`/tasks/${task.id}`)
    await until(async () => /task\.deleted +tsk-\w+ +500 in \d+ ms\n/.test(listening.stdout()))
    expect(listening.stdout()).toMatch(/task\.created +tsk-\w+ +200 in \d+ ms\n/)
    expect(await listening.end('SIGINT')).toEqual({ code: 0, signal: null })
  })

  it('says when nobody takes the messages, and goes on', async () => {
    const port = await freePort()
    const { next_cursor } = (await company.api.get('/company/changes')).body.meta
    await server.diwan.project(company)
    await server.diwan.project(company)
    const address = `http://127.0.0.1:${port}`
    const listening = launch(env, ['listen', '--forward-to', address, '--after', next_cursor])
    await until(
      async () => listening.stdout().match(/project\.created .+ not delivered \(ECONNREFUSED\)/g)?.length === 2,
    )
    await listening.end('SIGTERM')
  })

  it.each([
    [['--forward-to', '127.0.0.1:3000'], '--forward-to must begin with http:// or https://'],
    [
      ['--forward-to', 'http://127.0.0.1:3000', '--secret', 'oak'],
      '--secret must be whsec_ and at least 24 bytes in base64',
    ],
    [[], '--forward-to must be given'],
  ])('refuses %j', async (args, reason) => {
    const { code, stderr } = await diwan(env, 'listen', ...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)])
  })
})
