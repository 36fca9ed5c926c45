import type { Static, TObject } from 'typebox'
import { notFound, unprocessable } from '../domain/errors.ts'
import { westernDigits } from '../lib/digits.ts'
import { isStorableText } from '../lib/text.ts'
import type { ReadCursor } from './cursor.ts'

interface Parameter {
  type?: string
  default?: unknown
  minimum?: number
  maximum?: number
}

export type RawQuery = Record<string, string | string[] | undefined>

interface DeclaredQuery<Query extends TObject> {
  name: string
  query?: Query
  refusesQuery?: boolean
}

/** What a query belongs to. */
interface Asking {
  params: object
  readCursor: ReadCursor
}

/**
 * Reads do not fail because of their query: what cannot be read takes its default, and numbers are clamped to their bounds.
 * Where ignoring a filter would give wrong data, a read declares `refusesQuery`.
 */
export function readQuery<Query extends TObject>(
  { name: endpoint, query: schema, refusesQuery = false }: DeclaredQuery<Query>,
  raw: RawQuery,
  { params, readCursor }: Asking,
): Static<Query> {
  const query: Record<string, unknown> = {}
  for (const [name, parameter] of Object.entries(schema?.properties ?? {})) {
    if (refusesQuery && !isReadable(raw[name]))
      throw unprocessable(name, 'must not contain control characters or half of a surrogate pair')
    query[name] = readParameter(parameter as Parameter, raw[name])
  }
  if ('cursor' in query) {
    // A cursor belongs to the filters, not to the part of the records that a page takes.
    const { limit, offset, cursor, ...which } = query
    const owner = { name: endpoint, params, query: which }
    query.cursor = readCursor(owner, [raw.cursor].flat().at(-1), refusesQuery)
  }
  // The cast holds: each parameter was read according to its schema, or has its default.
  return query as Static<Query>
}

function isReadable(raw: string | string[] | undefined): boolean {
  return [raw ?? ''].flat().every(isStorableText)
}

function readParameter(parameter: Parameter, raw: string | string[] | undefined): unknown {
  if (parameter.type === 'array') return raw === undefined ? [] : [raw].flat()
  const text = Array.isArray(raw) ? raw.at(-1) : raw
  if (parameter.type === 'boolean') return text === 'true' || text === '1'
  if (parameter.type === 'integer') return readInteger(parameter, text)
  if (text === undefined || isStorableText(text)) return text ?? parameter.default
  // Without a default it is a filter: it must match nothing instead of being ignored.
  return parameter.default ?? '\ufffd'
}

function readInteger(
  { default: fallback, minimum = -Infinity, maximum = Number.MAX_SAFE_INTEGER }: Parameter,
  text = '',
) {
  const digits = westernDigits(text).trim()
  if (!/^[+-]?\d+$/.test(digits)) return fallback
  return Math.min(Math.max(Number(digits), minimum), maximum)
}

/** An id from a query, in any of the digits in which numbers are accepted there. */
export function readQueryId(text: string): number | undefined {
  return readId(westernDigits(text).trim())
}

/** A numeric id from a path; throws not found for what cannot be one. */
export function requirePathId(text: string | undefined): number {
  const id = readId(text ?? '')
  if (id === undefined) throw notFound()
  return id
}

/** A numeric id; undefined for what cannot be one. */
export function readId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined
  return Number.isSafeInteger(id) ? id : undefined
}
