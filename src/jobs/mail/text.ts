import { type CalendarEvent, toICalendar } from '../../domain/calendars/icalendar.ts'
import type { Language } from '../../domain/languages.ts'
import type { EventBefore, NotificationKind } from '../../domain/people/notifications.ts'
import { tamed, toHeader } from '../../lib/isolation.ts'
import { changeLines, descriptionHeading, linkLine, secondCalendarLine, timeLine } from './event-words.ts'
import { asHtml } from './html.ts'
import { DIRECTIONS, type Paragraph } from './paragraphs.ts'
import { type About, placeOf } from './places.ts'
import { asText } from './plain-text.ts'
import { ACCEPT, GREETING, OPEN, WORDS } from './words.ts'

/** What a mail is made of. Most of it was written by people, and is never trusted as HTML, as a header or as a line. */
export interface NotificationFacts {
  kind: NotificationKind
  title: string
  name: string
  language: Language
  actor: string
  project: string | null
  about?: About
  /** The URL at which the reader finds Diwan. */
  public_url?: string
  /** For notifications about an event: the event at that time, its state before a change, and the zone for its times. */
  event?: CalendarEvent | null
  event_before?: EventBefore | null
  time_zone?: string
  /** The calendar in which its days are given a second time. */
  second_calendar?: string | null
  /** For notifications about a file: what the virus scan has said of it since. */
  scan_finding?: string | null
  /** For an invitation: the code that accepts it. */
  code?: string | null
}

export interface ComposedMail {
  subject: string
  text: string
  html: string
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string }
}

interface MailOfKind {
  /** What a mail program is asked to do with the event that the mail is about. */
  method?: 'REQUEST' | 'CANCEL'
  /** What its button opens: the console where it shows what the mail is about, or the page on which an invitation is accepted. */
  leadsTo?: 'console' | 'acceptance'
}

const MAILS: Record<NotificationKind, MailOfKind> = {
  discussion_created: { leadsTo: 'console' },
  discussion_replied: { leadsTo: 'console' },
  file_infected: { leadsTo: 'console' },
  file_unscanned: { leadsTo: 'console' },
  calendar_connected: { leadsTo: 'console' },
  calendar_disconnected: { leadsTo: 'console' },
  calendar_failing: { leadsTo: 'console' },
  webhook_failing: { leadsTo: 'console' },
  webhook_switched_off: { leadsTo: 'console' },
  invitation: { leadsTo: 'acceptance' },
  event_invited: { leadsTo: 'console', method: 'REQUEST' },
  event_changed: { leadsTo: 'console', method: 'REQUEST' },
  event_removed: { method: 'CANCEL' },
  event_cancelled: { method: 'CANCEL' },
}

/** A notification as mail, in the language of its reader; with the event itself, for mail programs that know calendars. */
export function composeNotification(facts: NotificationFacts): ComposedMail {
  const { kind, language, event } = facts
  const { subject, sentence, footer } = WORDS[kind][language](facts)
  const { method } = MAILS[kind]
  const code = facts.code ? [{ code: facts.code }] : []
  const told = [[GREETING[language](facts.name)], [sentence], ...code, ...eventParagraphs(facts), ...wayBack(facts)]
  return {
    subject: toHeader(subject, DIRECTIONS[language]),
    text: asText(language, told, footer),
    html: asHtml(language, told, footer),
    ...(event && method && { calendar: { method, content: toICalendar(event, method) } }),
  }
}

/** What the reader must know about the event. If it is over for the reader, the time is enough to recognize it. */
function eventParagraphs(facts: NotificationFacts): Paragraph[] {
  const { kind, event, event_before, language, time_zone = 'UTC', second_calendar } = facts
  if (!event) return []
  const second = second_calendar ? [secondCalendarLine(event, language, time_zone, second_calendar)] : []
  const time = [timeLine(event, language, time_zone), ...second]
  if (MAILS[kind].method === 'CANCEL') return [time]
  const changes = event_before ? changeLines(event_before, event, language, time_zone) : []
  const link = event.meeting_url ? [linkLine(event.meeting_url, language)] : []
  const quotation = linesOf(event.description ?? '')
  return [
    ...(changes.length > 0 ? [changes] : []),
    [...time, ...link],
    ...(quotation.length > 0 ? [{ heading: descriptionHeading(language), quotation }] : []),
  ]
}

function linesOf(text: string): string[] {
  const lines = text.trim().split(/\r\n|[\r\n\u2028\u2029]/)
  return lines.some(line => tamed(line) !== '') ? lines : []
}

/** The console opens in the language of the mail. After the #, nothing is sent to any server, and no code is in a log. */
function wayBack(facts: NotificationFacts): Paragraph[] {
  const { kind, language, public_url, code } = facts
  const { leadsTo } = MAILS[kind]
  if (public_url === undefined || leadsTo === undefined) return []
  const isAcceptance = leadsTo === 'acceptance'
  const opened = new URLSearchParams({ ...(isAcceptance && { invitation: code ?? '' }), language })
  return [{ button: (isAcceptance ? ACCEPT : OPEN)[language], url: `${public_url}/console${placeOf(facts)}#${opened}` }]
}
