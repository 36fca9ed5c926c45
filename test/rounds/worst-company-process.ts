import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Diwan } from '../support/diwan.ts'
import { type Listening, listenTo } from '../support/listening.ts'
import { random } from '../support/random.ts'
import { requestText } from '../support/raw-http.ts'

/** What it needs to know. */
export interface WorstCompany {
  url: string
  port: number
  key: string
  keysOfStreams: string[]
  projectId: string
  listId: string
}

const STALLED_UPLOADS = 6
/** Made beforehand: making it takes longer than sending it. */
const STALLED = Buffer.alloc(16 * 1024 * 1024, '{')
const READERS = 12
const SEARCHERS = 6
const WRITERS = 6
/** Ten keys have 3,000 calls in a minute. */
const PAUSE_MS = 450
const STREAMS_OF_A_KEY = 5

const { url, port, key, keysOfStreams, projectId, listId }: WorstCompany = JSON.parse(process.argv[2] as string)
const api = new Diwan(url, '').api(key)
let isStopped = false
let [calls, served] = [0, 0]

const streams: Listening[] = []
for (const key of keysOfStreams)
  for (let n = 0; n < STREAMS_OF_A_KEY; n++)
    streams.push(await listenTo(`${url}/api/v1/company/changes`, { authorization: `Bearer ${key}` }))
// What sends its calls is compiled before it begins.
await api.get(`/lists/${listId}`)
process.stdout.write('It begins\n')
const working = [
  ...again(READERS, () => api.get(`/lists/${listId}/tasks?limit=100`)),
  ...again(SEARCHERS, n => api.get(`/search?q=${encodeURIComponent(`desk ${n} office المكتب order`)}`)),
  ...again(WRITERS, () => api.post(`/lists/${listId}/tasks/batch`, { tasks: [{ title: 'Desk' }, { title: 'Chair' }] })),
  ...again(STALLED_UPLOADS, stallUpload),
]
await once(process.stdin.resume(), 'end')
isStopped = true
for (const stream of streams) stream.leave()
await Promise.all(working)
process.stdout.write(JSON.stringify({ calls, served }))

function again(count: number, call: (n: number) => Promise<{ status: number } | undefined>): Promise<void>[] {
  return Array.from({ length: count }, async (_, n) => {
    while (!isStopped) {
      // Whatever it is told, and whether or not it is told anything, it goes on.
      const answer = await call(n).catch(() => undefined)
      calls++
      if (answer && answer.status < 300) served++
      await sleep(PAUSE_MS * 2 * random())
    }
  })
}

/** Announces a large file, sends half of it, and says no more until the server gives it up. */
function stallUpload(): Promise<undefined> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const timer = setInterval(() => isStopped && socket.destroy(), 200)
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
    socket.write(requestText('POST', `/api/v1/projects/${projectId}/files`, headers))
    socket.write(STALLED)
  })
}
