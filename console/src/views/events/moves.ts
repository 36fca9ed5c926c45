import { daysAfter } from '../records/today.ts'
import { isDay, monthsAfter, weekStart } from './days.ts'

/** Where a key leads from a day, as in any grid of days; undefined for other keys. In Arabic, the next day is to the left. */
export function movedBy(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  day: string,
  firstDay: number,
  isRightToLeft: boolean,
): string | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  const onwards = isRightToLeft ? -1 : 1
  const moves: Record<string, () => string> = {
    ArrowRight: () => daysAfter(day, onwards),
    ArrowLeft: () => daysAfter(day, -onwards),
    ArrowDown: () => daysAfter(day, 7),
    ArrowUp: () => daysAfter(day, -7),
    Home: () => weekStart(day, firstDay),
    End: () => daysAfter(weekStart(day, firstDay), 6),
    PageDown: () => monthsAfter(day, 1),
    PageUp: () => monthsAfter(day, -1),
  }
  const to = moves[key]?.()
  return to !== undefined && isDay(to) ? to : undefined
}
