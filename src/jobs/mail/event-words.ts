import type { Language } from '../../domain/languages.ts'
import type { EventBefore } from '../../domain/people/notifications.ts'
import { linkTo, ours, type Phrase, say, toText } from '../../lib/isolation.ts'
import { zoneName } from '../../lib/zone-name.ts'

interface EventWords {
  locale: string
  /** For the name of a time zone. */
  zoneLocale: string
  time: (when: Phrase) => Phrase
  hijri: (days: Phrase) => Phrase
  link: (link: Phrase) => Phrase
  description: Phrase
  changed: Phrase
  fromTo: (before: Phrase, after: Phrase) => Phrase
  name: (change: Phrase) => Phrase
  quoted: (name: string) => Phrase
  added: (link: Phrase) => Phrase
  removed: (link: Phrase) => Phrase
  allDay: (days: Phrase) => Phrase
}

/** The digits are said, because which ones a language has by default changes with the version of ICU. */
const DIGITS = 'nu-latn'

const WORDS: Record<Language, EventWords> = {
  en: {
    locale: `en-GB-u-ca-gregory-${DIGITS}`,
    // The English of no country in particular has no abbreviations: New York Time, and not ET.
    zoneLocale: 'en-001',
    time: when => say`Time: ${when}`,
    hijri: days => say`Hijri date: ${days}`,
    link: link => say`Meeting link: ${link}`,
    description: say`Description:`,
    changed: say`What changed:`,
    fromTo: (before, after) => say`from ${before} to ${after}`,
    name: change => say`Name: ${change}`,
    quoted: name => say`“${name}”`,
    added: link => say`added, ${link}`,
    removed: link => say`removed, it was ${link}`,
    allDay: days => say`${days}, all day`,
  },
  ar: {
    locale: `ar-u-ca-gregory-${DIGITS}`,
    zoneLocale: 'ar',
    time: when => say`الوقت: ${when}`,
    hijri: days => say`التاريخ الهجري: ${days}`,
    link: link => say`رابط الاجتماع: ${link}`,
    description: say`الوصف:`,
    changed: say`ما تغيّر:`,
    fromTo: (before, after) => say`من ${before} إلى ${after}`,
    name: change => say`الاسم: ${change}`,
    quoted: name => say`«${name}»`,
    added: link => say`أُضيف، وهو ${link}`,
    removed: link => say`أُزيل، وكان ${link}`,
    allDay: days => say`${days}، طوال اليوم`,
  },
}

/** The time of the event, from its start to its end. */
export function timeLine(event: EventBefore, language: Language, zone: string): Phrase {
  return WORDS[language].time(whenOf(event, language, zone))
}

/** The days of the event, in a second calendar. */
export function secondCalendarLine(event: EventBefore, language: Language, zone: string, calendar: string): Phrase {
  const { hijri, locale } = WORDS[language]
  const { baseName } = new Intl.Locale(locale)
  const inCalendar = `${baseName}-u-ca-${calendar}-${DIGITS}`
  return hijri(ours(event.all_day ? daysOf(event, inCalendar) : datesOf(event, inCalendar, zone)))
}

export function linkLine(url: string, language: Language): Phrase {
  return WORDS[language].link(linkTo(url))
}

export function descriptionHeading(language: Language): Phrase {
  return WORDS[language].description
}

/** What has changed, under a heading; nothing when no reader could see a difference. */
export function changeLines(before: EventBefore, after: EventBefore, language: Language, zone: string): Phrase[] {
  const words = WORDS[language]
  const [oldName, newName] = [words.quoted(before.name), words.quoted(after.name)]
  const name = isSame(oldName, newName) ? undefined : words.fromTo(oldName, newName)
  const time = timeChange(before, after, language, zone)
  const link = linkChange(before.meeting_url, after.meeting_url, language)
  const lines = [name && words.name(name), time && words.time(time), link && words.link(link)]
  const told = lines.filter(line => line !== undefined)
  return told.length > 0 ? [words.changed, ...told] : []
}

const isSame = (one: Phrase, other: Phrase) => toText(one) === toText(other)

/** Of two times in one zone, only the second names the zone. */
function timeChange(before: EventBefore, after: EventBefore, language: Language, zone: string): Phrase | undefined {
  const [then, now] = [whenOf(before, language, zone), whenOf(after, language, zone)]
  if (isSame(then, now)) return undefined
  const { fromTo, locale } = WORDS[language]
  return fromTo(before.all_day || after.all_day ? then : ours(hoursOf(before, locale, zone)), now)
}

function linkChange(before: string | null, after: string | null, language: Language): Phrase | undefined {
  const words = WORDS[language]
  if (before === after) return undefined
  if (before === null) return words.added(linkTo(after as string))
  if (after === null) return words.removed(linkTo(before))
  return words.fromTo(linkTo(before), linkTo(after))
}

/** In the company's time zone, which is named; all-day events have days and no zone. */
function whenOf(event: EventBefore, language: Language, zone: string): Phrase {
  const { locale, zoneLocale, allDay } = WORDS[language]
  if (event.all_day) return allDay(ours(daysOf(event, locale)))
  return say`${ours(hoursOf(event, locale, zone))} (${ours(zoneName(zone, zoneLocale))})`
}

function hoursOf({ starts_at, ends_at }: EventBefore, locale: string, zone: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: zone })
  return format.formatRange(new Date(starts_at), new Date(ends_at))
}

function datesOf({ starts_at, ends_at }: EventBefore, locale: string, zone: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: zone })
  const [from, to] = [format.format(new Date(starts_at)), format.format(new Date(ends_at))]
  return from === to ? from : `${from} – ${to}`
}

function daysOf({ starts_clock, ends_clock }: EventBefore, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' })
  const first = Date.parse(`${starts_clock?.slice(0, 10)}T00:00:00Z`)
  // Where clocks are set back at midnight, the later instant may be on the day before.
  const last = Math.max(first, Date.parse(`${ends_clock?.slice(0, 10)}T00:00:00Z`))
  const [from, to] = [format.format(first), format.format(last)]
  return from === to ? from : `${from} – ${to}`
}
