import type { Attributes, SpanFacts } from '../../lib/tracing.ts'

/** Who tells the spans. */
export type Resource = Attributes

export interface EndedSpan extends Required<SpanFacts> {
  traceId: string
  spanId: string
  parentId: string | undefined
  /** To be added to the times, which are those of the process. */
  epochMs: number
  startedMs: number
  endedMs: number
  isFailed: boolean
}

/** The numbers of the protocol. */
const KINDS = { internal: 1, server: 2, client: 3, consumer: 5 } as const
const ERROR = 2

/**
 * A request of OTLP in JSON: ids in hexadecimal, numbers of 64 bits as text, enumerations as numbers, and nothing for what is
 * empty.
 */
export function encodeSpans(resource: Resource, spans: EndedSpan[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(resource) },
        scopeSpans: [{ scope: { name: 'diwan' }, spans: spans.map(encodeSpan) }],
      },
    ],
  })
}

function encodeSpan(span: EndedSpan) {
  const { traceId, spanId, parentId, name, kind, epochMs, startedMs, endedMs, attributes, isFailed } = span
  return {
    traceId,
    spanId,
    parentSpanId: parentId,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(epochMs + startedMs),
    endTimeUnixNano: nanoseconds(epochMs + endedMs),
    attributes: encodeAttributes(attributes),
    status: isFailed ? { code: ERROR } : {},
  }
}

function encodeAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : { key, value: encodeValue(value) },
  )
}

function encodeValue(value: string | number) {
  if (typeof value === 'string') return { stringValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** In whole microseconds: more than a clock of the process tells. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`
}
