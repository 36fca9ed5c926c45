import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { keepWriting, type Writes } from '../support/acknowledged-writes.ts'
import type { Client } from '../support/diwan.ts'
import { random } from '../support/random.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

/** What a caller may wait: five seconds in a queue, and for the statement of four seconds until its connection counts as silent. */
const LONGEST_CALL_MS = 10_000
/** The probe gives up after two seconds; the third is for a busy machine. */
const LONGEST_PROBE_MS = 3_000
const SERVES_WITHIN_MS = 5_000
const WRITES_BETWEEN = 10

/** What happens to a database, from when until when. */
export interface DatabaseFault {
  name: string
  /** While it lasts, nothing can be written, over whichever connection. */
  isTotal: boolean
  begin(): Promise<unknown>
  /** Returns when the database itself takes writes again. */
  end(): Promise<unknown>
  /** Until it serves again; five seconds if not given. */
  servesWithinMs?: number
}

interface Call {
  status: number
  sentAt: number
  answeredAt: number
}

/** Writes under load and the probe beside them, while one fault after the other is tried on the database. */
export function watchDatabase(node: ServerProcess, api: Client) {
  const calls: Call[] = []
  const writes = keepWriting([recorded(api, calls)])
  const probes: Call[] = []
  const probe = recorded(node.diwan.client(''), probes)
  let isOver = false
  const probing = (async () => {
    for (; !isOver; await sleep(50)) await probe.get('/ready')
  })()
  const figures = { 'longest call in ms': 0, 'longest until it served again in ms': 0 }

  return {
    writes,
    figures,
    /** Lets it last for up to so long after it was noticed, or not even until it is. */
    async tryFault(fault: DatabaseFault, holdMs: number): Promise<void> {
      const { name, isTotal, begin, end, servesWithinMs = SERVES_WITHIN_MS } = fault
      const isAwaited = isTotal && random() < 0.7
      const held = random() * holdMs
      await goOn(writes)
      calls.length = 0
      probes.length = 0
      const beganAt = performance.now()
      await begin()
      if (isAwaited) await until(async () => probes.some(({ status }) => status === 503))
      const noticedAt = performance.now()
      await sleep(held)
      const endsAt = performance.now()
      await end()
      const backAt = performance.now()
      await goOn(writes)
      const servedAt = Math.min(...calls.filter(served).flatMap(({ answeredAt: at }) => (at >= backAt ? [at] : [])))
      await until(async () => probes.at(-1)?.status === 200)
      // Whoever calls a moment later is served: it is not only a connection or two that work again.
      await until(async () => performance.now() > backAt + servesWithinMs || calls.slice(-WRITES_BETWEEN).every(served))
      await goOn(writes)

      figures['longest call in ms'] = Math.max(figures['longest call in ms'], ...calls.map(duration))
      const until201 = servedAt - backAt
      figures['longest until it served again in ms'] = Math.max(
        figures['longest until it served again in ms'],
        until201,
      )
      expect(until201, `${name}: ms until it served again`).toBeLessThan(servesWithinMs)
      expect(Math.max(...calls.map(duration)), `${name}: longest call in ms`).toBeLessThan(LONGEST_CALL_MS)
      expect(Math.max(...probes.map(duration)), `${name}: longest probe in ms`).toBeLessThan(LONGEST_PROBE_MS)
      const refusals = writes.others.splice(0)
      expect(new Set(refusals.map(({ status, body }) => `${status} ${body.error?.code}`)), name).toEqual(
        new Set(refusals.length > 0 ? ['503 unavailable'] : []),
      )
      const unexplained = calls.filter(
        call => !served(call) && (call.answeredAt < beganAt || call.sentAt > backAt + servesWithinMs),
      )
      expect(unexplained, `${name}: refused while the database was well`).toEqual([])
      if (!isAwaited) return
      const lies = probes.filter(({ status, sentAt, answeredAt }) => {
        return status === 200 && sentAt > noticedAt && answeredAt < endsAt
      })
      expect(lies, `${name}: ready while nothing could be written`).toEqual([])
    },
    async stop(): Promise<void> {
      isOver = true
      await Promise.all([writes.stop(), probing])
    },
  }
}

const served = ({ status }: Call) => status < 300
const duration = ({ sentAt, answeredAt }: Call) => answeredAt - sentAt

async function goOn({ acknowledged }: Writes): Promise<void> {
  const before = acknowledged.length
  await until(async () => acknowledged.length > before + WRITES_BETWEEN)
}

/** The same client, and the times of its calls. */
function recorded(client: Client, calls: Call[]): Client {
  const record = async <T extends { status: number }>(call: () => Promise<T>): Promise<T> => {
    const sentAt = performance.now()
    const answer = await call()
    calls.push({ status: answer.status, sentAt, answeredAt: performance.now() })
    return answer
  }
  return {
    ...client,
    get: (...args) => record(() => client.get(...args)),
    post: (...args) => record(() => client.post(...args)),
  }
}
