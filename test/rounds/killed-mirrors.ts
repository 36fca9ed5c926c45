import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Client, created } from '../support/diwan.ts'
import { newListInFeed } from '../support/feed.ts'
import { random } from '../support/random.ts'
import { type Env, type ServerProcess, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { tell } from '../support/trial.ts'

const WORKERS = 16
const [LISTS_PER_PROJECT, TASKS_PER_LIST] = [5, 40]

/** A record of another system: its id there, and where and how it is written here. */
interface Foreign {
  id: string
  address: string
  body: { name: string } | { title: string; metadata: Record<string, string> }
}

/** The records of the other system, parents first. */
function foreignRecords(tasks: number): Foreign[][] {
  const upTo = (count: number) => Array.from({ length: Math.ceil(count) }, (_, n) => n)
  const lists = Math.ceil(tasks / TASKS_PER_LIST)
  const titled = (what: string, n: number) => ({
    title: `${what} ${n}`,
    metadata: { source: 'crm', number: String(n) },
  })
  return [
    upTo(lists / LISTS_PER_PROJECT).map(n => ({
      id: `project/${n}`,
      address: '/projects',
      body: { name: `مشروع ${n}` },
    })),
    upTo(lists).map(n => ({
      id: `list/${n}`,
      address: `/projects/ext:${encodeURIComponent(`project/${Math.floor(n / LISTS_PER_PROJECT)}`)}/lists`,
      body: titled('List', n),
    })),
    upTo(tasks).map(n => ({
      id: `task/${n}`,
      address: `/lists/ext:${encodeURIComponent(`list/${Math.floor(n / TASKS_PER_LIST)}`)}/tasks`,
      body: titled('Task', n),
    })),
  ]
}

/**
 * A program mirrors another system by upserts, with many workers. It or the server is killed at random moments, and it then
 * begins again. In the end every record is there once, and another run changes nothing.
 */
export async function expectMirroredOnce(env: Env, tasks: number, kills: number): Promise<void> {
  let server = await serve(env)
  const { key } = await server.diwan.company()
  const records = foreignRecords(tasks)
  const found: number[] = []
  for (let kill = 0; kill < kills; kill++) {
    const killed = new AbortController()
    // Every call listens to it.
    setMaxListeners(0, killed.signal)
    const written = new Set<string>()
    const mirroring = mirror(server, key, records, killed.signal, ({ id }) => written.add(id)).catch(ignoreIfKilled)
    const enough = tasks * ((kill + random() * 0.7) / kills)
    await until(async () => written.size >= enough, 1_800_000)
    await sleep(random() * 60)
    found.push(written.size)
    if (kill % 2 === 0) {
      await server.end('SIGKILL')
      await mirroring
      server = await serve(env)
    } else {
      killed.abort()
      await mirroring
    }
  }

  await mirror(server, key, records)
  const api = server.diwan.api(key)
  await expectExactly(api, records)
  const project = (await created(api.post('/projects', { name: 'Not mirrored' }))).data.id
  const { after } = await newListInFeed({ api }, project)
  await mirror(server, key, records, undefined, ({ id }, status) => expect([id, status]).toEqual([id, 200]))
  const { list } = await newListInFeed({ api }, project)
  const entries = (await api.get(`/company/changes?after=${after}`)).body.data
  expect(entries.map(({ id, change }: { id: string; change: string }) => [id, change])).toEqual([[list.id, 'created']])
  tell('mirror', {
    engine: env.DATABASE_URL ? 'PostgreSQL' : 'embedded',
    tasks,
    kills,
    'found at a kill': found.join(', '),
  })
  await server.end('SIGKILL')
}

/** Writes every record of the other system, several at a time, and none before its parent. */
async function mirror(
  { url }: ServerProcess,
  key: string,
  records: Foreign[][],
  signal?: AbortSignal,
  onWritten: (record: Foreign, status: number) => void = () => {},
): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  for (const alike of records) {
    const left = [...alike].reverse()
    const work = async () => {
      for (let record = left.pop(); record; record = left.pop()) {
        const address = `${url}/api/v1${record.address}/ext:${encodeURIComponent(record.id)}`
        const sent = { method: 'PUT', headers, body: JSON.stringify(record.body), signal: signal ?? null }
        const answer = await fetch(address, sent)
        const text = await answer.text()
        if (answer.status !== 200 && answer.status !== 201) throw new Unexpected(`${answer.status} ${text}`)
        onWritten(record, answer.status)
      }
    }
    await Promise.all(Array.from({ length: WORKERS }, work))
  }
}

class Unexpected extends Error {}

/** The program ends when a call fails: because the server was killed, or the program itself. An answer that is wrong is neither. */
function ignoreIfKilled(error: unknown): void {
  if (error instanceof Unexpected) throw error
}

/** Every record of the other system is here once, as it is there, and there are no others. */
async function expectExactly(api: Client, records: Foreign[][]): Promise<void> {
  const [projects = [], lists = [], tasks = []] = records
  const all = await everything(api, '/projects')
  expect(sorted(all.map(project => [project.external_id, project.name]))).toEqual(
    sorted(projects.map(({ id, body }) => [id, (body as { name: string }).name])),
  )
  const shown = ({ external_id, title, metadata }: Shown) => [external_id, title, metadata.source, metadata.number]
  const wanted = (alike: Foreign[]) => sorted(alike.map(({ id, body }) => shown({ external_id: id, ...body } as Shown)))
  const ofProjects = await Promise.all(all.map(({ id }) => everything(api, `/projects/${id}/lists`)))
  expect(sorted(ofProjects.flat().map(shown))).toEqual(wanted(lists))
  expect(sorted((await everything(api, '/company/tasks')).map(shown))).toEqual(wanted(tasks))
}

interface Shown {
  id: string
  external_id: string
  name?: string
  title?: string
  metadata: Record<string, string>
}

const sorted = (rows: unknown[][]) => rows.map(row => JSON.stringify(row)).sort()

async function everything(api: Client, path: string): Promise<Shown[]> {
  const found: Shown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await api.get(`${path}?limit=100${cursor && `&cursor=${cursor}`}`)
    expect(status, JSON.stringify(body)).toBe(200)
    found.push(...body.data)
    cursor = body.meta.next_cursor
  }
  return found
}
