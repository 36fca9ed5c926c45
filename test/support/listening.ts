import { once } from 'node:events'
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { until } from './servers.ts'

/** What a client of a stream has received so far. */
export interface Listening {
  status: number
  headers: IncomingHttpHeaders
  body: () => string
  changes: { id: string; change: string }[]
  lastId: () => string
  ended: () => boolean
  leave: () => void
}

/** Listens to a stream of changes on a connection of its own, from its first sign of life on. */
export async function listenTo(url: string, headers: Record<string, string>): Promise<Listening> {
  const asking = get(url, { agent: false, headers: { accept: 'text/event-stream', ...headers } })
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  let text = ''
  let isEnded = false
  answer.setEncoding('utf8').on('data', more => {
    text += more
  })
  for (const event of ['error', 'close'])
    answer.on(event, () => {
      isEnded = true
    })
  await until(async () => text !== '')
  return {
    status: answer.statusCode as number,
    headers: answer.headers,
    body: () => text,
    get changes() {
      return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data))
    },
    lastId: () => [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] as string,
    ended: () => isEnded,
    leave: () => asking.destroy(),
  }
}
