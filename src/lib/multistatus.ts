import { DomUtils, parseDocument } from 'htmlparser2'

type Document = ReturnType<typeof parseDocument>
type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number]

/** What a WebDAV server says of one resource: only the properties that it has. */
export interface DavResource {
  href: string
  etag: string | null
  /** The names in its `resourcetype`, for example `collection` and `calendar`. */
  types: string[]
  /** The components that a calendar takes; undefined when the server does not say. */
  components: string[] | undefined
  /** What one may do with it; undefined when the server does not say. */
  privileges: string[] | undefined
}

/** Reads the answer to a PROPFIND or a REPORT. Prefixes are the server's choice, so only local names count. */
export function parseMultistatus(xml: string): DavResource[] {
  return elements(parseDocument(xml, { xmlMode: true }), 'response').map(readResource)
}

function readResource(response: Element): DavResource {
  const properties = elements(response, 'propstat')
    .filter(propstat => / 2\d\d\b/.test(text(propstat, 'status') ?? ' 200'))
    .flatMap(propstat => elements(propstat, 'prop'))
  const property = (name: string) => properties.flatMap(prop => elements(prop, name))[0]
  const components = property('supported-calendar-component-set')
  const privileges = property('current-user-privilege-set')
  return {
    href: text(response, 'href') ?? '',
    etag: (property('getetag') && DomUtils.textContent(property('getetag') as Element).trim()) || null,
    types: namesIn(property('resourcetype')),
    components: components && elements(components, 'comp').map(comp => comp.attribs.name?.toUpperCase() ?? ''),
    privileges: privileges && elements(privileges, 'privilege').flatMap(namesIn),
  }
}

function elements(within: Document | Element, name: string): Element[] {
  return DomUtils.getElementsByTagName(tag => localName(tag) === name, within, true)
}

function text(within: Element, name: string): string | undefined {
  const [first] = elements(within, name)
  return first && DomUtils.textContent(first).trim()
}

function namesIn(parent: Element | undefined): string[] {
  return parent ? DomUtils.getElementsByTagName('*', parent.children, false).map(child => localName(child.name)) : []
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1).toLowerCase()
}
