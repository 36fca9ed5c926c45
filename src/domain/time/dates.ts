import { parseIso, writtenYear } from '../../lib/iso-8601.ts'
import { Recent } from '../../lib/recent.ts'
import { DAY_MS, dayOf, formatInstant, instantOf, MOST_ZONES, wallClock } from '../../lib/zoned-time.ts'
import { unprocessable } from '../errors.ts'
import { type Said, say } from '../sentences/sentences.ts'

// Dates and times range from the first day of 1900 to the last of 9999, in the company's time zone. What software sends for "no
// date" is outside, and so is a Hijri date that is mistaken for a Gregorian one.
export const FIRST_YEAR = 1900
const LAST_YEAR = 9999
export const FIRST_DATE = `${FIRST_YEAR}-01-01`
const LAST_DATE = `${LAST_YEAR}-12-31`

const HIJRI_YEARS = { first: 1300, last: 1600 }

/** What is wrong with a date (YYYY-MM-DD), if anything. */
export function dateProblem(text: string): Said | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return 'must be a date that exists, written YYYY-MM-DD'
  return yearProblem(text) ?? (parseIso(text) ? undefined : 'must be a date that exists, written YYYY-MM-DD')
}

/** Reads a time in the company's zone: the instant, and the wall clock time then. */
export function readTime(field: string, text: string, zone: string): { at: number; clock: string } {
  const written = parseIso(text)
  if (!written) throw unprocessable(field, yearProblem(text) ?? 'must be a time that exists, in ISO 8601')
  const at = instantOf(written, zone)
  if (at !== withinYears(at, zone)) throw unprocessable(field, outside(written.clock.year))
  // Without an offset the text is the wall clock time, even if the clocks skip it.
  return { at, clock: written.offset === undefined ? String(written.clock) : wallClock(at, zone) }
}

/** Checked first: a date that does not exist in our calendar may be a day of another. */
function yearProblem(text: string): Said | undefined {
  const year = writtenYear(text)
  return year === undefined || year >= FIRST_YEAR ? undefined : outside(year)
}

function outside(year: number): Said {
  const years = { first: FIRST_YEAR, last: LAST_YEAR }
  const isHijri = year >= HIJRI_YEARS.first && year <= HIJRI_YEARS.last
  return isHijri
    ? say('must be a Gregorian date from {first} to {last}; {year} looks like a Hijri year', { ...years, year })
    : say('must be a Gregorian date from {first} to {last}', years)
}

/** The instant, or the nearest one within the years that can be written. */
export function withinYears(at: number, zone: string): number {
  const { first, last } = writableSpan(zone)
  return Math.min(Math.max(at, first), last)
}

const spans = new Recent<string, { first: number; last: number }>(MOST_ZONES, DAY_MS)

/** The first and the last instant that can be written in a zone. */
export function writableSpan(zone: string): { first: number; last: number } {
  let span = spans.get(zone)
  if (!span) {
    span = { first: dayOf(FIRST_DATE, zone).startsAt, last: dayOf(LAST_DATE, zone).endsAt - 1 }
    spans.set(zone, span)
  }
  return span
}

/** An instant in the company's zone, clamped: one at the edge of the years in the company's former zone stays at the edge. */
export function showInstant(at: number, zone: string): string {
  return formatInstant(withinYears(at, zone), zone)
}
