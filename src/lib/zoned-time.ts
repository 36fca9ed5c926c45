import { Temporal } from 'temporal-polyfill'
import type { WrittenTime } from './iso-8601.ts'
import { Recent } from './recent.ts'

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

/** There are some six hundred zones, but a name may be written in capitals as well. */
export const MOST_ZONES = 1_000
export const DAY_MS = 24 * 3_600_000

const days = new Recent<string, LocalDay>(MOST_ZONES, DAY_MS)

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

/** The instant, in epoch milliseconds. Without an offset it is read in the zone. */
export function instantOf({ clock, offset }: WrittenTime, zone: string): number {
  // A time that a clock change skips or repeats is resolved like Temporal's "compatible".
  if (offset === undefined) return clock.toZonedDateTime(zone).epochMilliseconds
  return ownOffset(clock, offset, zone) ?? Temporal.Instant.from(`${clock}${offset}`).epochMilliseconds
}

/**
 * Before 1973 some zones had offsets with seconds, which cannot be written: they are rounded to minutes, as in `formatInstant`.
 * A time with the rounded offset of the zone means the exact one, so that a time we returned can be sent back.
 */
function ownOffset(clock: Temporal.PlainDateTime, offset: string, zone: string): number | undefined {
  if (clock.year >= 1973 || /z/i.test(offset)) return undefined
  try {
    return Temporal.ZonedDateTime.from(`${clock}${offset}[${zone}]`, { offset: 'reject' }).epochMilliseconds
  } catch {
    return undefined
  }
}

/** What the clocks of a zone show at an instant. */
export function wallClock(at: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime().toString()
}

/** The instant at which the clocks of a zone show this time. */
export function atWallClock(clock: string, zone: string): number {
  return Temporal.PlainDateTime.from(clock).toZonedDateTime(zone).epochMilliseconds
}

/** The day of a date in a zone, from its first instant to the first of the next day. */
export function dayOf(date: string, zone: string): { startsAt: number; endsAt: number } {
  const day = Temporal.PlainDate.from(date)
  return { startsAt: startOfDay(day, zone), endsAt: startOfDay(day.add({ days: 1 }), zone) }
}

/** An instant as ISO 8601 with the zone's offset at that time, rounded to minutes. */
export function formatInstant(at: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toString({ timeZone: zone })
}
