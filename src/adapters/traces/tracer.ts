import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { errorCode } from '../../db/failures.ts'
import type { Attributes, Span, SpanFacts, Tracer } from '../../lib/tracing.ts'
import { createExporter, type ExporterOptions } from './exporter.ts'

export interface TracerOptions extends ExporterOptions {
  /** The part of the traces that begin here which is recorded, from 0 to 1. */
  ratio: number
}

/** What was there when a span began: only its ids and its decision, if it is one of another process. */
interface Place {
  traceId: string
  spanId: string
  isRecorded: boolean
  /** The wall clock less the monotonic one: the same for a whole trace, so that a clock that is set does not tear it apart. */
  epochMs: number
  /** How many more spans there may be in it: a stream of changes may last for days, and a job may take thousands of statements. */
  room: { left: number }
}

/** In one request, job or delivery. */
const MOST_SPANS = 1_000

class OpenSpan implements Span, Place {
  readonly traceId: string
  readonly spanId = randomBytes(8).toString('hex')
  readonly isRecorded: boolean
  readonly epochMs: number
  readonly room: { left: number }
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: NonNullable<SpanFacts['kind']>
  readonly attributes: Attributes
  readonly startedMs = performance.now()
  endedMs = 0
  isFailed = false
  readonly #onEnd: (span: OpenSpan) => void

  constructor({ name, kind = 'internal', attributes = {} }: SpanFacts, place: Place, onEnd: (span: OpenSpan) => void) {
    this.traceId = place.traceId
    this.parentId = place.spanId || undefined
    this.isRecorded = place.isRecorded
    this.epochMs = place.epochMs
    this.room = place.room
    this.name = name
    this.kind = kind
    this.attributes = attributes
    this.#onEnd = onEnd
  }

  set(attributes: Attributes): void {
    Object.assign(this.attributes, attributes)
  }

  fail(error: unknown): void {
    const { status = 500 } = (error ?? {}) as { status?: number }
    // To refuse a call is no failure of ours.
    this.isFailed = status >= 500
    this.attributes['error.type'] ??= errorCode(error) ?? (error instanceof Error ? error.name : 'unknown')
  }

  end(): void {
    if (this.endedMs > 0) return
    this.endedMs = performance.now()
    if (this.isRecorded) this.#onEnd(this)
  }
}

/** Follows what a request leads to, through `await`, and hands every span that has ended to the exporter. */
export function createTracer({ ratio, ...options }: TracerOptions): Tracer {
  const exporter = createExporter(options)
  const current = new AsyncLocalStorage<OpenSpan>()
  const open = (facts: SpanFacts, place: Place) => new OpenSpan(facts, place, exporter.add)

  async function inside<T>(span: OpenSpan, work: (span: Span) => Promise<T>): Promise<T> {
    try {
      return await current.run(span, work, span)
    } catch (error) {
      span.fail(error)
      throw error
    } finally {
      span.end()
    }
  }

  return {
    begin(facts, { traceparent, isWithin }) {
      const place = (isWithin && current.getStore()) || placeIn(traceparent)
      return open(facts, place ?? newTrace(ratio))
    },
    run: (span, work) => current.run(span as OpenSpan, work),

    within(facts, work) {
      const span = current.getStore()
      // A loop or a timer that a request has started may go on long after it.
      const isPart = span?.isRecorded && span.endedMs === 0 && span.room.left-- > 0
      return isPart ? inside(open(facts, span), work) : work()
    },

    following(traceparent, facts, work) {
      const place = placeIn(traceparent)
      return place?.isRecorded ? inside(open(facts, place), work) : work()
    },

    bound(work) {
      const span = current.getStore()
      return span ? (...args) => current.run(span, work, ...args) : work
    },

    traceparent() {
      const span = current.getStore()
      return span?.isRecorded ? `00-${span.traceId}-${span.spanId}-01` : undefined
    },
    traceId: () => current.getStore()?.traceId,
    dropped: exporter.dropped,
    close: exporter.close,
  }
}

function newTrace(ratio: number): Place {
  const traceId = randomBytes(16).toString('hex')
  return { traceId, spanId: '', isRecorded: Math.random() < ratio, ...afresh() }
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})($|-)/
const TRACEPARENT_CHARACTERS = 55

/** What does not have the form is no parent (W3C Trace Context, 3.2.2). Later versions may have more behind the flags. */
function placeIn(traceparent: string | null | undefined): Place | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] =
    traceparent?.slice(0, TRACEPARENT_CHARACTERS + 1).match(TRACEPARENT) ?? []
  if (!version || version === 'ff' || (version === '00' && traceparent?.length !== TRACEPARENT_CHARACTERS))
    return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isRecorded: (Number.parseInt(flags, 16) & 1) === 1, ...afresh() }
}

const afresh = () => ({ epochMs: Date.now() - performance.now(), room: { left: MOST_SPANS } })
