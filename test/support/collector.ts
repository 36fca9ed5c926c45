import Type from 'typebox'
import Schema from 'typebox/schema'
import { type Receiver, startReceiver, taken } from './receiver.ts'

// What the specification of OTLP/HTTP says about traces in JSON: ids are hexadecimal, numbers of 64 bits are text, enumerations are
// numbers, names are in lowerCamelCase.

const closed = { additionalProperties: false }
const Attribute = Type.Object(
  {
    key: Type.String({ minLength: 1 }),
    value: Type.Union([
      Type.Object({ stringValue: Type.String() }, closed),
      Type.Object({ intValue: Type.String({ pattern: '^-?\\d+$' }) }, closed),
      Type.Object({ doubleValue: Type.Number() }, closed),
    ]),
  },
  closed,
)
const nanoseconds = Type.String({ pattern: '^1\\d{18}$' })
const Span = Type.Object(
  {
    traceId: Type.String({ pattern: '^(?!0{32})[0-9a-f]{32}$' }),
    spanId: Type.String({ pattern: '^(?!0{16})[0-9a-f]{16}$' }),
    parentSpanId: Type.Optional(Type.String({ pattern: '^(?!0{16})[0-9a-f]{16}$' })),
    name: Type.String({ minLength: 1 }),
    kind: Type.Integer({ minimum: 1, maximum: 5 }),
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    attributes: Type.Array(Attribute),
    status: Type.Object({ code: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })) }, closed),
  },
  closed,
)
const Batch = Type.Object(
  {
    resourceSpans: Type.Array(
      Type.Object(
        {
          resource: Type.Object({ attributes: Type.Array(Attribute) }, closed),
          scopeSpans: Type.Array(
            Type.Object({ scope: Type.Object({ name: Type.String() }, closed), spans: Type.Array(Span) }, closed),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
)
const batch = Schema.Compile(Batch)

interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  ms: number
  isFailed: boolean
  attributes: Record<string, string | number>
}

export interface Collector extends Pick<Receiver, 'answer' | 'received'> {
  /** As the setting OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string
  /** All that have come. Throws when one of the posts is not what the protocol asks for. */
  spans(): CollectedSpan[]
}

/** A collector of traces, which takes what the protocol allows and nothing else. */
export async function startCollector(answer = taken): Promise<Collector> {
  const receiver = await startReceiver(answer)
  return {
    endpoint: new URL(receiver.url).origin,
    received: receiver.received,
    answer: receiver.answer,
    spans: () => receiver.received.flatMap(({ url, headers, body }) => spansIn(url, headers['content-type'], body)),
  }
}

function spansIn(url: string, type: string | undefined, body: unknown): CollectedSpan[] {
  if (url !== '/v1/traces' || type !== 'application/json') throw new Error(`${type} was sent to ${url}`)
  const [isValid, errors] = batch.Errors(body)
  if (!isValid) throw new Error(`Not a batch of spans: ${JSON.stringify(errors)}`)
  const { resourceSpans } = body as Type.Static<typeof Batch>
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ startTimeUnixNano, endTimeUnixNano, status, attributes, ...span }) => ({
        ...span,
        ms: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6,
        isFailed: status.code === 2,
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)])),
      })),
    ),
  )
}

function plainValue(value: object): string | number {
  const { stringValue, intValue, doubleValue } = value as Record<string, string>
  return stringValue ?? Number(intValue ?? doubleValue)
}
