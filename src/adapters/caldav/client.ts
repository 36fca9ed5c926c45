import {
  type CalendarAccess,
  CalendarError,
  type CalendarObject,
  type CalendarServer,
} from '../../domain/ports/calendar-server.ts'
import { say } from '../../domain/sentences/sentences.ts'
import { withDeadline } from '../../lib/deadline.ts'
import { createGuard, type GuardOptions, type Outgoing, type Incoming as RawIncoming } from '../guarded-request.ts'
import { GuardedRequestError } from '../guarded-request-error.ts'
import { type DavResource, parseMultistatus } from './multistatus.ts'
import { findEvent, mergeEvent } from './reader.ts'

/** For one request and its answer, including a redirect. */
const ANSWER_WITHIN_MS = 15_000
/** An event of ours can have 700 kB, with a long description and 500 attendees. No other answer has a reason to be long. */
const EVENT_BOUND = { bytes: 1_048_576, beyond: 'refuse' } as const
const DESCRIPTION_BOUND = { bytes: 65_536, beyond: 'refuse' } as const
const OUTCOME_BOUND = { bytes: 65_536, beyond: 'cut' } as const
const BOUNDS = {
  PROPFIND: DESCRIPTION_BOUND,
  GET: EVENT_BOUND,
  REPORT: EVENT_BOUND,
  PUT: OUTCOME_BOUND,
  DELETE: OUTCOME_BOUND,
}
const XML = { 'content-type': 'application/xml; charset=utf-8' }

const WHAT_IT_IS = `<?xml version="1.0" encoding="utf-8"?>
<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop>
<D:resourcetype/><C:supported-calendar-component-set/><D:current-user-privilege-set/>
</D:prop></D:propfind>`

