import type { CalendarEvent } from '../../domain/calendars/icalendar.ts'
import type { NotificationKind } from '../../domain/people/notifications.ts'
import { localDay } from '../../lib/zoned-time.ts'

/** What a mail is about, as far as its address needs it. */
export interface About {
  company_id: number
  subject_id: string
  project_ref: string | null
}

interface Told {
  kind: NotificationKind
  about?: About
  event?: CalendarEvent | null
  time_zone?: string
}

type Place = (about: About, told: Told) => string | undefined

const ofProject =
  (room: 'discussions' | 'files'): Place =>
  ({ project_ref, subject_id }) =>
    project_ref === null ? undefined : `/projects/${project_ref}/${room}/${subject_id}`

const onItsDay: Place = ({ subject_id }, { event, time_zone = 'UTC' }) =>
  event ? `/events?${new URLSearchParams({ day: dayOf(event, time_zone), event: subject_id })}` : undefined

const calendars: Place = () => '/calendars'
const webhook: Place = ({ subject_id }) => `/webhooks/${subject_id}`

/** The page of the console on which a reader finds what a mail is about. What is gone has none. */
const PLACES: Partial<Record<NotificationKind, Place>> = {
  discussion_created: ofProject('discussions'),
  discussion_replied: ofProject('discussions'),
  file_infected: ofProject('files'),
  file_unscanned: ofProject('files'),
  calendar_connected: calendars,
  calendar_failing: calendars,
  calendar_disconnected: calendars,
  webhook_failing: webhook,
  webhook_switched_off: webhook,
  event_invited: onItsDay,
  event_changed: onItsDay,
}

/** The address below `/console`; empty for the first page. */
export function placeOf(told: Told): string {
  const { about, kind } = told
  const place = about && PLACES[kind]?.(about, told)
  return place === undefined ? '' : `/companies/${about?.company_id}${place}`
}

function dayOf({ all_day, starts_at, starts_clock }: CalendarEvent, zone: string): string {
  return all_day && starts_clock ? starts_clock.slice(0, 10) : localDay(zone, Date.parse(starts_at)).date
}
