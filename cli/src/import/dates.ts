import { wordsOf } from '../../../src/domain/sentences/sentences.ts'
import { dateProblem } from '../../../src/domain/time/dates.ts'
import { plainNumber } from '../../../src/lib/digits.ts'
import { fromHijri } from '../../../src/lib/hijri.ts'
import type { DateOrder } from './choices.ts'
import { trimmed } from './names.ts'

/** A time of day, if there is one, is ignored: a due date is a day. */
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ][^\n]{0,40})?$/
const YEAR_LAST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T ][^\n]{0,40})?$/

type Calendar = 'hijri' | 'gregorian'
type Read = { day: string } | { problem: string }

/** A day as YYYY-MM-DD, or what is wrong with it. Whether the day or the month comes first is never guessed. */
export function readDay(text: string, order: DateOrder): Read {
  const { written, calendar } = calendarOf(trimmed(plainNumber(text)), order)
  const yearFirst = YEAR_FIRST.exec(written)
  const yearLast = YEAR_LAST.exec(written)
  const [, first, second, third] = yearFirst ?? yearLast ?? []
  if (yearFirst) return dayIn(calendar, first, second, third)
  if (!yearLast) return { problem: `${quoted(text)} is not a date such as 2027-02-01` }
  if (order === 'month-first') return dayIn(calendar, third, first, second)
  if (order === 'day-first' || order === 'hijri-day-first') return dayIn(calendar, third, second, first)
  const orders = calendar === 'hijri' ? ['hijri-day-first'] : ['day-first', 'month-first']
  return { problem: `${quoted(text)} is ambiguous: use ${orders.map(each => `--dates ${each}`).join(' or ')}` }
}

/** What people write after a date to say which calendar it is in. The م after a time of day means the afternoon. */
const ERAS: [written: string, calendar: Calendar][] = [
  ['هـ', 'hijri'],
  ['ه', 'hijri'],
  ['م', 'gregorian'],
]

/** A date that names its calendar is in that one, whatever the order says. */
function calendarOf(date: string, order: DateOrder): { written: string; calendar: Calendar } {
  const usual = order.startsWith('hijri') ? 'hijri' : 'gregorian'
  const [era, calendar] = ERAS.find(([each]) => date.endsWith(each)) ?? []
  if (era === undefined || calendar === undefined || date.includes(':')) return { written: date, calendar: usual }
  return { written: trimmed(date.slice(0, -era.length)), calendar }
}

function dayIn(calendar: Calendar, year = '', month = '', dayOfMonth = ''): Read {
  const day = `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
  return calendar === 'hijri' ? ofHijri(day) : checked(day)
}

function checked(day: string): Read {
  const problem = dateProblem(day)
  return problem ? { problem: `${day} ${wordsOf(problem).en}` } : { day }
}

function ofHijri(day: string): Read {
  const found = fromHijri(day)
  return found ? { day: found } : { problem: `${day} is not a day of the Umm al-Qura calendar` }
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 40))
}
