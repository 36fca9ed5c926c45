import { Parser } from 'htmlparser2'

/** What a WebDAV server says of one resource: only the properties that it has. */
export interface DavResource {
  href: string
  /** The status of the resource as a whole; undefined when only its properties have one. */
  status: number | undefined
  etag: string | null
  /** The content of a calendar object, if it was asked for. */
  content: string | null
  /** The names in its `resourcetype`, for example `collection` and `calendar`. */
  types: string[]
  /** The components that a calendar accepts; undefined when the server does not say. */
  components: string[] | undefined
  /** What the caller may do with it; undefined when the server does not say. */
  privileges: string[] | undefined
}

/** No answer to us has a reason to nest deeper. The parser's time grows with the square of the depth. */
const MAXIMUM_DEPTH = 32

const RESPONSE = '/multistatus/response'
const PROPERTIES = `${RESPONSE}/propstat`
const PROPERTY = `${PROPERTIES}/prop`
const COMPONENTS = `${PROPERTY}/supported-calendar-component-set`
const PRIVILEGES = `${PROPERTY}/current-user-privilege-set`
const TYPES = `${PROPERTY}/resourcetype`

/** The properties in a group that has one status. */
type Properties = Omit<DavResource, 'href' | 'status'> & { isPresent: boolean }

/**
 * Parses the answer to a PROPFIND or a REPORT; undefined when it is not one. Prefixes are the server's choice, so only local
 * names count. Every element is read once, and only where the protocol puts it.
 */
export function parseMultistatus(xml: string): DavResource[] | undefined {
  const reader = new MultistatusReader()
  try {
    new Parser(reader, { xmlMode: true }).end(xml)
  } catch (error) {
    if (error instanceof TooDeep) return undefined
    throw error
  }
  return reader.resources
}

class TooDeep extends Error {}

class MultistatusReader {
  /** Undefined until the answer turns out to be a multistatus. */
  resources: DavResource[] | undefined
  /** The paths of the open elements; undefined for those that are not at a place that we read. */
  readonly #paths: (string | undefined)[] = []
  /** The text of the innermost element. */
  #text = ''
  #resource = newResource()
  #properties = newProperties()

  onopentag(tag: string, { name: attribute = '' }: Record<string, string>): void {
    const parent = this.#paths.length === 0 ? '' : this.#paths.at(-1)
    const name = localName(tag)
    const path = parent === undefined ? undefined : READ_AT.get(`${parent}/${name}`)
    if (this.#paths.push(path) > MAXIMUM_DEPTH) throw new TooDeep()
    this.#text = ''
    const properties = this.#properties
    if (path === '/multistatus') this.resources ??= []
    else if (path === RESPONSE) this.#resource = newResource()
    else if (path === PROPERTIES) this.#properties = newProperties()
    else if (path === COMPONENTS) properties.components ??= []
    else if (path === `${COMPONENTS}/comp`) properties.components?.push(attribute.toUpperCase())
    else if (path === PRIVILEGES) properties.privileges ??= []
    else if (parent === `${PRIVILEGES}/privilege`) properties.privileges?.push(name)
    else if (parent === TYPES) properties.types.push(name)
  }

  onclosetag(): void {
    const path = this.#paths.pop()
    const text = path === undefined ? '' : this.#text.trim()
    this.#text = ''
    if (path === RESPONSE) this.resources?.push(this.#resource)
    else if (path === `${RESPONSE}/href`) this.#resource.href ||= text
    else if (path === `${RESPONSE}/status`) this.#resource.status ??= statusIn(text)
    else if (path === PROPERTIES) this.#keep(this.#properties)
    else if (path === `${PROPERTIES}/status`) this.#properties.isPresent = / 2\d\d\b/.test(text)
    else if (path === `${PROPERTY}/getetag`) this.#properties.etag ||= text
    else if (path === `${PROPERTY}/calendar-data`) this.#properties.content ||= text
  }

  ontext(text: string): void {
    this.#text += text
  }

  /** What the server does not have is listed too, with its own status. */
  #keep({ isPresent, etag, content, types, components, privileges }: Properties): void {
    if (!isPresent) return
    const resource = this.#resource
    resource.etag ||= etag || null
    resource.content ||= content || null
    if (resource.types.length === 0) resource.types = types
    resource.components ??= components
    resource.privileges ??= privileges
  }
}

const PATHS = [
  ...['/multistatus', RESPONSE, `${RESPONSE}/href`, `${RESPONSE}/status`, PROPERTIES, `${PROPERTIES}/status`, PROPERTY],
  ...[`${PROPERTY}/getetag`, `${PROPERTY}/calendar-data`, TYPES, COMPONENTS, `${COMPONENTS}/comp`],
  ...[PRIVILEGES, `${PRIVILEGES}/privilege`],
]
const READ_AT = new Map(PATHS.map(path => [path, path]))

function newResource(): DavResource {
  const { isPresent: _, ...properties } = newProperties()
  return { href: '', status: undefined, ...properties }
}

function newProperties(): Properties {
  return { isPresent: true, etag: null, content: null, types: [], components: undefined, privileges: undefined }
}

function statusIn(text: string): number {
  return Number(text.match(/ (\d{3})\b/)?.[1])
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1).toLowerCase()
}
