import { type Language, localeOf } from '../../words/language.ts'
import { dateOf } from './days.ts'

// How the calendar writes days and times. Days have no zone; times are in that of the company.

const formatDay = (language: Language, day: string, options: Intl.DateTimeFormatOptions, calendar?: string) =>
  new Intl.DateTimeFormat(localeOf(language, calendar), { ...options, timeZone: 'UTC' }).format(dateOf(day))

export const monthTitle = (language: Language, day: string) =>
  formatDay(language, day, { month: 'long', year: 'numeric' })

/** Tuesday 17 November 2026. */
export const wholeDay = (language: Language, day: string) => formatDay(language, day, { dateStyle: 'full' })

export const weekdayName = (language: Language, day: string, weekday: 'long' | 'short' | 'narrow') =>
  formatDay(language, day, { weekday })

export const dayNumber = (language: Language, day: string) => formatDay(language, day, { day: 'numeric' })

const HIJRI = 'islamic-umalqura'

/** The number of the day in the second calendar, and the name of its month where one begins. */
export function hijriDay(language: Language, day: string): { number: string; month?: string } {
  const number = formatDay(language, day, { day: 'numeric' }, HIJRI)
  const isFirst = formatDay('en', day, { day: 'numeric' }, HIJRI) === '1'
  return isFirst ? { number, month: formatDay(language, day, { month: 'short' }, HIJRI) } : { number }
}

export const wholeHijriDay = (language: Language, day: string) => formatDay(language, day, { dateStyle: 'long' }, HIJRI)

/** The months of the second calendar in which these days are. */
export function hijriMonths(language: Language, first: string, last: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language, HIJRI), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.formatRange(dateOf(first), dateOf(last))
}

export function clockTime(language: Language, at: string, zone: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { timeStyle: 'short', timeZone: zone })
  // Keeps the half of the day with the hour.
  return format.format(new Date(at)).replace(/ (?=[صم]$)/, '\u00a0')
}

/** From one day to another, both included. */
export function daysBetween(language: Language, first: string, last: string): string {
  const style = language === 'ar' ? 'long' : 'medium'
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: style, timeZone: 'UTC' })
  return format.formatRange(dateOf(first), dateOf(last))
}

/** What people call a zone. */
export function zoneName(language: Language, zone: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { timeZone: zone, timeZoneName: 'longGeneric' })
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? zone
}
