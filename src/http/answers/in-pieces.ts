import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { FairQueue } from '../../lib/fair-queue.ts'
import { QUEUES } from '../../queues.ts'
import { isRead } from '../requests/request.ts'
import { serializerFor } from './serializers.ts'

/** So long others can wait. */
const AT_ONCE_MS = 5
/** In characters: what is shorter is written at once. */
const LONG = 256 * 1024
/** What an entry of a list inside a record weighs, in characters. */
const ENTRY = 64

const turns = new FairQueue<number>('long answers', QUEUES.longAnswers)

/** Whose turn a read takes. A write waits for none: it holds a transaction, or has been done and must not be refused any more. */
type Reader = number | 'a write'

export function readerOf(request: FastifyRequest): Reader {
  return isRead(request) ? (request.who?.company_id ?? 0) : 'a write'
}

/**
 * Like `map`, for records that may be as long as they are allowed to be. What takes long is done in pieces, between which others are
 * served, and of all reads, one piece at a time.
 */
export async function inPieces<T, R>(reader: Reader, items: readonly T[], work: (item: T) => R): Promise<R[]> {
  const done: R[] = []
  const goOn = () => {
    const endsAt = performance.now() + AT_ONCE_MS
    while (done.length < items.length && performance.now() < endsAt) done.push(work(items[done.length] as T))
  }
  const goOnLater = async () => {
    await nextTurn()
    goOn()
  }
  goOn()
  while (done.length < items.length) await (reader === 'a write' ? goOnLater() : turns.run(reader, goOnLater))
  return done
}

/** The bytes that the serializer of a long list would write; undefined for any other answer. */
export async function writtenInPieces(reader: Reader, schema: TSchema, answer: unknown): Promise<Buffer | undefined> {
  const { items } = (schema as { properties?: { data?: { items?: TSchema } } }).properties?.data ?? {}
  const records = items && longRecordsIn(answer)
  if (!records) return undefined
  const serialize = serializerFor(items)
  const written = await inPieces(reader, records, record => Buffer.from(`${serialize(record)},`))
  const [before, after] = around(serializerFor(schema)({ ...(answer as object), data: [] }))
  const last = written.pop() as Buffer
  return Buffer.concat([Buffer.from(before), ...written, last.subarray(0, -1), Buffer.from(after)])
}

/** The answer to a write as JSON, to be given again. */
export async function jsonInPieces(answer: unknown): Promise<string> {
  const records = longRecordsIn(answer)
  if (!records) return JSON.stringify(answer)
  const written = await inPieces('a write', records, record => JSON.stringify(record))
  const [before, after] = around(JSON.stringify({ ...(answer as object), data: [] }))
  return before + written.join() + after
}

/** What stands before and behind the records of a list; `text` has none. */
function around(text: string): [before: string, after: string] {
  const at = text.indexOf(EMPTY) + EMPTY.length - 1
  return [text.slice(0, at), text.slice(at)]
}

const EMPTY = '"data":[]'

function longRecordsIn(answer: unknown): unknown[] | undefined {
  const { data } = (answer ?? {}) as { data?: unknown }
  return Array.isArray(data) && data.reduce((sum: number, record) => sum + weightOf(record), 0) > LONG
    ? data
    : undefined
}

function weightOf(record: unknown): number {
  let weight = 0
  for (const name in record as object) {
    const value = (record as Record<string, unknown>)[name]
    if (typeof value === 'string') weight += value.length
    else if (Array.isArray(value)) weight += value.length * ENTRY
  }
  return weight
}
