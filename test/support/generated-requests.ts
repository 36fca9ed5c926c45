import type { WorkEndpoint } from '../../src/admin/work-gate.ts'
import { type Chooser, everyWay } from './every-way.ts'
import type { Names } from './hidden-work.ts'

type Facts = Pick<WorkEndpoint, 'name' | 'method' | 'at' | 'query' | 'body'>

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** A request whose text names hidden records by their keys: `⟦task.ref⟧`. */
export interface GeneratedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** What a generated request may contain besides names of hidden records. */
export interface Known {
  /** The names of what the caller sees. */
  open: Names
  emails: string[]
  /** Entity tags and cursors that an owner was given, and the Idempotency-Key that the owner used. */
  tags: string[]
  cursors: string[]
  idempotencyKey: string
}

const hidden = (key: string) => `⟦${key}⟧`
const FRESH = hidden('fresh')
let freshNames = 0

/** Writes names into the text of a request. Each new record that it asks for gets a name that nothing has. */
export function withNames(text: string, names: Names): string {
  return text.replace(/⟦([^⟧]+)⟧/g, (_, key) =>
    key === 'fresh' ? `Fresh-${++freshNames + 100_000}` : (names[key] ?? key),
  )
}

/** Takes the names that were sent out of an answer again. */
export function withoutNames(text: string, names: Names): string {
  const longestFirst = Object.values(names).sort((a, b) => b.length - a.length)
  return longestFirst.reduce((all, name) => all.replaceAll(name, '…'), text).replace(/Fresh-1\d{5}/gi, '…')
}

/**
 * Every request to an endpoint that somebody would send who knows every name and looks for a way in: any record that the address,
 * the query or the body can name is a hidden one, by each of its names. What a query or a body has is looked at only where the
 * address is that of something in sight.
 */
export function everyRequest(endpoint: Facts, known: Known): GeneratedRequest[] {
  return endpoint.at.flatMap(at =>
    addressesFor(endpoint, at).flatMap(address => everyWay(choose => request(choose, endpoint, at, address, known))),
  )
}

/** One of them. */
export function generateRequest(choose: Chooser, endpoint: Facts, known: Known): GeneratedRequest {
  const at = choose.one(endpoint.at)
  return request(choose, endpoint, at, choose.one(addressesFor(endpoint, at)), known)
}

type Address = 'hidden' | 'in sight'

/** What could be deleted or replaced is hidden. */
function addressesFor({ method }: Facts, at: string): Address[] {
  const isKept = method !== 'DELETE' && method !== 'PUT'
  return isKept && kindsIn(at).length > 0 ? ['hidden', 'in sight'] : ['hidden']
}

function request(choose: Chooser, endpoint: Facts, at: string, address: Address, known: Known): GeneratedRequest {
  const method = endpoint.method === 'GET' && choose.in(6) ? 'HEAD' : endpoint.method
  const path = address === 'hidden' ? filledWithHidden(at, choose, known) : filled(at, choose, known, () => false)
  const isHidden = path.includes('⟦')
  const query = endpoint.query ? queryFor(endpoint.query as Schema, choose, known) : ''
  const body =
    endpoint.body && !choose.in(12) ? JSON.stringify(objectFor(endpoint.body as Schema, choose, known)) : undefined
  return { method, path: path + query, headers: headersFor(choose, known, isHidden, body), body }
}

const FORMS: Record<string, string[]> = {
  project: ['ref', 'slug', 'ext'],
  list: ['ref', 'slug', 'ext'],
  task: ['ref', 'slug', 'ext'],
  discussion: ['ref', 'slug', 'ext'],
  folder: ['id'],
  file: ['ref', 'id'],
  event: ['id'],
}

const ALL_FORMS = Object.entries(FORMS).flatMap(([kind, forms]) => forms.map(form => [kind, form] as const))

function handle(kind: string, choose: Chooser, known: Known, isHidden: boolean): string {
  return named(kind, choose.one(FORMS[kind] ?? ['ref']), known, isHidden)
}

function named(kind: string, form: string, { open }: Known, isHidden: boolean): string {
  const key = `${kind}.${form}`
  const name = isHidden ? hidden(key) : encodeURIComponent(open[key] ?? 'none')
  return form === 'ext' ? `ext:${name}` : name
}

const kindsIn = (at: string) => [...at.matchAll(/:(\w+)/g)].map(([, kind = '']) => kind).filter(kind => kind in FORMS)

