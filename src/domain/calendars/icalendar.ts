import ical, {
  type ICalAttendeeScheduleAgent,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
} from 'ical-generator'

/** An event as it is sent to other calendars. */
export interface CalendarEvent {
  uid: string
  sequence: number
  name: string
  description: string | null
  starts_at: string
  ends_at: string
  all_day: boolean
  /** The clock times of an all-day event, which lasts from the day of the first to the day of the second, whatever their hours. */
  starts_clock: string | null
  ends_clock: string | null
  meeting_url: string | null
  organizer: { name: string; email: string }
  attendees: { name: string; email: string }[]
  /** For a cancellation sent to people who were removed from an event that still takes place: they are its only attendees. */
  uninvited?: boolean
}

/** REQUEST and CANCEL are for mail; an event stored on a calendar server has no method. */
export type CalendarMethod = 'REQUEST' | 'CANCEL' | undefined

/**
 * Marks an organizer who is also invited. Many programs list the organizer among the attendees by themselves, so without it
 * nobody could tell whose line it was once the organizer is off the list.
 */
export const INVITED_BY_US = 'X-DIWAN-INVITED'

export function toICalendar(event: CalendarEvent, method: CalendarMethod): string {
  const calendar = ical({ prodId: '//Diwan//Diwan//EN', method: method && ICalCalendarMethod[method] })
  const days = event.all_day ? daysOf(event.starts_clock as string, event.ends_clock as string) : undefined
  calendar.createEvent({
    id: event.uid,
    sequence: event.sequence,
    summary: event.name,
    description: event.description,
    start: days ? days.first : instant(event.starts_at),
    end: days ? days.after : instant(event.ends_at),
    allDay: event.all_day,
    location: event.meeting_url,
    // The library escapes a URL as if it were text; what it would escape is left to the URL's own escapes.
    url: event.meeting_url?.replace(/[\\,;]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`),
    organizer: named(event.organizer),
    attendees: event.attendees.map(person => ({
      ...named(person),
      rsvp: true,
      status: ICalAttendeeStatus.NEEDSACTION,
      // They are invited by us: the server that stores the event must not invite them a second time.
      scheduleAgent: method === undefined ? ('CLIENT' as ICalAttendeeScheduleAgent) : null,
      ...(method === undefined && person.email === event.organizer.email && { x: { [INVITED_BY_US]: 'TRUE' } }),
    })),
    status: statusOf(event, method),
    timezone: null,
  })
  // The library leaves the last line open.
  return `${calendar}\r\n`
}

/** A status would cancel the event for everyone (RFC 5546, 3.2.5). */
function statusOf({ uninvited }: CalendarEvent, method: CalendarMethod): ICalEventStatus | null {
  if (method !== 'CANCEL') return ICalEventStatus.CONFIRMED
  return uninvited ? null : ICalEventStatus.CANCELLED
}

/** A parameter of iCalendar cannot hold a double quote in any notation. */
function named({ name, email }: { name: string; email: string }) {
  return { name: name.replace(/"/g, "'"), email }
}

// A year has four digits in iCalendar.
const LAST_DAY = Date.parse('9999-12-31T00:00:00Z')
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59Z')

function instant(text: string): Date {
  return new Date(Math.min(Date.parse(text), LAST_INSTANT))
}

/** The first day, and the one after the last. */
function daysOf(startsClock: string, endsClock: string): { first: Date; after: Date | null } {
  const first = new Date(`${startsClock.slice(0, 10)}T00:00:00Z`)
  const after = new Date(`${endsClock.slice(0, 10)}T00:00:00Z`)
  after.setUTCDate(after.getUTCDate() + 1)
  const end = new Date(Math.min(after.getTime(), LAST_DAY))
  // An event without an end lasts the one day on which it begins.
  return { first, after: end > first ? end : null }
}
