import { _, Ajv, type ErrorObject } from 'ajv'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { ApiError, unprocessable } from '../../domain/errors.ts'
import { isMetadataKey } from '../../domain/records/metadata.ts'
import { joined, ofFields, type Said, say, type Words, wordsOf } from '../../domain/sentences/sentences.ts'
import { dateProblem } from '../../domain/time/dates.ts'
import { plainNumber } from '../../lib/digits.ts'
import { fromHijri } from '../../lib/hijri.ts'
import { JsonFault, type JsonObject, parseJsonObject, RepeatedKey } from '../../lib/json.ts'
import { isJsonInUtf8 } from '../../lib/media-type.ts'
import { excerpt, isFarLongerThan, isLongerThan, isStorableText, isVisible } from '../../lib/text.ts'
import { HIJRI_FORMAT, toGregorian } from '../answers/hijri.ts'
import { type Field, problemOf } from './field-problems.ts'

/** A body as it arrived. It is read only after the record was found and the call was allowed. */
export interface RawBody {
  contentType: string | undefined
  contentEncoding: string | undefined
  bytes: Buffer
  tooLarge: boolean
  /** What a large one was found to be, by a thread of its own. */
  parsed?: JsonObject | JsonFault | RepeatedKey
}

// Stops at the first fault, and checks lengths before patterns and formats.
const ajv = new Ajv({ strict: false, verbose: true })
// Ajv's own walks through all of a text to count its characters.
ajv.removeKeyword('maxLength').addKeyword({
  keyword: 'maxLength',
  type: 'string',
  before: 'pattern',
  validate: (limit: number, text: string) => !isLongerThan(text, limit),
  error: { message: 'is too long', params: ({ schema }) => _`{limit: ${schema}}` },
})
ajv.addKeyword({ keyword: 'isKey', type: 'string', validate: (_: true, text: string) => isMetadataKey(text) })
ajv.addKeyword({ keyword: 'visible', type: 'string', validate: (_: true, text: string) => isVisible(text) })
ajv.addFormat(HIJRI_FORMAT, text => fromHijri(text) !== undefined)
ajv.addFormat('date', text => dateProblem(text) === undefined)
// What `URL` would repair is refused: it drops newlines and blanks, adds or reverses slashes. The URL is stored as sent.
ajv.addFormat('uri', text => /^https?:\/\/[^\s/\\][^\s\\]*$/i.test(text) && URL.canParse(text))
// Splits the domain at the first dot after its first character, so that an address can be matched in only one way.
ajv.addFormat('email', /^[^\s@"<>(),;:\\[\]]+@[^\s@"<>(),;:\\[\]][^.\s@"<>(),;:\\[\]]*\.[^\s@"<>(),;:\\[\]]+$/u)

const EMPTY: RawBody = { contentType: undefined, contentEncoding: undefined, bytes: Buffer.alloc(0), tooLarge: false }

/** An endpoint without fields accepts an object too, and names the fields that it ignores. */
const NO_FIELDS = Type.Object({})

/**
 * Returns the fields that a schema declares, or throws what is wrong with them. `onIgnored` gets the names of all others, even
 * when the body is refused: one may be a misspelled field.
 */
export function bodyReader<Body extends TObject>(declared: Body | undefined) {
  const schema: TObject = declared ?? NO_FIELDS
  return ({ fields: sent, numbers, repeated }: JsonObject, onIgnored: (names: string[]) => void): Static<Body> => {
    const ignored = Object.keys(sent).filter(name => !Object.hasOwn(schema.properties, name))
    onIgnored(ignored)
    const fields: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(schema.properties)) {
      if (Object.hasOwn(sent, name)) fields[name] = readField(name, field as Field, sent[name], numbers.get(name))
    }
    const [first, ...others] = [...repetitions(schema, repeated), ...problemsIn(schema, fields)]
    if (first) throw refusalOf([first, ...others], ...hintsAt(wrapperOf(sent, ignored)))
    toGregorian(schema, fields)
    // The cast holds: every field has passed its schema, no required field is missing, and there are no others.
    return fields as Static<Body>
  }
}

