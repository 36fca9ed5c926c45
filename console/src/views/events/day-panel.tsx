import { useEffect, useRef } from 'preact/hooks'
import type { Event } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { useLanguage } from '../../words/language.ts'
import { DayEvents } from './day-events.tsx'
import { EventForm } from './event-form.tsx'
import { wholeDay, wholeHijriDay } from './formats.ts'
import { useEventsWords } from './words.ts'

interface DayPanelProps {
  day: string
  events: Event[]
  /** Whether a new event is being written. */
  isAdding: boolean
  setAdding: (isAdding: boolean) => void
  /** How often the day was opened: each time, the focus comes here. */
  opened: number
  onChanged: (event?: Event) => void
}

/** What takes place on the day that is chosen in the month, and a new event on it. */
export function DayPanel({ day, events, isAdding, setAdding, opened, onChanged }: DayPanelProps) {
  const t = useEventsWords()
  const language = useLanguage()
  const { may, secondCalendar } = useStanding()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (opened > 0 && !isAdding) element.current?.querySelector<HTMLElement>('button, [href]')?.focus()
  }, [opened])
  const stored = (event: Event) => {
    setAdding(false)
    onChanged(event)
  }
  return (
    <div ref={element}>
      <Card
        title={wholeDay(language, day)}
        lead={secondCalendar ? wholeHijriDay(language, day) : undefined}
        actions={
          may('createEvent') &&
          !isAdding && (
            <Button quiet icon="plus" aria-label={t.addOn(wholeDay(language, day))} onClick={() => setAdding(true)}>
              {t.add}
            </Button>
          )
        }
      >
        {isAdding && <EventForm day={day} onClose={() => setAdding(false)} onStored={stored} />}
        {events.length > 0 && <DayEvents events={events} onChanged={onChanged} />}
        {events.length === 0 && !isAdding && <p class="quiet">{t.noneOnDay}</p>}
      </Card>
    </div>
  )
}
