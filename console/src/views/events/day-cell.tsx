import type { Event } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { Name } from '../../parts/text.tsx'
import { isolate, useLanguage } from '../../words/language.ts'
import { weekdayOf } from './days.ts'
import { clockTime, dayNumber, hijriDay, wholeDay, wholeHijriDay } from './formats.ts'
import { spanOf } from './spans.ts'
import type { Week } from './week.ts'
import { useEventsWords } from './words.ts'

/** As many as fit; the rest is counted. */
const MOST_LINES = 3

interface DayCellProps {
  day: string
  /** What stands on each line; a line may be empty here because an event has it on another day. */
  lines: (Event | undefined)[]
  isChosen: boolean
  isToday: boolean
  isInMonth: boolean
  /** The first day of its week. */
  isFirst: boolean
  week: Week
  secondCalendar: boolean
  onOpen: (day: string, event?: number) => void
}

/** A day of the month. What is in it is read out as one sentence; the events can be reached below the grid. */
export function DayCell({
  day,
  lines,
  isChosen,
  isToday,
  isInMonth,
  isFirst,
  week,
  secondCalendar,
  onOpen,
}: DayCellProps) {
  const t = useEventsWords()
  const language = useLanguage()
  const events = lines.filter(event => event !== undefined)
  const hidden = lines.slice(MOST_LINES).filter(event => event !== undefined).length
  const label = [
    wholeDay(language, day),
    ...(secondCalendar ? [wholeHijriDay(language, day)] : []),
    ...(events.length > 0 ? [t.eventsOn(events.length), ...events.map(({ name }) => isolate(name))] : []),
  ].join(language === 'ar' ? '، ' : ', ')
  const classes = [
    'day',
    !isInMonth && 'beside',
    week.weekend.includes(weekdayOf(day)) && 'weekend',
    isToday && 'today',
  ].filter(Boolean)
  const onClick = ({ target }: MouseEvent) => {
    const id = target instanceof Element && target.closest<HTMLElement>('[data-event]')?.dataset.event
    onOpen(day, id ? Number(id) : undefined)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid listens to the keys
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: in a grid it is a gridcell, which can be selected
    <td
      class={classes.join(' ')}
      tabIndex={isChosen ? 0 : -1}
      aria-selected={isChosen}
      aria-current={isToday ? 'date' : undefined}
      onClick={onClick}
    >
      <span class="read-out">{label}</span>
      <div aria-hidden="true">
        <p class="day-number">
          <span>{dayNumber(language, day)}</span>
          {secondCalendar && <HijriDay day={day} />}
        </p>
        {lines.slice(0, MOST_LINES).map((event, line) => (
          <Line key={event?.id ?? `empty-${line}`} event={event} day={day} isFirst={isFirst} />
        ))}
        {hidden > 0 && <p class="more-events">{t.more(hidden)}</p>}
      </div>
    </td>
  )
}

function HijriDay({ day }: { day: string }) {
  const { number, month } = hijriDay(useLanguage(), day)
  return (
    <span class="hijri-day">
      {number} {month && <span class="when-wide">{month}</span>}
    </span>
  )
}

/** An event on one of its days. It is named where it begins, and again at the beginning of each week. */
function Line({ event, day, isFirst }: { event: Event | undefined; day: string; isFirst: boolean }) {
  const language = useLanguage()
  const { zone } = useStanding()
  if (!event) return <p class="event-line-of-day empty-line" />
  const { first, last } = spanOf(event)
  const isSpanning = first !== last
  const classes = [
    'event-line-of-day',
    (event.all_day || isSpanning) && 'bar-line',
    day > first && 'goes-on-before',
    day < last && 'goes-on-after',
  ].filter(Boolean)
  const isNamed = day === first || isFirst
  return (
    <p class={classes.join(' ')} data-event={event.id}>
      {isNamed && (
        <>
          {!event.all_day && day === first && <span class="quiet">{clockTime(language, event.starts_at, zone)} </span>}
          <Name>{event.name}</Name>
        </>
      )}
    </p>
  )
}
