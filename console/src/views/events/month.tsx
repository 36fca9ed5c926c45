import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { Event } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { useLanguage } from '../../words/language.ts'
import { DayCell } from './day-cell.tsx'
import { weeksOf } from './days.ts'
import { weekdayName } from './formats.ts'
import { movedBy } from './moves.ts'
import { linesOf } from './spans.ts'
import type { Week } from './week.ts'
import { useEventsWords } from './words.ts'

interface MonthProps {
  /** The one that is chosen; its month is shown. */
  day: string
  today: string
  week: Week
  events: Event[]
  label: string
  onMove: (day: string) => void
  /** A day was opened, or an event on it. */
  onOpen: (day: string, event?: number) => void
}

/** A month as a grid. One of its days can be reached with Tab, and the others from there with the arrow keys. */
export function Month({ day, today, week, events, label, onMove, onOpen }: MonthProps) {
  const t = useEventsWords()
  const language = useLanguage()
  const { secondCalendar } = useStanding()
  const grid = useRef<HTMLTableElement>(null)
  const hint = useId()
  /** The focus follows the chosen day only while it is in the grid. */
  const follows = useRef(false)
  /** Where the next key starts from: the day that the last one led to may not be drawn yet. */
  const reached = useRef(day)
  // Before anything else happens, so that no key is pressed while nothing has the focus.
  useLayoutEffect(() => {
    reached.current = day
    if (follows.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    follows.current = false
  }, [day])
  const weeks = weeksOf(day, week.firstDay)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return onOpen(reached.current)
    }
    const to = movedBy(event, reached.current, week.firstDay, document.documentElement.dir === 'rtl')
    if (to === undefined) return
    event.preventDefault()
    follows.current = true
    reached.current = to
    onMove(to)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose cells can be reached */}
      <table ref={grid} class="month" role="grid" aria-label={label} aria-describedby={hint} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map(each => (
              <th key={each} scope="col">
                <span class="read-out">{weekdayName(language, each, 'long')}</span>
                <span aria-hidden="true" class="when-wide">
                  {weekdayName(language, each, 'short')}
                </span>
                <span aria-hidden="true" class="when-narrow">
                  {weekdayName(language, each, 'narrow')}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map(days => {
            const lines = linesOf(events, days)
            return (
              <tr key={days[0]}>
                {days.map((each, n) => (
                  <DayCell
                    key={each}
                    day={each}
                    lines={lines[n] ?? []}
                    isChosen={each === day}
                    isToday={each === today}
                    isInMonth={each.slice(0, 7) === day.slice(0, 7)}
                    isFirst={n === 0}
                    week={week}
                    secondCalendar={secondCalendar}
                    onOpen={onOpen}
                  />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      <p class="read-out" id={hint}>
        {t.keys}
      </p>
    </>
  )
}
