import { Temporal } from 'temporal-polyfill'
import { LONGEST_NUMBER, plainNumber } from './digits.ts'

/** A date or a time as it was written: the clock time, and the offset if one was given. */
export interface WrittenTime {
  clock: Temporal.PlainDateTime
  hasTime: boolean
  offset: string | undefined
}

/** Longer text is not a date, and no pattern need be tried on it. */
export const LONGEST_ISO = LONGEST_NUMBER

const OFFSET = String.raw`(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?`
// Temporal would read a leap second as the second before it: something else than what was written.
const FRACTION = String.raw`(?:[.,]\d{1,9})?`
const EXTENDED = new RegExp(String.raw`^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::[0-5]\d${FRACTION})?)${OFFSET})?$`, 'i')
const BASIC = new RegExp(String.raw`^(\d{8})(?:T(\d{4}(?:[0-5]\d${FRACTION})?)${OFFSET})?$`, 'i')

/** Parses ISO 8601, in its extended or its basic form. Undefined for anything else, and for dates that do not exist. */
export function parseIso(text: string): WrittenTime | undefined {
  const [, date, time, offset] = match(text)
  if (date === undefined) return undefined
  try {
    const clock = Temporal.PlainDateTime.from(time === undefined ? date : `${date}T${time}`)
    return { clock, hasTime: time !== undefined, offset }
  } catch {
    return undefined
  }
}

/** The year of something written as a date or a time, even if it does not exist: 30 February is a day in other calendars. */
export function writtenYear(text: string): number | undefined {
  const [, date] = match(text)
  return date === undefined ? undefined : Number(date.slice(0, 4))
}

function match(text: string): string[] {
  if (text.length > LONGEST_ISO) return []
  const written = plainNumber(text).trim()
  return written.match(EXTENDED) ?? written.match(BASIC) ?? []
}
