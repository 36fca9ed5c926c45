import { type Operation, readDescription, type Schema } from './description.ts'

/** The keys and list indexes that lead to a place in a body. */
type Place = (string | number)[]

/** Where something can be put into a request to an operation; `shownAs` is the format in which the answer has it. */
export type Slot =
  | { in: 'path' | 'query' | 'header'; name: string }
  | { in: 'body'; at: Place; format: string | undefined; shownAs: string | undefined }

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
  function textsIn(schema: Schema, at: Place, answer: Schema): Slot[] {
    const { type, anyOf, oneOf, items, properties = {}, additionalProperties, format } = follow(schema)
    const types = [type].flat()
    const own: Slot[] = types.includes('string')
      ? [{ in: 'body', at, format, shownAs: schemaAt(answer, at)?.format }]
      : []
    const below = Object.entries(properties).flatMap(([name, one]) => textsIn(one, [...at, name], answer))
    const keyed =
      typeof additionalProperties === 'object' ? textsIn(additionalProperties, [...at, 'key'], answer) : ([] as Slot[])
    const listed = items ? textsIn(items, [...at, 0], answer) : []
    return [
      ...own,
      ...below,
      ...keyed,
      ...listed,
      ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap(one => textsIn(one, at, answer)),
    ]
  }

  /** What is described at the same place of an answer. */
  function schemaAt(schema: Schema, at: Place): Schema | undefined {
    return at.reduce((found: Schema | undefined, step) => {
      const { items, properties = {} } = found ? follow(found) : {}
      const below = typeof step === 'number' ? items : properties[step]
      return below && follow(below)
    }, schema)
  }

  /** What an answer tells of the record. */
  function answerOf({ responses }: Operation): Schema {
    const [, done = {}] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
    const schema = follow(done).content?.['application/json']?.schema
    return (schema && schemaAt(schema, ['data'])) ?? {}
  }

  return operations.map(operation => {
    const { id, method, path, parameters, json } = operation
    return {
      id,
      method,
      path,
      slots: [
        ...parameters.map(({ in: place, name }) => ({ in: place, name })),
        { in: 'query', name: 'unknown' },
        ...HEADERS.map(name => ({ in: 'header', name }) as const),
        ...(json ? textsIn(json.schema, [], answerOf(operation)) : []),
      ],
      example: json?.example,
    }
  })
}

/** The example with a value at a place; what leads there is made where the example does not have it. */
export function withValueAt(example: Record<string, unknown>, [...at]: Place, value: unknown): object {
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
