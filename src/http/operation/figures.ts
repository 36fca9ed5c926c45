import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { quantile } from '../../lib/quantile.ts'
import type { About } from './about.ts'
import { DELAY_RESOLUTION_MS, REQUEST_SECONDS, REQUESTS_TOTAL } from './metrics.ts'

/** What happened in an interval, and the state of the process at its end. */
interface Step {
  at: string
  requests: Record<StatusClass, number>
  p50_ms: number | null
  p95_ms: number | null
  p99_ms: number | null
  connections: number
  memory_bytes: number
  event_loop_delay_ms: number
  feed_lag_seconds: number | null
}

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const
type StatusClass = (typeof STATUS_CLASSES)[number]

export interface Figures {
  /** Oldest first. */
  steps(): Step[]
}

export const STEP_SECONDS = 10
/** An hour. */
const MOST_STEPS = 360

/** The counters of the metrics since the process began. */
interface Totals {
  classes: Record<StatusClass, number>
  bounds: number[]
  buckets: number[]
}

/** The last hour of this process, computed from the existing metrics: it adds no cost to a request. */
export function createFigures(app: FastifyInstance, metrics: Registry, feedLag: About['feedLag']): Figures {
  const steps: Step[] = []
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
  delay.enable()
  let before: Totals | undefined
  const timer = setInterval(() => addStep().catch(() => {}), STEP_SECONDS * 1000)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delay.disable()
  })

  async function addStep(): Promise<void> {
    const totals = await readTotals(metrics)
    const ms = (share: number) => milliseconds(quantile(totals.bounds, perBucket(totals, before), share))
    const step = {
      at: new Date().toISOString(),
      requests: sinceThen(totals, before),
      p50_ms: ms(0.5),
      p95_ms: ms(0.95),
      p99_ms: ms(0.99),
      connections: await openConnections(app),
      memory_bytes: process.memoryUsage.rss(),
      event_loop_delay_ms: Math.max(0, Math.round((delay.percentile(99) / 1e6 - DELAY_RESOLUTION_MS) * 10) / 10),
      feed_lag_seconds: await feedLag(),
    }
    delay.reset()
    before = totals
    steps.push(step)
    if (steps.length > MOST_STEPS) steps.shift()
  }

  return { steps: () => steps }
}

async function readTotals(metrics: Registry): Promise<Totals> {
  const classes = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }
  for (const { value, labels } of await valuesOf(metrics, REQUESTS_TOTAL)) {
    const name = STATUS_CLASSES.find(each => each[0] === String(labels.status)[0])
    if (name) classes[name] += value
  }
  const cumulative = new Map<number, number>()
  for (const { value, labels } of await valuesOf(metrics, REQUEST_SECONDS)) {
    if (labels.le === undefined) continue
    const bound = labels.le === '+Inf' ? Infinity : Number(labels.le)
    cumulative.set(bound, (cumulative.get(bound) ?? 0) + value)
  }
  const ends = [...cumulative.keys()].sort((a, b) => a - b)
  const upTo = ends.map(end => cumulative.get(end) ?? 0)
  return {
    classes,
    bounds: ends.filter(Number.isFinite),
    buckets: upTo.map((count, n) => count - (upTo[n - 1] ?? 0)),
  }
}

async function valuesOf(metrics: Registry, name: string) {
  return (await metrics.getSingleMetric(name)?.get())?.values ?? []
}

function perBucket({ buckets }: Totals, before: Totals | undefined): number[] {
  return buckets.map((count, n) => count - (before?.buckets[n] ?? 0))
}

function sinceThen({ classes }: Totals, before: Totals | undefined): Step['requests'] {
  const counts = STATUS_CLASSES.map(name => [name, classes[name] - (before?.classes[name] ?? 0)])
  return Object.fromEntries(counts) as Step['requests']
}

const milliseconds = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 10_000) / 10)

function openConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise(resolve => server.getConnections((error, count) => resolve(error ? 0 : count)))
}