/** One at least is a hidden one. */
function filledWithHidden(at: string, choose: Chooser, known: Known): string {
  const kinds = kindsIn(at)
  const surely = kinds.length > 0 ? choose.one(kinds) : undefined
  return filled(at, choose, known, kind => kind === surely || !choose.in(4))
}

function filled(at: string, choose: Chooser, known: Known, isHidden: (kind: string) => boolean): string {
  return at
    .replace(/:(\w+)\/comments\/:comment/, (all, on) => all.replace(':comment', hidden(`comment.${on}.id`)))
    .replace(/ext::external_id/, `ext:${FRESH}`)
    .replace(/:(\w+)/g, (all, kind) => (kind in FORMS ? handle(kind, choose, known, isHidden(kind)) : all))
}

/** A name of any kind of record, most often a hidden one. */
function anyHandle(choose: Chooser, known: Known): string {
  const [kind, form] = choose.one(ALL_FORMS)
  return named(kind, form, known, !choose.in(4))
}

const TIMES: Record<string, string> = {
  starts_at: '2027-01-01T10:00',
  ends_at: '2027-01-01T11:00',
  due_at: '2027-01-01',
}

function valueFor(name: string, schema: Schema, choose: Chooser, known: Known): unknown {
  const type = [schema.type].flat()[0]
  if (schema.enum) return choose.one(schema.enum)
  if (type === 'array')
    return [1, 2].slice(0, choose.one([1, 2])).map(() => valueFor(name, schema.items ?? {}, choose, known))
  if (type === 'object') return schema.properties ? objectFor(schema, choose, known) : { word: FRESH }
  if (type === 'boolean') return choose.one([true, false])
  // Notifications are nobody's records.
  if (name === 'up_to') return 1
  if (type === 'integer')
    return choose.in(4) ? 1 : hidden(choose.one(['folder.id', 'file.id', 'comment.task.id', 'event.id']))
  if (/email/.test(name)) return choose.one(known.emails)
  if (/url/.test(name)) return 'https://example.com/plan'
  if (/_at$|_from$|_to$|_since$|^from$|^to$/.test(name)) return TIMES[name] ?? choose.one(['2020-01-01', '2030-01-01'])
  if (name === 'time_spent') return '1:00'
  // One that a hidden record has is the exception: it is 409, without saying which record it is.
  if (name === 'external_id') return FRESH
  return /_id$|^task$|^attachments$|^project$/.test(name) ? anyHandle(choose, known) : FRESH
}

function objectFor({ properties = {}, required = [] }: Schema, choose: Chooser, known: Known): object {
  const sent = Object.entries(properties).filter(([name]) => required.includes(name) || choose.in(3))
  return Object.fromEntries(sent.map(([name, schema]) => [name, valueFor(name, schema, choose, known)]))
}

function queryFor({ properties = {} }: Schema, choose: Chooser, known: Known): string {
  const sent = Object.entries(properties).filter(() => choose.in(3))
  const pairs = sent.map(([name, schema]): [string, string] => {
    if (name === 'metadata') return ['metadata[word]', hidden('word')]
    if (name === 'cursor' || name === 'after') return [name, choose.one(known.cursors)]
    if (name === 'external_id') return [name, hidden(choose.one(['project.ext', 'list.ext', 'task.ext']))]
    if (name === 'q') return [name, choose.one([hidden('word'), 'Common', hidden('task.ref'), hidden('task.ext')])]
    if (name === 'limit' || name === 'per_type') return [name, choose.one(['1', '3', '25', '100'])]
    if (name === 'offset') return [name, choose.one(['0', '1', '5'])]
    return [name, String(valueFor(name, schema, choose, known))]
  })
  return pairs.length > 0 ? `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}` : ''
}

function headersFor(
  choose: Chooser,
  known: Known,
  isHidden: boolean,
  body: string | undefined,
): Record<string, string> {
  return {
    'accept-encoding': 'identity',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(choose.in(4) && { 'if-match': choose.one(known.tags) }),
    ...(choose.in(4) && { 'if-none-match': choose.one(known.tags) }),
    ...(choose.in(6) && { 'accept-language': 'ar' }),
    ...(choose.in(6) && { range: 'bytes=0-1' }),
    // What is carried out under a name would be repeated for the second of the two requests.
    ...(isHidden && choose.in(4) && { 'idempotency-key': known.idempotencyKey }),
  }
}
