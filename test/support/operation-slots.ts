import { readDescription, type Schema } from './description.ts'

/** Where something can be put into a request to an operation. */
export type Slot =
  | { in: 'path' | 'query' | 'header'; name: string }
  | { in: 'body'; at: (string | number)[]; format: string | undefined }

export interface DescribedOperation {
  id: string
  method: string
  path: string
  slots: Slot[]
  /** A body as the description shows it, if the operation takes one. */
  example: Record<string, unknown> | undefined
}

/** Headers that every operation reads, or that some part in front of it does. */
const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-type',
  'cookie',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'origin',
  'range',
  'traceparent',
  'x-forwarded-for',
  'x-request-id',
]

/** Every operation of a description, with every place in which a caller can put a text. */
export function operationsOf(file: string): DescribedOperation[] {
  const { operations, follow } = readDescription(file)

  /** The places in a body at which there may be text: in fields, in entries of lists and under keys of one's own. */
  function textsIn(schema: Schema, at: (string | number)[]): Slot[] {
    const { type, anyOf, oneOf, items, properties = {}, additionalProperties, format } = follow(schema)
    const types = [type].flat()
    const own: Slot[] = types.includes('string') ? [{ in: 'body', at, format }] : []
    const below = Object.entries(properties).flatMap(([name, one]) => textsIn(one, [...at, name]))
    const keyed =
      typeof additionalProperties === 'object' ? textsIn(additionalProperties, [...at, 'key']) : ([] as Slot[])
    const listed = items ? textsIn(items, [...at, 0]) : []
    return [
      ...own,
      ...below,
      ...keyed,
      ...listed,
      ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap(one => textsIn(one, at)),
    ]
  }

  return operations.map(({ id, method, path, parameters, json }) => ({
    id,
    method,
    path,
    slots: [
      ...parameters.map(({ in: place, name }) => ({ in: place, name })),
      { in: 'query', name: 'unknown' },
      ...HEADERS.map(name => ({ in: 'header', name }) as const),
      ...(json ? textsIn(json.schema, []) : []),
    ],
    example: json?.example,
  }))
}

/** The example with a value at a place; what leads there is made where the example does not have it. */
export function withValueAt(example: Record<string, unknown>, [...at]: (string | number)[], value: unknown): object {
  const body = structuredClone(example) as Record<string | number, unknown>
  const last = at.pop() as string | number
  let place = body
  for (const [n, step] of at.entries()) {
    const isThere = Object.hasOwn(place, step) && typeof place[step] === 'object' && place[step] !== null
    if (!isThere) place[step] = typeof (at[n + 1] ?? last) === 'number' ? [] : {}
    place = place[step] as Record<string | number, unknown>
  }
  Object.defineProperty(place, last, { value, enumerable: true, configurable: true, writable: true })
  return body
}
