import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { QUEUES } from '../../src/queues.ts'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newList } from '../support/factories.ts'
import { requestText } from '../support/raw-http.ts'
import { until } from '../support/servers.ts'

const COMMENTS = 100
const LONGEST = 65_535
/** What takes long to read or to write. The rest is Arabic: a page of it is more than the kernels of both sides hold for a connection. */
const HEAVY = ['&', '\n', '<&>"\r', '<b>', '\\']
const textOf = (n: number) => `${n} ${(HEAVY[n] ?? 'م').repeat(LONGEST)}`.slice(0, LONGEST)

const IDENTITY = { 'accept-encoding': 'identity' }

const app = useApp()

async function discussed(company: TestCompany, comments = COMMENTS): Promise<string> {
  const { id: project } = await app.diwan.project(company)
  const { data } = await created(company.api.post(`/projects/${project}/discussions`, { title: 'Moving day' }))
  for (let n = 0; n < comments; n++)
    await created(company.api.post(`/discussions/${data.id}/comments`, { content: textOf(n) }))
  return `/discussions/${data.id}/comments?limit=${COMMENTS}`
}

/** More than a few pages leave of the room. */
const LONG_TASKS = 49

async function longTasks(company: TestCompany): Promise<string[]> {
  const list = await newList(company, (await app.diwan.project(company)).id)
  const tasks = Array.from({ length: 7 }, () => ({ title: 'Order desks', notes: 'م'.repeat(LONGEST) }))
  const ids: string[] = []
  while (ids.length < LONG_TASKS) {
    const { data } = await created(company.api.post(`/lists/${list.id}/tasks/batch`, { tasks }))
    ids.push(...data.map(({ id }: { id: string }) => id))
  }
  return ids
}

/** Asks for a page and takes nothing of it. */
async function askedBy(key: string, path: string): Promise<Socket> {
  const { port, hostname } = new URL(app.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  await once(socket, 'connect')
  socket.write(requestText('GET', `/api/v1${path}`, { authorization: `Bearer ${key}`, connection: 'keep-alive' }))
  return socket
}

describe('A page of the longest texts', { tags: 'long', timeout: 180_000 }, () => {
  let company: TestCompany
  let path: string
  beforeAll(async () => {
    company = await app.diwan.company({ daily_calls: 10_000 })
    path = await discussed(company)
  })

  it('has every text as it was sent, and the ETag of its bytes', async () => {
    const response = await fetch(`${app.url}/api/v1${path}`, { headers: { authorization: `Bearer ${company.key}` } })
    const bytes = Buffer.from(await response.arrayBuffer())
    const { data, meta } = JSON.parse(bytes.toString())
    expect(data.map(({ content }: { content: string }) => content)).toEqual(
      Array.from({ length: COMMENTS }, (_, n) => textOf(n)),
    )
    expect(meta).toMatchObject({ total: COMMENTS, count: COMMENTS })
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const tag = response.headers.get('etag')?.replace(/^W\//, '')
    expect(tag).toBe(`"${createHash('sha1').update(bytes).digest('base64url')}"`)
    const again = await company.api.get(path, { 'if-none-match': tag as string })
    expect([again.status, again.body]).toEqual([304, ''])
  })

  it('waits for room where readers take nothing, and then only for those of its company', async () => {
    const other = await app.diwan.company({ daily_calls: 10_000 })
    const pathOfOther = await discussed(other, HEAVY.length)
    // What is sent compressed takes little room.
    const asked = async ({ api }: TestCompany, at: string) => (await api.get(at, IDENTITY)).status
    const bytes = Buffer.byteLength(JSON.stringify((await company.api.get(path)).body))
    const tasks = await longTasks(company)
    const { perKey, waitingPerKey } = QUEUES.answers
    const held: Socket[] = []
    const takeRoom = async () => {
      while ((held.length + 1) * bytes < perKey) {
        const socket = await askedBy(company.key, path)
        await once(socket, 'readable')
        held.push(socket)
      }
    }
    const giveBack = () => {
      for (const socket of held.splice(0)) socket.destroy()
    }
    await takeRoom()
    // What has been done is told.
    const changes = tasks.map(task => ({ task, do: 'complete' }))
    const { status, body } = await company.api.post('/company/tasks/batch', { changes }, IDENTITY)
    expect([status, body.meta]).toEqual([200, { count: LONG_TASKS }])
    // Readers who take nothing are cut off after a while: on a busy machine before this has come so far.
    await until(async () => {
      giveBack()
      await takeRoom()
      for (let n = 0; n < waitingPerKey; n++) held.push(await askedBy(company.key, path))
      return (await asked(company, path)) === 503
    })
    expect((await company.api.get('/projects')).status).toBe(200)
    expect(await asked(other, pathOfOther)).toBe(200)
    giveBack()
    await until(async () => (await asked(company, path)) === 200)
  })
})
