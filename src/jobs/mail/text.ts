import { type CalendarEvent, toICalendar } from '../../domain/calendars/icalendar.ts'
import type { Language } from '../../domain/languages.ts'
import type { EventBefore, NotificationKind } from '../../domain/people/notifications.ts'
import type { Direction } from '../../lib/base-direction.ts'
import { escapeHtml, linkTo, type Phrase, say, tamed, toHeader, toHtml, toLine, toText } from '../../lib/isolation.ts'
import { changeLines, descriptionHeading, linkLine, secondCalendarLine, timeLine } from './event-words.ts'
import { ACCEPT_HERE, GREETING, WAY_BACK, WORDS } from './words.ts'

/** What a mail is made of. Most of it was written by people, and is never trusted as HTML, as a header or as a line. */
export interface NotificationFacts {
  kind: NotificationKind
  title: string
  name: string
  language: Language
  actor: string
  project: string | null
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

/** Lines that belong together; a quotation is somebody's text, line by line. */
type Paragraph = Phrase[] | { heading: Phrase; quotation: string[] }

const DIRECTIONS: Record<Language, Direction> = { en: 'ltr', ar: 'rtl' }

interface MailOfKind {
  /** What a mail program is asked to do with the event that the mail is about. */
  method?: 'REQUEST' | 'CANCEL'
  /** Where its last line links to: the record, Diwan if the record cannot be found there, or where an invitation is accepted. */
  leadsTo?: 'record' | 'home' | 'acceptance'
}

const MAILS: Record<NotificationKind, MailOfKind> = {
  discussion_created: { leadsTo: 'record' },
  discussion_replied: { leadsTo: 'record' },
  file_infected: { leadsTo: 'record' },
  file_unscanned: { leadsTo: 'record' },
  calendar_connected: { leadsTo: 'home' },
  calendar_disconnected: { leadsTo: 'home' },
  calendar_failing: { leadsTo: 'home' },
  webhook_failing: { leadsTo: 'home' },
  webhook_switched_off: { leadsTo: 'home' },
  invitation: { leadsTo: 'acceptance' },
  event_invited: { leadsTo: 'record', method: 'REQUEST' },
  event_changed: { leadsTo: 'record', method: 'REQUEST' },
  event_removed: { method: 'CANCEL' },
  event_cancelled: { method: 'CANCEL' },
}

/** A notification as mail, in the language of its reader; with the event itself, for mail programs that know calendars. */
export function composeNotification(facts: NotificationFacts): ComposedMail {
  const { kind, language, event } = facts
  const { subject, sentence, footer } = WORDS[kind][language](facts)
  const { method } = MAILS[kind]
  const paragraphs = [[GREETING[language](facts.name)], [sentence], ...eventParagraphs(facts), ...wayBack(facts)]
  return {
    subject: toHeader(subject, DIRECTIONS[language]),
    text: `${paragraphs.map(paragraph => asText(paragraph, DIRECTIONS[language])).join('\n\n')}\n\n--\n${toText(footer)}\n`,
    html: htmlOf(language, paragraphs, footer),
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

function wayBack({ kind, title, language, public_url, code }: NotificationFacts): Paragraph[] {
  const { leadsTo } = MAILS[kind]
  if (public_url === undefined || leadsTo === undefined) return []
  // After the #, it is not sent to any server and is in no log.
  if (leadsTo === 'acceptance')
    return [[ACCEPT_HERE[language](linkTo(`${public_url}/console#invitation=${code ?? ''}`))]]
  return [[WAY_BACK[language](leadsTo === 'record' ? title : null, linkTo(public_url))]]
}

function asText(paragraph: Paragraph, direction: Direction): string {
  if (!('quotation' in paragraph)) return paragraph.map(line => toLine(line, direction)).join('\n')
  // Indented, so that no line of a description passes for one of ours. Mail programs would fold away a ">" as an earlier mail.
  const quoted = paragraph.quotation.map(line => (tamed(line) === '' ? '' : `    ${toText(say`${line}`)}`))
  return [toText(paragraph.heading), ...quoted].join('\n')
}

function asHtml(paragraph: Paragraph): string {
  if (!('quotation' in paragraph)) return `<p>${paragraph.map(toHtml).join('<br>\n')}</p>`
  // A block determines its own direction, which isolates it; a <bdi> inside would hide the text from it.
  const quoted = paragraph.quotation.map(line => `<div dir="auto">${escapeHtml(tamed(line)) || '<br>'}</div>`)
  return `<p>${toHtml(paragraph.heading)}</p>\n<blockquote>\n${quoted.join('\n')}\n</blockquote>`
}

/** The direction is set twice: some mail programs drop everything outside the body, and the body's own attributes. */
function htmlOf(language: Language, paragraphs: Paragraph[], footer: Phrase): string {
  const direction = `lang="${language}" dir="${DIRECTIONS[language]}"`
  return `<!doctype html>
<html ${direction}>
<head><meta charset="utf-8"></head>
<body>
<div ${direction} style="font-family: system-ui, sans-serif; line-height: 1.6">
${paragraphs.map(asHtml).join('\n')}
<p style="color: #666; font-size: 0.9em">${toHtml(footer)}</p>
</div>
</body>
</html>
`
}
