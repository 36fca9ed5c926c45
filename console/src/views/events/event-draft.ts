import type { CreateEventBody, Event } from '../../api/types.ts'
import { clockIn } from '../../parts/local-clock.ts'
import { todayIn } from '../records/today.ts'

/** An event as it is being written. The times are those of a clock in the company's zone, such as 2026-11-17T10:00. */
export interface EventDraft {
  name: string
  allDay: boolean
  starts: string
  ends: string
  meeting: string
  description: string
  invited: string[]
}

const HOUR_MS = 3_600_000

/** A new event on a day: in the next hour if the day is today, else in the morning. */
export function newDraft(day: string, zone: string, now = new Date()): EventDraft {
  const hour = day === todayIn(zone) ? Number(clockIn(zone, now).slice(11, 13)) + 1 : 9
  // In the last hour of a day there is no next one on it.
  const starts = `${day}T${String(Math.min(hour, 22)).padStart(2, '0')}:00`
  return {
    name: '',
    allDay: false,
    starts,
    ends: later(starts, HOUR_MS),
    meeting: '',
    description: '',
    invited: [],
  }
}

/** The times of an event carry the offset of the company's zone: without it they are what its clock shows. */
export function draftOf(event: Event): EventDraft {
  const { name, all_day, starts_at, ends_at, meeting_url, description, attendees } = event
  return {
    name,
    allDay: all_day,
    starts: starts_at.slice(0, 16),
    ends: ends_at.slice(0, 16),
    meeting: meeting_url ?? '',
    description: description ?? '',
    invited: attendees.map(({ email }) => email),
  }
}

/** What the server is sent. */
export function bodyOf({ name, allDay, starts, ends, meeting, description, invited }: EventDraft): CreateEventBody {
  const length = allDay ? 10 : 16
  return {
    name: name.trim(),
    all_day: allDay,
    starts_at: starts.slice(0, length),
    ends_at: ends.slice(0, length),
    meeting_url: meeting.trim() || null,
    description: description || null,
    attendee_emails: invited,
  }
}

/** Only what was changed: whoever is invited is notified of it. */
export function changesOf(before: EventDraft, after: EventDraft): Partial<CreateEventBody> {
  const [old, now] = [bodyOf(before), bodyOf(after)]
  const isSame = (key: keyof CreateEventBody) => JSON.stringify(old[key]) === JSON.stringify(now[key])
  const changed = (Object.keys(now) as (keyof CreateEventBody)[]).filter(key => !isSame(key))
  return Object.fromEntries(changed.map(key => [key, now[key]]))
}

/** Another start; the event takes as long as before. */
export function withStart(draft: EventDraft, starts: string): EventDraft {
  const lasts = clockMs(draft.ends) - clockMs(draft.starts)
  const canShift = Number.isFinite(lasts) && lasts >= 0 && Number.isFinite(clockMs(starts))
  return { ...draft, starts, ends: canShift ? later(starts, lasts) : draft.ends }
}

/** The times of a day, if it was all day before: its clock says midnight. */
export function withAllDay(draft: EventDraft, allDay: boolean): EventDraft {
  if (allDay || draft.starts !== draft.ends) return { ...draft, allDay }
  const starts = `${draft.starts.slice(0, 10)}T09:00`
  return { ...draft, allDay, starts, ends: later(starts, HOUR_MS) }
}

export function endsBeforeStart({ allDay, starts, ends }: EventDraft): boolean {
  const length = allDay ? 10 : 16
  return starts !== '' && ends !== '' && ends.slice(0, length) < starts.slice(0, length)
}

/** Whether both times are complete. While a year is typed, the fields already hold years such as 0002. */
export function hasTimes({ starts, ends }: EventDraft): boolean {
  return starts >= '1900' && ends >= '1900'
}

/** As if clocks never changed: what is shown is a clock, and the server knows the zone. */
const clockMs = (clock: string) => Date.parse(`${clock}Z`)
const later = (clock: string, ms: number) => new Date(clockMs(clock) + ms).toISOString().slice(0, 16)

/** Another day at the same time, as a date field gives it. */
export const onDay = (clock: string, day: string) => (day === '' ? '' : `${day}T${clock.slice(11) || '00:00'}`)
