import type { Event } from '../../api/types.ts'
import { daysAfter } from '../records/today.ts'

export type Spanning = Pick<Event, 'id' | 'starts_at' | 'ends_at' | 'all_day'>

/** The first and the last day of an event, both included. Its times carry the offset of the company's zone, and so are its days. */
export function spanOf({ starts_at, ends_at, all_day }: Spanning): { first: string; last: string } {
  const [first, last] = [starts_at.slice(0, 10), ends_at.slice(0, 10)]
  // What ends at midnight does not take place on the day that begins then.
  const endsAtMidnight = !all_day && last > first && ends_at.slice(11, 19) === '00:00:00'
  return { first, last: endsAtMidnight ? daysAfter(last, -1) : last }
}

export function isOn(event: Spanning, day: string): boolean {
  const { first, last } = spanOf(event)
  return first <= day && day <= last
}

/**
 * Where each event stands in the cells of a week: one that takes several days has the same line in each of them. Those that began
 * earlier and those that last longer come first, so that few lines stay empty.
 */
export function linesOf<E extends Spanning>(events: E[], week: string[]): (E | undefined)[][] {
  const [from, to] = [week[0] as string, week.at(-1) as string]
  const shown = events
    .map(event => ({ event, ...spanOf(event) }))
    .filter(({ first, last }) => first <= to && last >= from)
    .map(each => ({ ...each, begins: [each.first, from].sort().at(-1) as string }))
    .sort(
      (a, b) =>
        compare(a.begins, b.begins) ||
        compare(b.last, a.last) ||
        compare(a.event.starts_at, b.event.starts_at) ||
        a.event.id - b.event.id,
    )
  const cells: (E | undefined)[][] = week.map(() => [])
  for (const { event, first, last } of shown) {
    const own = cells.filter((_, n) => first <= (week[n] as string) && (week[n] as string) <= last)
    let line = 0
    while (own.some(cell => cell[line])) line++
    for (const cell of own) cell[line] = event
  }
  return cells.map(cell => Array.from(cell))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
