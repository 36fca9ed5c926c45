import { useState } from 'preact/hooks'
import type { Event } from '../../api/types.ts'
import { setQuery } from '../../frame/address.ts'
import { useStanding } from '../../frame/standing.ts'
import { LoadingFailed } from '../../parts/failure.tsx'
import { DayPanel } from './day-panel.tsx'
import { weeksOf } from './days.ts'
import { Month } from './month.tsx'
import { isOn, spanOf } from './spans.ts'
import { useEventsBetween } from './use-events.ts'
import type { Week } from './week.ts'

interface MonthViewProps {
  day: string
  today: string
  week: Week
  label: string
  isAdding: boolean
  setAdding: (isAdding: boolean) => void
}

/** The month of a day, with what takes place on that day below it. */
export function MonthView({ day, today, week, label, isAdding, setAdding }: MonthViewProps) {
  const { may } = useStanding()
  const days = weeksOf(day, week.firstDay).flat()
  const loading = useEventsBetween(days[0] as string, days.at(-1) as string)
  const events = loading.data ?? []
  const [opened, setOpened] = useState(0)
  const move = (to: string) => setQuery({ day: to === today ? [] : [to], event: [] })
  const open = (to: string, event?: number) => {
    const onDay = events.filter(each => isOn(each, to))
    setQuery({ day: to === today ? [] : [to], event: event ? [String(event)] : [] })
    setAdding(isAdding || (onDay.length === 0 && loading.data !== undefined && may('createEvent')))
    setOpened(n => n + 1)
  }
  /** What was stored may be on another day by now: it is shown there. */
  const changed = (event?: Event) => {
    loading.reload()
    if (event && !isOn(event, day)) setQuery({ day: [spanOf(event).first], event: [] })
  }
  return (
    <>
      <LoadingFailed of={loading} />
      <Month day={day} today={today} week={week} events={events} label={label} onMove={move} onOpen={open} />
      <DayPanel
        day={day}
        events={events.filter(event => isOn(event, day))}
        isAdding={isAdding}
        setAdding={setAdding}
        opened={opened}
        onChanged={changed}
      />
    </>
  )
}