const byUid = (uid: string) => `<?xml version="1.0" encoding="utf-8"?>
<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/><C:calendar-data/></D:prop>
<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:prop-filter name="UID">
<C:text-match collation="i;octet">${uid.replace(/[&<>]/g, character => `&#${character.charCodeAt(0)};`)}</C:text-match>
</C:prop-filter></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`

type Incoming = Omit<RawIncoming, 'body'> & { body: string }
type Question = Pick<Outgoing, 'headers' | 'body'> & { method: keyof typeof BOUNDS }

/** A person's calendar over CalDAV, with basic authentication. */
export function createCalDav(options: GuardOptions): CalendarServer {
  const guard = createGuard(options)

  return {
    async check(access) {
      const { answer, url } = await send(access, collectionUrl(access.url), {
        method: 'PROPFIND',
        headers: { ...XML, depth: '0' },
        body: WHAT_IT_IS,
      })
      if (isMissing(answer)) throw new CalendarError('url', 'is not there: the calendar server answers 404')
      requireWritableCalendar(answer)
      return url.href
    },

    async read(access, uid, href) {
      return (href !== null && (await get(access, href))) || find(access, uid)
    },

    merge: (access, there, ours, formerAddresses) => mergeEvent(access, there.content, ours, formerAddresses),

    async put(access, uid, there, content) {
      const collection = collectionUrl(access.url)
      const href = there?.href ?? collection.pathname + nameOf(uid)
      const { answer } = await send(access, new URL(href, collection), {
        method: 'PUT',
        headers: {
          'content-type': 'text/calendar; charset=utf-8',
          ...(there ? { 'if-match': there.etag } : { 'if-none-match': '*' }),
        },
        body: content,
      })
      if (isOtherVersion(answer) || (there && isGone(answer))) return 'changed'
      if (isRefused(answer)) return { refused: answer.status }
      if (!isSuccess(answer)) throw refusal('PUT', answer)
      return { href }
    },

    async remove(access, { href, etag }) {
      const { answer } = await send(access, new URL(href, collectionUrl(access.url)), {
        method: 'DELETE',
        // We notify attendees: the calendar server must not answer the organizer in their name.
        headers: { 'schedule-reply': 'F', 'if-match': etag },
      })
      if (isOtherVersion(answer)) return 'changed'
      if (!isSuccess(answer) && !isGone(answer)) throw refusal('DELETE', answer)
      return 'removed'
    },
  }

  /** The object at a URL, if it has a version that can be matched. */
  async function get(access: CalendarAccess, href: string): Promise<CalendarObject | undefined> {
    const { answer } = await send(access, new URL(href, collectionUrl(access.url)), { method: 'GET', headers: {} })
    if (isGone(answer)) return undefined
    if (!isSuccess(answer)) throw refusal('GET', answer)
    const etag = strongEtag(answer)
    return etag === null ? undefined : { href, etag, content: answer.body }
  }

  /** Finds an event whose URL we do not know: its person may have moved it, or accepted it by mail. */
  async function find(access: CalendarAccess, uid: string): Promise<CalendarObject | undefined> {
    const collection = collectionUrl(access.url)
    const report = { method: 'REPORT' as const, headers: { ...XML, depth: '1' }, body: byUid(uid) }
    const { answer } = await send(access, collection, report)
    const found = answer.status === 207 ? await findEvent(access, answer.body, uid) : undefined
    if (!found) throw refusal('REPORT', answer)
    return found === 'none' ? undefined : { ...found, href: pathOf(found.href, collection) }
  }

  async function request(url: URL, outgoing: Outgoing & Question, signal: AbortSignal): Promise<Incoming> {
    requirePlainUrl(url)
    const answer = await guard.request(url, outgoing, BOUNDS[outgoing.method], signal).catch(error => {
      throw error instanceof GuardedRequestError ? new CalendarError('url', error.problem) : error
    })
    return { ...answer, body: answer.body.toString('utf8') }
  }

  async function send(access: CalendarAccess, url: URL, question: Question): Promise<{ answer: Incoming; url: URL }> {
    // In basic authentication the name ends at the first colon.
    if (access.username.includes(':')) throw new CalendarError('username', "can't have a colon in it")
    const authorization = `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}`
    const outgoing = { ...question, company_id: access.company_id, headers: { ...question.headers, authorization } }
    return withDeadline(ANSWER_WITHIN_MS, ended => follow(url, outgoing, ended), { outer: access.signal })
  }

  /** Follows one redirect, if it stays on the same server. Credentials go nowhere else. */
  async function follow(url: URL, outgoing: Outgoing & Question, signal: AbortSignal) {
    const answer = await request(url, outgoing, signal)
    const target = redirectOf(answer, url)
    if (!target) return { answer: accepted(answer), url }
    if (target.origin !== url.origin)
      throw new CalendarError(
        'url',
        say('leads to another server, {origin}: use the address there', { origin: target.origin }),
      )
    const second = await request(target, outgoing, signal)
    if (redirectOf(second, target)) throw new CalendarError('url', 'leads from one address to the next')
    return { answer: accepted(second), url: target }
  }
}

/** A server may name a resource by its path or by its whole URL. */
function pathOf(href: string, collection: URL): string {
  if (!URL.canParse(href, collection.href)) throw new CalendarError('url', 'names an event by something that is no URL')
  return new URL(href, collection).pathname
}

/** A collection's URL must end in a slash, or what is resolved against it ends up next to it. */
function collectionUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new CalendarError('url', 'must be an http or https URL')
  requirePlainUrl(url)
  url.hash = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** Credentials are sent separately from the URL, and resolving against a collection drops its query. */
function requirePlainUrl(url: URL): void {
  if (url.username !== '' || url.password !== '')
    throw new CalendarError('url', "can't carry a name or password: send them as username and password")
  if (url.search !== '') throw new CalendarError('url', "can't have a query")
}

/** The name under which we create an event. UIDs are ours, so they do not clash. */
function nameOf(uid: string): string {
  return `${uid.replace(/[^\w.-]/g, '-')}.ics`
}

function requireWritableCalendar(answer: Incoming): void {
  const [resource] = (answer.status === 207 && parseMultistatus(answer.body)) || []
  if (!resource?.types.includes('calendar'))
    throw new CalendarError(
      'url',
      say('is not the address of a calendar (PROPFIND answers {status})', { status: answer.status }),
    )
  if (resource.components && !resource.components.includes('VEVENT'))
    throw new CalendarError('url', 'is a calendar that takes no events')
  if (!mayWrite(resource)) throw new CalendarError('url', 'is a calendar that this person may only read')
}

function mayWrite({ privileges }: DavResource): boolean {
  return privileges === undefined || privileges.some(privilege => ['all', 'write', 'bind'].includes(privilege))
}

function redirectOf({ status, headers }: Incoming, url: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  if (!headers.location || !URL.canParse(headers.location, url.href))
    throw new CalendarError('url', say('answers {status} and does not say where to go', { status }))
  return new URL(headers.location, url)
}

function accepted(answer: Incoming): Incoming {
  if (answer.status === 401)
    throw new CalendarError('password', 'is refused by the calendar server, or the username is')
  return answer
}

function isSuccess({ status }: Incoming): boolean {
  // A multi-status answer to a request for one resource tells why it failed.
  return status >= 200 && status < 300 && status !== 207
}

function isGone({ status }: Incoming): boolean {
  return status === 404 || status === 410
}

/** Some servers answer 207 for a URL where nothing exists, and say so inside. */
function isMissing({ status, body }: Incoming): boolean {
  return status === 404 || (status === 207 && parseMultistatus(body)?.[0]?.status === 404)
}

/** Not the version we know, or the same event under another name, such as an invitation that was accepted by mail. */
function isOtherVersion({ status, body }: Incoming): boolean {
  return status === 412 || ([207, 403, 409].includes(status) && body.includes('no-uid-conflict'))
}

/** What a server requires of an event (RFC 4791, 5.3.2.1). */
const REQUIREMENTS =
  /supported-calendar-data|valid-calendar-data|valid-calendar-object-resource|max-resource-size|m(?:in|ax)-date-time|max-instances|max-attendees-per-instance/

/** True when the event is at fault, and not the connection. */
function isRefused({ status, body }: Incoming): boolean {
  return [400, 413, 415, 422].includes(status) || ([403, 409].includes(status) && REQUIREMENTS.test(body))
}

/** A server that stores something other than it was sent returns no version, or a weak one, which nothing matches. */
function strongEtag({ headers }: Incoming): string | null {
  return headers.etag && !headers.etag.startsWith('W/') ? headers.etag : null
}

function refusal(method: string, { status }: Incoming): CalendarError {
  return new CalendarError(
    'url',
    say("can't be used: the calendar server answers {status} to {method}", { status, method }),
  )
}
