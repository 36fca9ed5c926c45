import { Ajv, type ErrorObject } from 'ajv'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { type ApiError, unprocessable } from '../../domain/errors.ts'
import { dateProblem } from '../../domain/time/dates.ts'
import { westernDigits } from '../../lib/digits.ts'
import { FIRST_HIJRI_YEAR, fromHijri, LAST_HIJRI_YEAR } from '../../lib/hijri.ts'
import { type JsonObject, parseJsonObject } from '../../lib/json.ts'
import { isJsonInUtf8 } from '../../lib/media-type.ts'
import { excerpt, isStorableText } from '../../lib/text.ts'
import { HIJRI_FORMAT, toGregorian } from '../answers/hijri.ts'

/** A body as it arrived. It is read only after the record was found and the call was allowed. */
export interface RawBody {
  contentType: string | undefined
  contentEncoding: string | undefined
  bytes: Buffer
  tooLarge: boolean
}

interface Field {
  type?: string | string[]
  format?: string
  enum?: (string | null)[]
  maxLength?: number
  /** A JSON number is accepted, as the text in which it was written. */
  numberAsText?: boolean
}

// Stops at the first fault, and checks lengths before patterns and formats.
const ajv = new Ajv({ strict: false, verbose: true })
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
    if (first) throw refusalOf([first, ...others], hintAt(wrapperOf(sent, ignored)))
    toGregorian(schema, fields)
    // The cast holds: every field has passed its schema, no required field is missing, and there are no others.
    return fields as Static<Body>
  }
}

/** The object in a body, before its fields are validated. */
export function parseBody({ bytes, tooLarge, contentType, contentEncoding }: RawBody = EMPTY): JsonObject {
  if (tooLarge) throw unprocessable('body', 'is too large')
  if (bytes.length === 0) return { fields: {}, numbers: new Map(), repeated: [] }
  if (contentEncoding && contentEncoding !== 'identity')
    throw unprocessable('body', 'must not be compressed: send it without Content-Encoding')
  if (contentType && !isJsonInUtf8(contentType)) {
    throw unprocessable('body', 'must be JSON in UTF-8: send it with Content-Type: application/json')
  }
  try {
    return parseJsonObject(bytes)
  } catch (error) {
    throw unprocessable('body', (error as Error).message)
  }
}

function readField(name: string, field: Field, value: unknown, numberText?: string): unknown {
  for (const text of stringsIn(value)) {
    if (!isStorableText(text))
      throw unprocessable(name, 'must not contain control characters or half of a surrogate pair')
  }
  if (isListOfRecords(field) && Array.isArray(value))
    return value.map((entry, n) => readEntry(`${name}[${n}]`, field.items, entry))
  if (field.numberAsText && numberText !== undefined) return numberText
  const isDay = field.format === 'date' || field.format === HIJRI_FORMAT
  return isDay && typeof value === 'string' ? westernDigits(value) : value
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

/** The strings that a field can hold: itself, or one level down in a list or an object. */
function stringsIn(value: unknown): string[] {
  const values = typeof value === 'object' && value !== null ? Object.values(value) : [value]
  return values.filter(each => typeof each === 'string')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrapperOf(sent: Record<string, unknown>, ignored: string[]): string | undefined {
  const [only] = ignored
  const value = Object.keys(sent).length === 1 && only !== undefined ? sent[only] : undefined
  return isRecord(value) ? only : undefined
}

export type Problem = [field: string, problem: string]

/** `JSON.parse` keeps the last of two fields with the same name and silently drops the first. */
function repetitions({ properties }: TObject, repeated: JsonObject['repeated']): Problem[] {
  return repeated
    .filter(({ list }) => Object.hasOwn(properties, list) && isListOfRecords(properties[list] as TSchema))
    .map(({ list, entry, key }) => [`${list}[${entry}].${shownKey(key)}`, 'appears more than once'])
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

/** Short, because many keys may be named in one sentence. */
const shownKey = (key: string) => excerpt(key, 20)

/** A list may have hundreds of problems. */
const MOST_PROBLEMS = 20

/** The refusal that names what is wrong: at least one problem, and as many more as are readable. */
export function refusalOf([[field, problem], ...others]: [Problem, ...Problem[]], hint = ''): ApiError {
  const named = others.slice(0, MOST_PROBLEMS - 1)
  const rest = named.map(([name, what]) => `; ${name} ${what}`).join('')
  const more = others.length > named.length ? `; and ${others.length - named.length} more` : ''
  return unprocessable(field, problem + rest + more + hint)
}

function hintAt(wrapper: string | undefined): string {
  return wrapper
    ? `. The body looks wrapped in ${JSON.stringify(excerpt(wrapper))}: send its fields at the top level`
    : ''
}

function problemOf({ keyword, params, parentSchema, data }: ErrorObject): string {
  const schema = parentSchema as Field
  switch (keyword) {
    case 'pattern':
      return "can't be blank"
    case 'type':
      return data === null ? "can't be blank" : `must be ${typeNames(schema)}`
    case 'enum':
      return `must be one of ${(schema.enum ?? []).filter(value => value !== null).join(', ')}`
    case 'maxLength':
      return `is too long: at most ${params.limit} characters`
    case 'format':
      return params.format === 'date'
        ? (dateProblem(String(data)) as string)
        : `must be ${FORMATS[params.format as string]}`
    case 'minItems':
      return `must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`
    case 'maxItems':
      return `must have at most ${params.limit} entries`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    default:
      return 'is invalid'
  }
}

const FORMATS: Record<string, string> = {
  [HIJRI_FORMAT]: `a day of the Umm al-Qura calendar from ${FIRST_HIJRI_YEAR} to ${LAST_HIJRI_YEAR}, such as 1448-06-05`,
  email: 'an e-mail address',
  uri: 'an http or https URL without spaces, such as https://example.com/page',
}

const TYPES: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

function typeNames({ type = [] }: Field): string {
  return [type]
    .flat()
    .map(name => TYPES[name] ?? name)
    .join(' or ')
}
