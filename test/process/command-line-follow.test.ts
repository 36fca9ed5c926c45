import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyWebhook } from '../../client/src/index.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newComment, newList, newTask } from '../support/factories.ts'
import { type Received, refused, startReceiver } from '../support/receiver.ts'
import { type Env, launch, type ServerProcess, serve, withoutJobs } from '../support/server-process.ts'
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

const latest = async () => (await company.api.get('/company/changes')).body.meta.next_cursor as string

it('diwan watch follows what is asked for through a restart of the server, and leaves nothing out', async () => {
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
  const before = await latest()
  await touch('After the restart')
  const { data } = (await company.api.get(`/company/changes?after=${before}`)).body
  // The pauses between its retries have grown while the server was starting.
  await until(async () => seen().some(({ cursor }) => cursor === data[0].cursor), 100_000)
  expect(new Set(seen().map(({ kind, change }) => `${kind}.${change}`))).toEqual(new Set(['project.updated']))
  expect(some.stderr()).toContain('connecting again')
  for (const watching of [all, some]) expect(await watching.end('SIGINT')).toEqual({ code: 0, signal: null })
})

it('diwan watch begins behind a cursor', async () => {
  const after = await latest()
  const { id } = await server.diwan.project(company)
  const watching = launch(env, ['watch', '--after', after, '--json'])
  await until(async () => watching.stdout().includes(id))
  await watching.end('SIGTERM')
})

it('diwan listen sends what a webhook would, signed, says how it was answered, and goes on where nobody takes it', async () => {
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

  const after = await latest()
  for (let n = 0; n < 2; n++) await server.diwan.project(company)
  const nowhere = launch(env, ['listen', '--forward-to', `http://127.0.0.1:${await freePort()}`, '--after', after])
  const lost = () => nowhere.stdout().match(/project\.created .+ not delivered \(ECONNREFUSED\)/g)
  await until(async () => lost()?.length === 2)
  await nowhere.end('SIGTERM')
})
