import { wordsOf } from '../../../src/domain/sentences/sentences.ts'
import { dateProblem } from '../../../src/domain/time/dates.ts'
import { westernDigits } from '../../../src/lib/digits.ts'
import { fromHijri } from '../../../src/lib/hijri.ts'
import type { DateOrder } from './choices.ts'
import { trimmed } from './names.ts'

/** A time of day, if there is one, is ignored: a due date is a day. */
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ][^\n]{0,40})?$/
const YEAR_LAST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T ][^\n]{0,40})?$/

/** A day as YYYY-MM-DD, or what is wrong with it. Whether the day or the month comes first is never guessed. */
export function readDay(text: string, order: DateOrder): { day: string } | { problem: string } {
  const written = westernDigits(trimmed(text))
  const yearFirst = YEAR_FIRST.exec(written)
  const yearLast = YEAR_LAST.exec(written)
  if (yearFirst) {
    const day = dayFrom(yearFirst[1], yearFirst[2], yearFirst[3])
    return order === 'hijri' ? ofHijri(day) : checked(day)
  }
  if (!yearLast) return { problem: `${quoted(text)} is not a date such as 2027-02-01` }
  const [, first, second, year] = yearLast
  if (order === 'day-first') return checked(dayFrom(year, second, first))
  if (order === 'month-first') return checked(dayFrom(year, first, second))
  return { problem: `${quoted(text)} is ambiguous: use --dates day-first or --dates month-first` }
}

function dayFrom(year = '', month = '', day = ''): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

function checked(day: string): { day: string } | { problem: string } {
  const problem = dateProblem(day)
  return problem ? { problem: `${day} ${wordsOf(problem).en}` } : { day }
}

function ofHijri(day: string): { day: string } | { problem: string } {
  const found = fromHijri(day)
  return found ? { day: found } : { problem: `${day} is not a day of the Umm al-Qura calendar` }
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 40))
}
