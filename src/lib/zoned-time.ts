import { Temporal } from 'temporal-polyfill'

/** The zone's canonical spelling, or undefined when there is no such IANA zone. Plain offsets are not zones. */
export function canonicalZone(zone: string): string | undefined {
  if (!/^[A-Za-z]/.test(zone)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return undefined
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
