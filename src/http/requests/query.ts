import type { Static, TObject } from 'typebox'
import { notFound, unprocessable } from '../../domain/errors.ts'
import { westernDigits } from '../../lib/digits.ts'
import { parseIso } from '../../lib/iso-8601.ts'
import { isStorableText } from '../../lib/text.ts'
import { fits } from './body.ts'
import type { ReadCursor } from './cursor.ts'

interface Parameter {
  type?: string
  default?: unknown
  minimum?: number
  maximum?: number
  maxItems?: number
  enum?: string[]
  format?: string
  /** Refused when it is given but blank. */
  notBlank?: boolean
  /** What the refusal says a text must be that does not fit its length or pattern. */
  mustBe?: string
}

export type RawQuery = Record<string, string | string[] | undefined>

/** The parameters of a query that may be given several times. */
export function repeatableIn(schema: TObject | undefined): string[] {
  const parameters = Object.entries(schema?.properties ?? {})
  return parameters.flatMap(([name, parameter]) => ((parameter as Parameter).type === 'array' ? [name] : []))
}

/**
 * Some clients write a parameter that is given several times as `name[]` or `name[0]`. It is read as `name`: ignoring it would
 * widen the answer.
 */
export function withPlainNames(query: RawQuery, repeatable: string[]): RawQuery {
  const plain = new Map<string, string | string[]>()
  for (const [name, values = []] of Object.entries(query)) {
    const key = repeatable.find(each => isBracketed(name, each)) ?? name
    const before = plain.get(key)
    plain.set(key, before === undefined ? values : [before, values].flat())
  }
  return Object.fromEntries(plain)
}

function isBracketed(name: string, plain: string): boolean {
  return name.startsWith(`${plain}[`) && /^\[\d{0,4}\]$/.test(name.slice(plain.length))
}

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
 * Where ignoring a filter would give wrong data, a read declares `refusesQuery`: then what does not fit its schema is 422.
 */
export function readQuery<Query extends TObject>(
  { name: endpoint, query: schema, refusesQuery = false }: DeclaredQuery<Query>,
  raw: RawQuery,
  { params, readCursor }: Asking,
): Static<Query> {
  const query: Record<string, unknown> = {}
  for (const [name, parameter] of Object.entries(schema?.properties ?? {})) {
    if (refusesQuery) requireReadable(name, parameter as Parameter, raw[name])
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

function requireReadable(name: string, parameter: Parameter, raw: string | string[] | undefined): void {
  if (raw === undefined) return
  const problem = problemIn(parameter, [raw].flat())
  if (problem) throw unprocessable(name, problem)
}

function problemIn(parameter: Parameter, texts: string[]): string | undefined {
  const { type, default: fallback, maxItems = Infinity } = parameter
  if (!texts.every(isStorableText)) return 'must not contain control characters or half of a surrogate pair'
  if (type === 'array') {
    if (texts.length > maxItems) return `must not be given more than ${maxItems} times`
    return texts.some(isBlank) ? "can't be blank" : undefined
  }
  return fallback === undefined ? problemOf(parameter, texts.at(-1) ?? '') : undefined
}

function problemOf(parameter: Parameter, text: string): string | undefined {
  const { type, enum: values, format, notBlank, mustBe } = parameter
  if (type === 'boolean') return readFlag(text) === undefined ? 'must be true or false' : undefined
  if (isBlank(text) && (notBlank || isId(parameter))) return "can't be blank"
  if (isId(parameter)) return readQueryId(text) === undefined ? 'must be an id' : undefined
  if (values && !values.includes(text)) return `must be one of ${values.join(', ')}`
  if (format === 'date' && !isDate(readDate(text))) return 'must be a date that exists, written YYYY-MM-DD'
  if (mustBe && !fits(parameter, text)) return `must be ${mustBe}`
  return undefined
}

const isBlank = (text: string) => text.trim() === ''
const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && parseIso(text) !== undefined
const readDate = (text: string) => westernDigits(text).trim()

function readParameter(parameter: Parameter, raw: string | string[] | undefined): unknown {
  if (parameter.type === 'array') return raw === undefined ? [] : [raw].flat()
  const text = lastOf(raw)
  if (parameter.type === 'boolean') return readFlag(text) ?? parameter.default
  // Something that is no id must match nothing instead of being ignored.
  if (isId(parameter)) return text ? (readQueryId(text) ?? NO_ID) : undefined
  if (parameter.type === 'integer') return readInteger(parameter, text)
  if (parameter.format === 'date' && text !== undefined) return readDate(text)
  if (text === undefined || isStorableText(text)) return text ?? parameter.default
  // A text without a default is a filter: what cannot be stored must match nothing either.
  return parameter.default ?? '\ufffd'
}

const lastOf = (raw: string | string[] | undefined) => (Array.isArray(raw) ? raw.at(-1) : raw)

const FLAGS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

const readFlag = (text = '') => FLAGS.get(text)

/** No record has it. */
const NO_ID = 0

/** A number without a default is an id. Ids are not clamped: that would name another record. */
function isId({ type, default: fallback }: Parameter): boolean {
  return type === 'integer' && fallback === undefined
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
