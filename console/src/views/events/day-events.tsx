import type { Event } from '../../api/types.ts'
import { useQuery } from '../../frame/address.ts'
import { EventCard } from './event-card.tsx'

interface DayEventsProps {
  events: Event[]
  onChanged: (event?: Event) => void
}

/** The events of a day under each other. The one that is open is in the URL. */
export function DayEvents({ events, onChanged }: DayEventsProps) {
  const [open, setOpen] = useQuery('event')
  return (
    <ul class="events">
      {events.map(event => (
        <EventCard
          key={event.id}
          event={event}
          isOpen={open === String(event.id)}
          setOpen={isOpen => setOpen(isOpen ? String(event.id) : '')}
          onChanged={onChanged}
        />
      ))}
    </ul>
  )
}
