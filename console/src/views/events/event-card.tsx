import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Event } from '../../api/types.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { Facts } from '../../parts/table.tsx'
import { Name, Prose } from '../../parts/text.tsx'
import { say } from '../../parts/toast.tsx'
import { isolate } from '../../words/language.ts'
import { EventForm } from './event-form.tsx'
import { When } from './when.tsx'
import { useEventsWords } from './words.ts'

interface EventCardProps {
  event: Event
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  /** Something about it was stored, or it is gone. */
  onChanged: (event?: Event) => void
}

/** An event in a line, which opens in place. */
export function EventCard({ event, isOpen, setOpen, onChanged }: EventCardProps) {
  const t = useEventsWords()
  return (
    <li class={isOpen ? 'event open' : 'event'}>
      <div class="event-line">
        <span class="event-when">
          <When event={event} />
        </span>
        <button
          type="button"
          class="task-title"
          aria-expanded={isOpen}
          aria-label={t.open(isolate(event.name))}
          onClick={() => setOpen(!isOpen)}
        >
          <Name>{event.name}</Name>
        </button>
      </div>
      {isOpen && <Opened event={event} onClose={() => setOpen(false)} onChanged={onChanged} />}
    </li>
  )
}

interface OpenedProps {
  event: Event
  onClose: () => void
  onChanged: (event?: Event) => void
}

function Opened({ event, onClose, onChanged }: OpenedProps) {
  const { me, may } = useStanding()
  const [isEdited, setEdited] = useState(false)
  // Only who organizes an event may change it.
  const isMine = me.user?.email === event.organizer_email
  const stored = (now: Event) => {
    setEdited(false)
    onChanged(now)
  }
  return (
    <div class="event-panel stack">
      {isEdited ? (
        <EventForm event={event} day="" onClose={() => setEdited(false)} onStored={stored} />
      ) : (
        <>
          <About event={event} isMine={isMine} />
          <EventActions
            event={event}
            mayEdit={isMine && may('updateEvent')}
            mayDelete={isMine && may('deleteEvent')}
            onEdit={() => setEdited(true)}
            onClose={onClose}
            onDeleted={() => onChanged()}
          />
        </>
      )}
    </div>
  )
}

function About({ event, isMine }: { event: Event; isMine: boolean }) {
  const t = useEventsWords()
  const { description, meeting_url, organizer, attendees } = event
  const facts: [string, preact.ComponentChildren][] = [
    [t.organizer, isMine ? t.you : <Name key="organizer">{organizer}</Name>],
  ]
  if (attendees.length > 0)
    facts.push([
      t.invited,
      <ul key="invited" class="people">
        {attendees.map(({ name, email }) => (
          <li key={email}>
            <Name>{name}</Name>
          </li>
        ))}
      </ul>,
    ])
  if (meeting_url) facts.push([t.meeting, <OutsideLink key="meeting" to={meeting_url} />])
  return (
    <>
      {description && <Prose>{description}</Prose>}
      <Facts of={facts} />
      {!isMine && <p class="hint">{t.notYours}</p>}
    </>
  )
}

interface EventActionsProps {
  event: Event
  mayEdit: boolean
  mayDelete: boolean
  onEdit: () => void
  onClose: () => void
  onDeleted: () => void
}

function EventActions({ event, mayEdit, mayDelete, onEdit, onClose, onDeleted }: EventActionsProps) {
  const t = useEventsWords()
  const { id: company } = useCompany()
  const [isAsking, setAsking] = useState(false)
  const name = isolate(event.name)
  const remove = async () => {
    await call('DELETE /companies/{company}/records/events/{event}', { params: { company, event: event.id } })
    say(t.deleted(name))
  }
  return (
    <p class="row">
      {mayEdit && (
        <Button aria-label={t.edit(name)} onClick={onEdit}>
          {t.editVerb}
        </Button>
      )}
      <Button quiet onClick={onClose}>
        {t.closeEvent}
      </Button>
      {mayDelete && (
        <Button quiet icon="trash" class="danger-text" aria-label={t.delete(name)} onClick={() => setAsking(true)}>
          {t.deleteVerb}
        </Button>
      )}
      {isAsking && (
        <Confirm
          title={t.deleteTitle}
          verb={t.deleteVerb}
          act={remove}
          onClose={() => setAsking(false)}
          onDone={onDeleted}
        >
          <p>
            <strong>
              <Name>{event.name}</Name>
            </strong>
          </p>
          <p>{t.deleteMeans}</p>
        </Confirm>
      )}
    </p>
  )
}