/** The object in a body, before its fields are validated. */
export function parseBody({ bytes, tooLarge, contentType, contentEncoding, parsed }: RawBody = EMPTY): JsonObject {
  if (tooLarge) throw unprocessable('body', 'is too large')
  if (bytes.length === 0) return { fields: {}, numbers: new Map(), repeated: [] }
  if (contentEncoding && contentEncoding !== 'identity')
    throw unprocessable('body', 'must not be compressed: send it without Content-Encoding')
  if (contentType && !isJsonInUtf8(contentType)) {
    throw unprocessable('body', 'must be JSON in UTF-8: send it with Content-Type: application/json')
  }
  try {
    if (parsed instanceof Error) throw parsed
    return parsed ?? parseJsonObject(bytes)
  } catch (error) {
    if (error instanceof JsonFault) throw unprocessable('body', error.problem)
    if (!(error instanceof RepeatedKey)) throw error
    const field = JSON.stringify(excerpt(error.key))
    throw unprocessable('body', say('has the field {field} more than once', { field }))
  }
}

function readField(name: string, field: Field, value: unknown, numberText?: string): unknown {
  const strange = unstorableIn(name, field, value)
  if (strange !== undefined)
    throw unprocessable(strange, 'must not contain control characters or half of a surrogate pair')
  if (isListOfRecords(field) && Array.isArray(value))
    return value.map((entry, n) => readEntry(`${name}[${n}]`, field.items, entry))
  if (field.numberAsText && numberText !== undefined) return numberText
  const isDay = field.format === 'date' || field.format === HIJRI_FORMAT
  return isDay && typeof value === 'string' ? plainNumber(value) : value
}

/** A list whose entries have fields, like a body of their own. */
interface ListOfRecords {
  items: TObject
  maxItems?: number
}

function isListOfRecords(field: object): field is ListOfRecords {
  return 'items' in field && typeof field.items === 'object' && field.items !== null && 'properties' in field.items
}

/** How many entries a list in a body has; 1 when it is not a list, or is longer than its schema allows. */
export function entriesIn(schema: TObject | undefined, name: string, { fields }: JsonObject): number {
  const list = Object.hasOwn(fields, name) ? fields[name] : undefined
  const { maxItems = Infinity }: { maxItems?: number } = schema?.properties[name] ?? {}
  return Array.isArray(list) && list.length <= maxItems ? Math.max(list.length, 1) : 1
}

/** Keeps unknown fields of an entry, so that they are refused later. */
function readEntry(name: string, { properties }: TObject, entry: unknown): unknown {
  if (!isRecord(entry)) return entry
  const fields = Object.entries(entry).map(([key, value]) => {
    const field = Object.hasOwn(properties, key) ? properties[key] : undefined
    return [key, field ? readField(`${name}.${key}`, field as Field, value) : value]
  })
  return Object.fromEntries(fields)
}

/** Where a field holds text that cannot be stored: in itself, or one level down in a list or an object. */
function unstorableIn(name: string, field: Field, value: unknown): string | undefined {
  const { items, properties = {}, additionalProperties } = field
  if (Array.isArray(value)) return value.some(each => isUnstorable(items, each)) ? name : undefined
  if (!isRecord(value)) return isUnstorable(field, value) ? name : undefined
  const schemaOf = (key: string) => (Object.hasOwn(properties, key) ? properties[key] : additionalProperties)
  const found = Object.entries(value).find(([key, each]) => isUnstorable(schemaOf(key), each))
  return found && keyPath(name, found[0])
}

