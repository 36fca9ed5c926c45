import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import type { Event } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { CheckField, directionOf, Field, Form, TextField } from '../../parts/form.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import {
  bodyOf,
  changesOf,
  draftOf,
  type EventDraft,
  endsBeforeStart,
  hasTimes,
  newDraft,
  onDay,
  withAllDay,
  withStart,
} from './event-draft.ts'
import { InvitedField } from './invited-field.tsx'
import { useEventsWords } from './words.ts'

interface EventFormProps {
  /** The one that is changed; without it a new one is made on this day. */
  event?: Event
  day: string
  onClose: () => void
  /** With the event as it is now. */
  onStored: (event: Event) => void
}

/** A new event, or the changes to one: sent together, because everybody who is invited is notified of them. */
export function EventForm({ event, day, onClose, onStored }: EventFormProps) {
  const t = useEventsWords()
  const common = useCommonWords()
  const { zone } = useStanding()
  const before = useRef(event ? draftOf(event) : newDraft(day, zone)).current
  const [draft, setDraft] = useState(before)
  // Choosing another day in the month moves what is being written there.
  useEffect(() => {
    if (!event) setDraft(now => withStart(now, onDay(now.starts, day)))
  }, [day])
  const action = useAction(async () => onStored(await store(draft)))
  const store = useStoring(event, before)
  const change = (changes: Partial<EventDraft>) => setDraft(now => ({ ...now, ...changes }))
  const isComplete = draft.name.trim() !== '' && hasTimes(draft)
  return (
    <Form
      action={action}
      submit={event ? common.save : t.create}
      disabled={!isComplete}
      missing={endsBeforeStart(draft) ? t.endsBefore : undefined}
      onCancel={onClose}
    >
      <TextField
        label={t.name}
        problem={action.about('name')}
        value={draft.name}
        onChange={name => change({ name })}
        maxLength={255}
        autoFocus
      />
      <CheckField label={t.allDay} checked={draft.allDay} onChange={on => setDraft(withAllDay(draft, on))} />
      <Times draft={draft} setDraft={setDraft} about={action.about} />
      <InvitedField values={draft.invited} onChange={invited => change({ invited })} />
      <TextField
        label={t.meeting}
        problem={action.about('meeting_url')}
        type="url"
        value={draft.meeting}
        onChange={meeting => change({ meeting })}
      />
      <Field label={t.description} problem={action.about('description')}>
        {described => (
          <textarea
            {...described}
            dir={directionOf(draft.description)}
            value={draft.description}
            onInput={({ currentTarget }) => change({ description: currentTarget.value })}
          />
        )}
      </Field>
    </Form>
  )
}

interface TimesProps {
  draft: EventDraft
  setDraft: (draft: EventDraft) => void
  about: (field: string) => string | undefined
}

/** Days for what is all day, otherwise days and times. The last day is one of its days. */
function Times({ draft, setDraft, about }: TimesProps) {
  const t = useEventsWords()
  const { allDay, starts, ends } = draft
  const type = allDay ? 'date' : 'datetime-local'
  const shown = (clock: string) => (allDay ? clock.slice(0, 10) : clock)
  const taken = (clock: string, value: string) => (allDay ? onDay(clock, value) : value)
  return (
    <div class="event-times">
      <TextField
        label={t.starts}
        problem={about('starts_at')}
        type={type}
        value={shown(starts)}
        onChange={value => setDraft(withStart(draft, taken(starts, value)))}
      />
      <TextField
        label={allDay ? t.lastDay : t.ends}
        problem={about('ends_at')}
        type={type}
        value={shown(ends)}
        onChange={value => setDraft({ ...draft, ends: taken(ends, value) })}
      />
    </div>
  )
}

/** Stores a draft. A new event that is sent again without a change is made once. */
function useStoring(event: Event | undefined, before: EventDraft): (draft: EventDraft) => Promise<Event> {
  const t = useEventsWords()
  const { id: company } = useCompany()
  const attempt = useRef({ body: '', key: '' })
  return async draft => {
    if (event) {
      const params = { company, event: event.id }
      const body = changesOf(before, draft)
      const { data } = await call('PATCH /companies/{company}/records/events/{event}', { params, body })
      say(t.changed(isolate(data.name)))
      return data
    }
    const body = bodyOf(draft)
    const text = JSON.stringify(body)
    if (attempt.current.body !== text) attempt.current = { body: text, key: newIdempotencyKey() }
    const { data } = await call('POST /companies/{company}/records/events', {
      params: { company },
      body,
      idempotencyKey: attempt.current.key,
    })
    say(t.created(isolate(data.name)))
    return data
  }
}
