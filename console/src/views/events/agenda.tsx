import type { Event } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { useLanguage } from '../../words/language.ts'
import { DayEvents } from './day-events.tsx'
import { EventForm } from './event-form.tsx'
import { wholeDay, wholeHijriDay } from './formats.ts'
import { spanOf } from './spans.ts'
import { useEventsWords } from './words.ts'

interface AgendaProps {
  /** The first day. */
  day: string
  isAdding: boolean
  setAdding: (isAdding: boolean) => void
}

/** What takes place from a day on, day by day. */
export function Agenda({ day, isAdding, setAdding }: AgendaProps) {
  const t = useEventsWords()
  const { id: company } = useCompany()
  const { me } = useStanding()
  const events = useCollection('GET /companies/{company}/records/me/events', {
    params: { company },
    query: { from: day },
  })
  const stored = () => {
    setAdding(false)
    events.reload()
  }
  return (
    <>
      {isAdding && (
        <Card title={t.add}>
          <EventForm day={day} onClose={() => setAdding(false)} onStored={stored} />
        </Card>
      )}
      <LoadedCollection of={events} empty={me.kind === 'operator' ? t.operatorHasNone : t.none}>
        {rows => byDay(rows, day).map(group => <AgendaDay key={group.day} {...group} onChanged={events.reload} />)}
      </LoadedCollection>
    </>
  )
}

interface Group {
  day: string
  events: Event[]
}

/** Each event is on its first day; what began before the agenda does is on the first day of that. */
function byDay(events: Event[], from: string): Group[] {
  const dayOf = (event: Event) => {
    const { first, last } = spanOf(event)
    return first < from ? (last < from ? undefined : from) : first
  }
  const groups = Map.groupBy(events, dayOf)
  return [...groups].flatMap(([day, events]) => (day === undefined ? [] : [{ day, events }]))
}

function AgendaDay({ day, events, onChanged }: Group & { onChanged: () => void }) {
  const language = useLanguage()
  const { secondCalendar } = useStanding()
  return (
    <section class="agenda-day">
      <h2>
        {wholeDay(language, day)} {secondCalendar && <bdi class="hijri">({wholeHijriDay(language, day)})</bdi>}
      </h2>
      <DayEvents events={events} onChanged={onChanged} />
    </section>
  )
}
