import { Temporal } from 'temporal-polyfill'

/** True for the name of an IANA zone. Plain offsets are not zones. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** The calendar day (YYYY-MM-DD) in a zone, with the instants in epoch milliseconds at which it begins and ends. */
export interface LocalDay {
  date: string
  startsAt: number
  endsAt: number
}

const days = new Map<string, LocalDay>()

/**
 * The local day that holds an instant. A day begins at its first instant, which is not always 00:00: some zones skip
 * midnight when the clocks change, and some have it twice. The last answer for each zone is kept, because nearly every
 * call asks for today.
 */
export function localDay(zone: string, at: number): LocalDay {
  const known = days.get(zone)
  if (known && at >= known.startsAt && at < known.endsAt) return known
  const date = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate()
  const day = {
    date: date.toString(),
    startsAt: startOfDay(date, zone),
    endsAt: startOfDay(date.add({ days: 1 }), zone),
  }
  days.set(zone, day)
  return day
}

function startOfDay(date: Temporal.PlainDate, zone: string): number {
  return date.toZonedDateTime({ timeZone: zone }).startOfDay().epochMilliseconds
}

/** True for a calendar date written YYYY-MM-DD that exists. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    Temporal.PlainDate.from(text)
    return !text.startsWith('0000')
  } catch {
    return false
  }
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?$/i

/**
 * An ISO 8601 time as epoch milliseconds; undefined when it is none. Without an offset it is read in the zone: a time
 * that a clock change skips or repeats resolves as Temporal's "compatible".
 */
export function parseInstant(text: string, zone: string): number | undefined {
  const [, date, time, offset] = text.match(DATE_TIME) ?? []
  if (date === undefined || !isDate(date)) return undefined
  try {
    if (offset) return Temporal.Instant.from(`${date}T${time}${offset}`).epochMilliseconds
    return Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone).epochMilliseconds
  } catch {
    return undefined
  }
}

/** The wall clock of an ISO 8601 time or date, whatever its offset; undefined when it is neither. */
export function parseWallClock(text: string, zone: string): string | undefined {
  if (isDate(text)) return `${text}T00:00:00`
  const at = parseInstant(text, zone)
  if (at === undefined) return undefined
  // Without an offset the text is the wall clock, also where the clocks skip it.
  const [, date, time, offset] = text.match(DATE_TIME) ?? []
  return offset ? wallClock(at, zone) : Temporal.PlainDateTime.from(`${date}T${time}`).toString()
}

/** What the clocks of a zone show at an instant. */
export function wallClock(at: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime().toString()
}

/** When the clocks of a zone show this. */
export function atWallClock(clock: string, zone: string): number {
  return Temporal.PlainDateTime.from(clock).toZonedDateTime(zone).epochMilliseconds
}

/** The day that a date names in a zone, from its first instant to the first of the next. */
export function dayOf(date: string, zone: string): { startsAt: number; endsAt: number } {
  const day = Temporal.PlainDate.from(date)
  return { startsAt: startOfDay(day, zone), endsAt: startOfDay(day.add({ days: 1 }), zone) }
}

/** An instant as ISO 8601 with the offset that the zone has then. */
export function formatInstant(at: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toString({ timeZone: zone })
}
