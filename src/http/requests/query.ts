import type { Static, TObject } from 'typebox'
import { notFound, unprocessable } from '../../domain/errors.ts'
import { type Said, say, wordsOf } from '../../domain/sentences/sentences.ts'
import { plainNumber } from '../../lib/digits.ts'
import { parseIso } from '../../lib/iso-8601.ts'
import { excerpt, isStorableText } from '../../lib/text.ts'
import { HIJRI_FORMAT, toGregorian } from '../answers/hijri.ts'
import { fits, isMap, type MapSchema } from './body.ts'
import type { ReadCursor } from './cursor.ts'
import { HIJRI_DAY } from './field-problems.ts'

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
  mustBe?: Said
}

export type RawQuery = Record<string, string | string[] | undefined>

/** The parameters of a query that may be given several times. */
export function repeatableIn(schema: TObject | undefined): string[] {
  const parameters = Object.entries(schema?.properties ?? {})
  return parameters.flatMap(([name, parameter]) => ((parameter as Parameter).type === 'array' ? [name] : []))
}

/**
 * The parameters that a query gives. An empty one counts as left out: a form sends what was not filled in. Some clients write a
 * parameter that is given several times as `name[]` or `name[0]`. It is read as `name`: ignoring it would widen the answer.
 */
export function parametersIn(query: RawQuery, repeatable: string[] = []): RawQuery {
  const given = new Map<string, string | string[]>()
  for (const [name, sent = []] of Object.entries(query)) {
    const values = Array.isArray(sent) ? sent.filter(value => value !== '') : sent
    if (values.length === 0) continue
    const key = repeatable.find(each => isBracketed(name, each)) ?? name
    const before = given.get(key)
    given.set(key, before === undefined ? values : [before, values].flat())
  }
  return Object.fromEntries(given)
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
    if (isMap(parameter)) {
      query[name] = readMap(name, parameter, raw)
      continue
    }
    if (refusesQuery) requireReadable(name, parameter as Parameter, raw[name])
    query[name] = readParameter(parameter as Parameter, raw[name])
  }
  if (schema) toGregorian(schema, query)
  if ('cursor' in query) {
    // A cursor belongs to the filters, not to the part of the records that a page takes.
    const { limit, offset, cursor, ...which } = query
    const owner = { name: endpoint, params, query: which }
    query.cursor = readCursor(owner, [raw.cursor].flat().at(-1), refusesQuery)
  }
  // The cast holds: each parameter was read according to its schema, or has its default.
  return query as Static<Query>
}

/**
 * A parameter such as `metadata[stage]`: which key is meant is part of its name. It is a filter, so what cannot be read is
 * refused.
 */
function readMap(name: string, schema: MapSchema, raw: RawQuery): Record<string, string> | undefined {
  const { propertyNames, additionalProperties, maxProperties } = schema
  const values = new Map<string, string>()
  for (const [sent, given = []] of Object.entries(raw)) {
    if (!isOfMap(sent, name)) continue
    const [value = '', ...others] = [given].flat()
    const key = sent.slice(name.length + 1, -1)
    const refuse = (problem: Said) => unprocessable(excerpt(sent), problem)
    if (sent !== `${name}[${key}]` || !fits(propertyNames, key))
      throw refuse(say('must be {form}, with {what}', { form: `${name}[key]`, what: wordsOf(propertyNames.mustBe) }))
    if (others.length > 0) throw refuse('must not be given more than once')
    if (!isStorableText(value)) throw refuse('must not contain control characters or half of a surrogate pair')
    if (!fits(additionalProperties, value))
      throw refuse(say('is too long: at most {limit} characters', { limit: additionalProperties.maxLength }))
    if (value !== '') values.set(key, value)
  }
  if (values.size > maxProperties)
    throw unprocessable(name, say('must have at most {most} keys', { most: maxProperties }))
  // In one order, whichever way the keys were sent: a cursor belongs to them.
  return values.size === 0 ? undefined : Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** True for `metadata[stage]`, and for what looks like a mistake in it, if the parameter is `metadata`. */
function isOfMap(sent: string, name: string): boolean {
  return sent === name || sent.startsWith(`${name}[`)
}

/** The parameters of a query that an endpoint does not know. */
export function unknownParameters(known: TObject | undefined, query: RawQuery): string[] {
  const properties = known?.properties ?? {}
  const maps = Object.entries(properties).flatMap(([name, parameter]) => (isMap(parameter) ? [name] : []))
  return Object.keys(query).filter(
    sent => sent !== '' && !Object.hasOwn(properties, sent) && !maps.some(name => isOfMap(sent, name)),
  )
}

function requireReadable(name: string, parameter: Parameter, raw: string | string[] | undefined): void {
  if (raw === undefined) return
  const problem = problemIn(parameter, [raw].flat())
  if (problem) throw unprocessable(name, problem)
}

function problemIn(parameter: Parameter, texts: string[]): Said | undefined {
  const { type, default: fallback, maxItems = Infinity } = parameter
  if (!texts.every(isStorableText)) return 'must not contain control characters or half of a surrogate pair'
  if (type === 'array') {
    if (texts.length > maxItems) return say('must not be given more than {limit} times', { limit: maxItems })
    return texts.some(isBlank) ? "can't be blank" : undefined
  }
  return fallback === undefined ? problemOf(parameter, texts.at(-1) ?? '') : undefined
}

function problemOf(parameter: Parameter, text: string): Said | undefined {
  const { type, enum: values, format, notBlank, mustBe } = parameter
  if (type === 'boolean') return readFlag(text) === undefined ? 'must be true or false' : undefined
  if (isBlank(text) && (notBlank || isId(parameter))) return "can't be blank"
  if (isId(parameter)) return readQueryId(text) === undefined ? 'must be an id' : undefined
  if (values && !values.includes(text)) return say('must be one of {values}', { values: values.join(', ') })
  if (format === HIJRI_FORMAT && !fits(parameter, readDate(text))) return say('must be {what}', { what: HIJRI_DAY })
  if (format === 'date' && !isDate(readDate(text))) return 'must be a date that exists, written YYYY-MM-DD'
  if (mustBe && !fits(parameter, plainNumber(text))) return say('must be {what}', { what: wordsOf(mustBe) })
  return undefined
}

const isBlank = (text: string) => text.trim() === ''
const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && parseIso(text) !== undefined
const readDate = (text: string) => plainNumber(text).trim()

const DAYS: (string | undefined)[] = ['date', HIJRI_FORMAT]

function readParameter(parameter: Parameter, raw: string | string[] | undefined): unknown {
  if (parameter.type === 'array') return raw === undefined ? [] : [raw].flat()
  const text = lastOf(raw)
  if (parameter.type === 'boolean') return readFlag(text) ?? parameter.default
  // Something that is no id must match nothing instead of being ignored.
  if (isId(parameter)) return text ? (readQueryId(text) ?? NO_ID) : undefined
  if (parameter.type === 'integer') return readInteger(parameter, text)
  if (DAYS.includes(parameter.format) && text !== undefined) return readDate(text)
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
  const digits = plainNumber(text).trim()
  if (!/^[+-]?\d+$/.test(digits)) return fallback
  return Math.min(Math.max(Number(digits), minimum), maximum)
}

/** An id from a query, in any of the digits in which numbers are accepted there. */
export function readQueryId(text: string): number | undefined {
  return readId(plainNumber(text).trim())
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