/** A text that is far too long is refused for that: nothing walks through it before. */
function isUnstorable({ maxLength = Infinity }: Field = {}, value: unknown): boolean {
  return typeof value === 'string' && !isFarLongerThan(value, maxLength) && !isStorableText(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrapperOf(sent: Record<string, unknown>, ignored: string[]): string | undefined {
  const [only] = ignored
  const value = Object.keys(sent).length === 1 && only !== undefined ? sent[only] : undefined
  return isRecord(value) ? only : undefined
}

export type Problem = [field: string, problem: Said]

/** `JSON.parse` keeps the last of two fields with the same name and silently drops the first. */
function repetitions({ properties }: TObject, repeated: JsonObject['repeated']): Problem[] {
  return repeated
    .filter(([name = '']) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined
      return field && (isListOfRecords(field) || isMap(field))
    })
    .map(([name, ...path]) => [name + path.map(shownPart).join(''), 'appears more than once'])
}

/** Every field that is wrong, each with its first fault: the missing ones first, then the others in their order. */
function problemsIn(schema: TObject, fields: Record<string, unknown>, within = ''): Problem[] {
  const missing = (schema.required ?? []).filter(name => !Object.hasOwn(fields, name))
  const faulty = Object.entries(schema.properties).flatMap(([name, field]) =>
    Object.hasOwn(fields, name) ? faultsOf(within + name, field, fields[name]) : [],
  )
  return [...missing.map((name): Problem => [within + name, "can't be blank"]), ...faulty]
}

function faultsOf(name: string, field: TSchema, value: unknown): Problem[] {
  if (isMap(field) && isRecord(value)) return faultsOfMap(name, field, value)
  if ('properties' in field && isRecord(value)) return problemsIn(field as TObject, value, `${name}.`)
  if (
    isListOfRecords(field) &&
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= (field.maxItems ?? Infinity)
  )
    return value.flatMap((entry, n) => faultsOfEntry(`${name}[${n}]`, field.items, entry))
  // Compiled on first use and cached: the start need not wait for all of them.
  const validate = ajv.compile(field)
  if (validate(value)) return []
  const [error] = validate.errors as [ErrorObject]
  return [[name + pathWithin(error), problemOf(error)]]
}

/** An object whose keys the caller chooses. */
export interface MapSchema {
  propertyNames: { pattern: string; mustBe: Said }
  additionalProperties: TSchema & { maxLength: number }
  maxProperties: number
}

export function isMap(field: object): field is MapSchema {
  return 'propertyNames' in field
}

/** A key that is to be removed, by null, does not count. */
function faultsOfMap(name: string, schema: MapSchema, map: Record<string, unknown>): Problem[] {
  const { propertyNames, additionalProperties, maxProperties } = schema
  const kept = Object.values(map).filter(value => value !== null)
  if (kept.length > maxProperties) return [[name, say('must have at most {most} keys', { most: maxProperties })]]
  return Object.entries(map).flatMap(([key, value]): Problem[] =>
    fits(propertyNames, key)
      ? faultsOf(keyPath(name, key), additionalProperties, value)
      : [[keyPath(name, key), say('must be {what}', { what: wordsOf(propertyNames.mustBe) })]],
  )
}

const keyPath = (name: string, key: string) => `${name}.${key === '' ? '""' : excerpt(key, 40)}`

/** True for a value that has no fault by its schema. */
export function fits(schema: object, value: unknown): boolean {
  return ajv.validate(schema, value)
}

/** Where in a field the fault is, as `[1]` or `.name`. */
function pathWithin({ instancePath }: ErrorObject): string {
  return instancePath.replace(/\/(\d+)/g, '[$1]').replaceAll('/', '.')
}

/** Unknown fields are refused here: nobody would notice that a field is dropped from every entry of a list. */
function faultsOfEntry(name: string, schema: TObject, entry: unknown): Problem[] {
  if (!isRecord(entry)) return [[name, 'must be an object']]
  const unknown = Object.keys(entry).filter(key => !Object.hasOwn(schema.properties, key))
  const refused = unknown.map((key): Problem => [`${name}.${shownKey(key)}`, 'is not a field'])
  return [...refused, ...problemsIn(schema, entry, `${name}.`)]
}

const shownPart = (part: string | number) => (typeof part === 'number' ? `[${part}]` : `.${shownKey(part)}`)

/** Short, because many keys may be named in one sentence. */
const shownKey = (key: string) => excerpt(key, 20)

/** A list may have hundreds of problems. */
const MOST_PROBLEMS = 20

/** The refusal that names what is wrong: at least one problem, and as many more as are readable. */
export function refusalOf(problems: [Problem, ...Problem[]], ...hints: Words[]): ApiError {
  const named = problems.slice(0, MOST_PROBLEMS)
  const left = problems.length - named.length
  const more = left > 0 ? [say('; and {count} more', { count: left })] : []
  return new ApiError('unprocessable_entity', joined([ofFields(named), ...more, ...hints]))
}

function hintsAt(wrapper: string | undefined): Words[] {
  if (wrapper === undefined) return []
  const name = JSON.stringify(excerpt(wrapper))
  return [say('. The body looks wrapped in {wrapper}: send its fields at the top level', { wrapper: name })]
}
