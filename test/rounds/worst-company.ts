import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { created, type TestCompany } from '../support/diwan.ts'
import { newList } from '../support/factories.ts'
import { MISDEEDS, startHostileHost } from '../support/hostile-host.ts'
import { type Listening, listenTo } from '../support/listening.ts'
import { random } from '../support/random.ts'
import { requestText } from '../support/raw-http.ts'
import type { ServerProcess } from '../support/server-process.ts'

const TASKS_IN_A_CALL = 100
const STALLED_UPLOADS = 6
const STALLED_BYTES = 16 * 1024 * 1024
const READERS = 12
const SEARCHERS = 6
const WRITERS = 6
/** Ten keys have 3,000 calls in a minute. */
const PAUSE_MS = 450
const STREAMS = 25
const STREAMS_OF_A_KEY = 5
const DEAD_HOOKS = 5

/** One company that does everything at once that its limits allow, until it is stopped. */
export interface WorstCompany {
  calls(): number
  /** Those that were carried out. */
  served(): number
  stop(): Promise<void>
}

/** So many lists with so many tasks in all, to be deleted later. */
export async function fillLists(
  { diwan }: ServerProcess,
  company: TestCompany,
  count: number,
  tasks: number,
): Promise<string[]> {
  const project = await diwan.project(company)
  const lists: string[] = []
  while (lists.length < count) lists.push((await newList(company, project.id)).id)
  const batch = Array.from({ length: TASKS_IN_A_CALL }, (_, n) => ({ title: `Order desk ${n} for the new office` }))
  for (let n = 0; n < tasks / TASKS_IN_A_CALL; n++)
    await created(company.api.post(`/lists/${lists[n % lists.length]}/tasks/batch`, { tasks: batch }))
  return lists
}

export async function doItsWorst(server: ServerProcess, company: TestCompany): Promise<WorstCompany> {
  const { api, admin } = company
  const project = await server.diwan.project(company)
  const hot = await newList(company, project.id)
  const dead = await startHostileHost(MISDEEDS['says nothing'] as (typeof MISDEEDS)[string])
  for (let n = 0; n < DEAD_HOOKS; n++)
    await created(
      admin.post('/webhooks', { name: `Dead ${n}`, url: `http://127.0.0.1:${dead}/${n}`, kinds: ['task.created'] }),
    )
  const streams = await openStreams(server, company)
  let isStopped = false
  let [calls, served] = [0, 0]
  const again = (count: number, call: (n: number) => Promise<{ status: number } | undefined>) =>
    Array.from({ length: count }, async (_, n) => {
      while (!isStopped) {
        // Whatever it is told, and whether or not it is told anything, it goes on.
        const answer = await call(n).catch(() => undefined)
        calls++
        if (answer && answer.status < 300) served++
        await sleep(PAUSE_MS * 2 * random())
      }
    })
  const working = [
    ...again(READERS, () => api.get(`/lists/${hot.id}/tasks?limit=100`)),
    ...again(SEARCHERS, n => api.get(`/search?q=${encodeURIComponent(`desk ${n} office المكتب order`)}`)),
    ...again(WRITERS, () =>
      api.post(`/lists/${hot.id}/tasks/batch`, { tasks: [{ title: 'Desk' }, { title: 'Chair' }] }),
    ),
    ...again(STALLED_UPLOADS, () => stallUpload(server.port, company.key, project.id, () => isStopped)),
  ]
  return {
    calls: () => calls,
    served: () => served,
    async stop() {
      isStopped = true
      for (const stream of streams) stream.leave()
      await Promise.all(working)
    },
  }
}

async function openStreams(server: ServerProcess, company: TestCompany): Promise<Listening[]> {
  const streams: Listening[] = []
  while (streams.length < STREAMS) {
    const authorization = `Bearer ${await server.diwan.key(company.id)}`
    for (let n = 0; n < STREAMS_OF_A_KEY; n++)
      streams.push(await listenTo(`${server.url}/api/v1/company/changes`, { authorization }))
  }
  return streams
}

/** Announces a large file, sends half of it, and says no more until the server gives it up. */
function stallUpload(port: number, key: string, project: string, isOver: () => boolean): Promise<undefined> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const timer = setInterval(() => isOver() && socket.destroy(), 200)
    socket
      .on('error', () => {})
      .on('close', () => {
        clearInterval(timer)
        resolve(undefined)
      })
    socket.resume()
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': '31000000',
    }
    socket.write(requestText('POST', `/api/v1/projects/${project}/files`, headers))
    socket.write(Buffer.alloc(STALLED_BYTES, '{'))
  })
}
