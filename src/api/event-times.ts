import { unprocessable } from '../domain/errors.ts'
import { westernDigits } from '../lib/digits.ts'
import { atWallClock, dayOf, isDate, localDay, parseInstant, parseWallClock } from '../lib/zoned-time.ts'

/** When an event is, as it is stored. */
export interface EventTimes {
  starts_at: string
  ends_at: string
  all_day: boolean
  starts_clock: string | null
  ends_clock: string | null
}

/** Reads the times of an event in the company zone. Of an all-day event the clocks count, of any other the instants. */
export function readTimes(zone: string, sent: { starts_at: string; ends_at: string; all_day: boolean }): EventTimes {
  const { all_day } = sent
  const starts = readTime('starts_at', sent.starts_at, zone)
  const ends = readTime('ends_at', sent.ends_at, zone)
  if (ends.at < starts.at) throw unprocessable('ends_at', "can't be before starts_at")
  return {
    starts_at: new Date(starts.at).toISOString(),
    ends_at: new Date(ends.at).toISOString(),
    all_day,
    starts_clock: all_day ? starts.clock : null,
    ends_clock: all_day ? ends.clock : null,
  }
}

function readTime(field: string, text: string, zone: string): { at: number; clock: string } {
  const written = westernDigits(text.trim())
  const clock = parseWallClock(written, zone)
  if (clock === undefined) throw unprocessable(field, 'must be a time that exists, in ISO 8601')
  return { at: parseInstant(written, zone) ?? atWallClock(clock, zone), clock }
}

/** A window on the starts of events: from `from` on, and before `before`. */
export interface Window {
  from: string | null
  before: string | null
}

/** What the list shows. A window that is asked for overrides whether the past is shown; upcoming is from today on. */
export function readWindow(zone: string, query: { from?: string; to?: string; include_past: boolean }): Window {
  const from = query.from ? bound('from', query.from, zone).first : undefined
  // Both bounds are included: a date with its whole day, a time with itself.
  const before = query.to ? bound('to', query.to, zone).after : undefined
  if (from === undefined && before === undefined)
    return { from: query.include_past ? null : iso(localDay(zone, Date.now()).startsAt), before: null }
  return { from: from === undefined ? null : iso(from), before: before === undefined ? null : iso(before) }
}

function bound(field: string, text: string, zone: string): { first: number; after: number } {
  // In a query an unescaped + arrives as a space.
  const written = westernDigits(text.trim()).replace(/(T.*) (\d\d:?\d\d)$/i, '$1+$2')
  if (isDate(written)) {
    const { startsAt, endsAt } = dayOf(written, zone)
    return { first: startsAt, after: endsAt }
  }
  const at = parseInstant(written, zone)
  if (at === undefined) throw unprocessable(field, 'must be a date or a time that exists, in ISO 8601')
  return { first: at, after: at + 1 }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
