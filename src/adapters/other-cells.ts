import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { CellAway, type OtherCells, type PassedRequest, type Place, type Sought } from '../domain/ports/cells.ts'
import { FairQueue } from '../lib/fair-queue.ts'
import { QUEUES } from '../queues.ts'

const CONNECTED_WITHIN_MS = 2_000
const TOLD_WITHIN_MS = 1_000
/** A stream sends something every 25 seconds, and nothing else is silent for longer than a node gives a request. */
const SILENT_FOR_MS = 65_000
/** An answer to "where" is short. */
const LONGEST_ANSWER = 1_000

interface Options {
  /** Their addresses by their numbers, without our own. */
  addresses: Map<number, string>
  /** What proves to them that a cell asks. */
  bearer: string
}

/** Reaches the other cells over HTTP, on connections that are used again. */
export function createOtherCells({ addresses, bearer }: Options): OtherCells {
  const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) }
  const questions = new FairQueue<number>('cells', QUEUES.cells)

  return {
    numbers: [...addresses.keys()],

    where: sought =>
      questions.run('company' in sought ? sought.company : 0, async () => {
        const told = await Promise.allSettled([...addresses.values()].map(address => ask(address, sought)))
        const places = told.flatMap(one => (one.status === 'fulfilled' && one.value ? [one.value] : []))
        const silent = told.find(one => one.status === 'rejected')
        if (places.length === 0 && silent) throw new CellAway(`A cell does not answer: ${silent.reason}`)
        // A cell that has a company knows better than one that it has left.
        return places.find(({ isThere }) => isThere)?.place ?? places[0]?.place
      }),

    async send(cell, request) {
      const address = addresses.get(cell)
      if (address === undefined) throw new CellAway(`CELLS has no address of cell ${cell}`)
      return open(new URL(address), request).catch(error => {
        throw new CellAway(`Cell ${cell} does not answer: ${error}`)
      })
    },

    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }

  async function ask(address: string, sought: Sought): Promise<{ place: Place; isThere: boolean } | undefined> {
    const query = 'company' in sought ? `company=${sought.company}` : `digest=${sought.digest.toString('hex')}`
    const answer = await open(new URL(address), {
      method: 'GET',
      path: `/internal/where?${query}`,
      headers: { authorization: `Bearer ${bearer}` },
      body: Buffer.alloc(0),
      signal: AbortSignal.timeout(TOLD_WITHIN_MS),
    })
    const text = await textOf(answer)
    // To a caller that it does not trust, the address does not exist.
    if (answer.statusCode === 404 && JSON.parse(text).error.code === 'not_found') return undefined
    if (answer.statusCode !== 200) throw new Error(`${address} answered ${answer.statusCode}`)
    const place = JSON.parse(text) as Place
    return { place, isThere: addresses.get(place.cell) === address }
  }

  function open(address: URL, request: PassedRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { method, path, headers, body, signal } = request
      const isTls = address.protocol === 'https:'
      const options = { method, path, headers, signal, agent: isTls ? agents.https : agents.http }
      // The certificate is that of the cell, whichever host the caller has named.
      const sent = isTls
        ? https.request(address, { ...options, servername: address.hostname })
        : http.request(address, options)
      sent.setTimeout(SILENT_FOR_MS, () => sent.destroy(new Error(`${address.host} is silent`)))
      sent.once('socket', socket => {
        if (!socket.connecting) return
        const late = setTimeout(() => sent.destroy(new Error(`${address.host} is away`)), CONNECTED_WITHIN_MS)
        for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(late))
      })
      let isAnswered = false
      sent.once('response', answer => {
        isAnswered = true
        resolve(answer)
      })
      // After the answer has begun, whoever reads it sees that it was cut off.
      sent.on('error', error => {
        if (!Buffer.isBuffer(body)) body.unpipe(sent)
        // The other side has closed the connection while nothing was on it.
        const isStale = sent.reusedSocket && !isAnswered && isRepeatable(request) && !signal.aborted
        if (isStale) open(address, request).then(resolve, reject)
        else reject(error)
      })
      if (Buffer.isBuffer(body)) sent.end(body.length > 0 ? body : undefined)
      else body.pipe(sent)
    })
  }
}

function isRepeatable({ method, body }: PassedRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && Buffer.isBuffer(body)
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const bytes of answer.setEncoding('utf8')) {
    text += bytes
    if (text.length > LONGEST_ANSWER) throw new Error('A cell answered too much')
  }
  return text
}
