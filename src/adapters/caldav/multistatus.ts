import { DomHandler, DomUtils, Parser } from 'htmlparser2'

type Document = DomHandler['root']
type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number]

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
const MAXIMUM_DEPTH = 50

/**
 * Parses the answer to a PROPFIND or a REPORT; undefined when it is not one. Prefixes are the server's choice, so only local
 * names count.
 */
export function parseMultistatus(xml: string): DavResource[] | undefined {
  const root = parseXml(xml)
  const [multistatus] = root ? elements(root, 'multistatus') : []
  return multistatus && elements(multistatus, 'response').map(readResource)
}

function parseXml(xml: string): Document | undefined {
  const handler = new ShallowHandler()
  try {
    new Parser(handler, { xmlMode: true }).end(xml)
  } catch {
    return undefined
  }
  return handler.root
}

class ShallowHandler extends DomHandler {
  private depth = 0

  override onopentag(...[name, attributes]: Parameters<DomHandler['onopentag']>): void {
    if (++this.depth > MAXIMUM_DEPTH) throw new Error('Too deep')
    super.onopentag(name, attributes)
  }

  override onclosetag(): void {
    this.depth--
    super.onclosetag()
  }
}

function readResource(response: Element): DavResource {
  const properties = elements(response, 'propstat')
    .filter(propstat => / 2\d\d\b/.test(text(propstat, 'status') ?? ' 200'))
    .flatMap(propstat => elements(propstat, 'prop'))
  const property = (name: string) => properties.flatMap(prop => elements(prop, name))[0]
  const components = property('supported-calendar-component-set')
  const privileges = property('current-user-privilege-set')
  const written = (name: string) => properties.flatMap(prop => text(prop, name) ?? [])[0] || null
  return {
    href: text(response, 'href') ?? '',
    status: statusOf(response),
    etag: written('getetag'),
    content: written('calendar-data'),
    types: namesIn(property('resourcetype')),
    components: components && elements(components, 'comp').map(comp => comp.attribs.name?.toUpperCase() ?? ''),
    privileges: privileges && elements(privileges, 'privilege').flatMap(namesIn),
  }
}

function statusOf({ children }: Element): number | undefined {
  const [own] = DomUtils.getElementsByTagName(tag => localName(tag) === 'status', children, false)
  return own && Number(DomUtils.textContent(own).match(/ (\d{3})\b/)?.[1])
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
