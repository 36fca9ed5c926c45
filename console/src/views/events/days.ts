import { daysAfter } from '../records/today.ts'

// Days are texts such as 2026-11-17, as the server writes them: they have no zone and no clock, so no clock change can move them.

/** From Monday (1) to Sunday (7). */
export function weekdayOf(day: string): number {
  return dateOf(day).getUTCDay() || 7
}

/** The same day of another month, or the last one where that month is shorter. */
export function monthsAfter(day: string, months: number): string {
  const date = dateOf(day)
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date.getUTCDate(), last))
  return textOf(first)
}

/** The first day of the week in which a day is. */
export function weekStart(day: string, firstDay: number): string {
  return daysAfter(day, -((weekdayOf(day) - firstDay + 7) % 7))
}

/** The weeks of the month in which a day is, each with all of its days: the first and the last may reach into the months beside it. */
export function weeksOf(day: string, firstDay: number): string[][] {
  const first = `${day.slice(0, 8)}01`
  const afterwards = monthsAfter(first, 1)
  const weeks: string[][] = []
  for (let start = weekStart(first, firstDay); start < afterwards; start = daysAfter(start, 7))
    weeks.push(Array.from({ length: 7 }, (_, n) => daysAfter(start, n)))
  return weeks
}

/** Noon would do as well; what matters is that it is UTC. */
export function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

/** Days that the server takes: dates from 1900 to 9999. */
export function isDay(text: string): boolean {
  return /^(?:19|[2-9]\d)\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(dateOf(text).getTime())
}

function textOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
