import { toTimestamp } from '../db/instants.ts'
import { unprocessable } from '../domain/errors.ts'
import { FIRST_DATE, FIRST_YEAR, readTime, withinYears, writableSpan } from '../domain/time/dates.ts'
import { LONGEST_ISO, parseIso } from '../lib/iso-8601.ts'
import { dayOf, instantOf, localDay, wallClock } from '../lib/zoned-time.ts'

/** When an event takes place, as it is stored. An all-day event is defined by its clock times, any other by its instants. */
export interface EventTimes {
  starts_at: string
  ends_at: string
  all_day: boolean
  starts_clock: string | null
  ends_clock: string | null
}

interface SentTimes {
  starts_at?: string
  ends_at?: string
  all_day?: boolean
}

/** Reads the times of a new event in the company zone. */
export function readTimes(zone: string, sent: SentTimes & { starts_at: string; ends_at: string }): EventTimes {
  const [starts, ends] = [readTime('starts_at', sent.starts_at, zone), readTime('ends_at', sent.ends_at, zone)]
  return toColumns(starts, ends, sent.all_day ?? false)
}

/** The times after a change; undefined when none was sent. A time that was not sent stays the same to the millisecond. */
export function changeTimes(zone: string, event: EventTimes, sent: SentTimes): EventTimes | undefined {
  const { starts_at, ends_at, all_day = event.all_day } = sent
  if (starts_at === undefined && ends_at === undefined && all_day === event.all_day) return undefined
  const starts =
    starts_at === undefined
      ? unchanged(event.starts_at, event.starts_clock, zone)
      : readTime('starts_at', starts_at, zone)
  const ends =
    ends_at === undefined ? unchanged(event.ends_at, event.ends_clock, zone) : readTime('ends_at', ends_at, zone)
  return toColumns(starts, ends, all_day)
}

interface Time {
  at: number
  clock: string
}

function unchanged(instant: string, clock: string | null, zone: string): Time {
  const at = withinYears(Date.parse(instant), zone)
  return { at, clock: clock ?? wallClock(at, zone) }
}

function toColumns(starts: Time, ends: Time, all_day: boolean): EventTimes {
  if (ends.at < starts.at) throw unprocessable('ends_at', "can't be before starts_at")
  return {
    starts_at: toTimestamp(starts.at),
    ends_at: toTimestamp(ends.at),
    all_day,
    starts_clock: all_day ? starts.clock : null,
    ends_clock: all_day ? ends.clock : null,
  }
}

/** A period in which events start, in epoch milliseconds: from `from` on, and before `before`. */
export interface Period {
  from: number | null
  before: number | null
}

/** The period that the list shows. `from` and `to` override `include_past`; by default the list begins with today. */
export function readPeriod(zone: string, query: { from?: string; to?: string; include_past: boolean }): Period {
  if (!query.from && !query.to)
    return { from: query.include_past ? null : localDay(zone, Date.now()).startsAt, before: null }
  const { first, last } = writableSpan(zone)
  const from = query.from ? readBound('from', query.from, zone).first : first
  // Both bounds are inclusive: a date includes its whole day, a time its own instant.
  const before = query.to ? readBound('to', query.to, zone).after : last + 1
  // A bound at the edge of the supported years is no bound: events can lie beyond it after the company has changed its zone.
  return { from: from > first ? from : null, before: before <= last ? before : null }
}

/** The bound of a period: a time, or a whole day. One outside the supported years is moved to their edge. */
export function readBound(field: string, text: string, zone: string): { first: number; after: number } {
  const written = text.length > LONGEST_ISO ? undefined : parseIso(withPlus(text.trim()))
  if (!written) throw unprocessable(field, 'must be a date or a time that exists, in ISO 8601')
  if (written.hasTime) {
    const at = withinYears(instantOf(written, zone), zone)
    return { first: at, after: at + 1 }
  }
  const date = written.clock.year < FIRST_YEAR ? FIRST_DATE : String(written.clock.toPlainDate())
  const { startsAt, endsAt } = dayOf(date, zone)
  return { first: startsAt, after: endsAt }
}

/** In a query string, an unescaped + arrives as a space. */
function withPlus(text: string): string {
  return /T/i.test(text) ? text.replace(/ (?=\d\d(?::?\d\d)?$)/, '+') : text
}
