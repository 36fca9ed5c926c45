import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import type { Caller } from '../access/caller.ts'
import { type EventBefore, type InvitationKind, notify } from '../people/notifications.ts'
import type { Enqueue } from '../ports/job-queue.ts'
import { attendees, eventsWithOrganizer, isParticipant, participantIds } from './event-people.ts'
import type { CalendarEvent } from './icalendar.ts'

const columns = sql`
  e.uid, e.sequence, e.name, e.description, e.starts_at, e.ends_at, e.all_day, e.starts_clock, e.ends_clock, e.meeting_url,
  json_build_object('name', o.name, 'email', o.email) as organizer, ${attendees} as attendees`

export function snapshotOf(tx: Db, companyId: number, eventId: number): Promise<CalendarEvent> {
  return tx.one(
    sql`select ${columns} from ${eventsWithOrganizer} where e.company_id = ${companyId} and e.id = ${eventId}`,
  )
}

/** The addresses of people by their id. */
export type Addresses = Record<string, string>

/** The event as it is now, if this person organizes it or is invited to it. */
export function snapshotFor(
  db: Db,
  companyId: number,
  userId: number,
  uid: string,
): Promise<(CalendarEvent & { addresses: Addresses }) | undefined> {
  return db.maybe(sql`
    select ${columns}, (select json_object_agg(u.id, lower(u.email)) from (${participantIds}) p
      join users u on u.company_id = e.company_id and u.id = p.user_id) as addresses
    from ${eventsWithOrganizer} where e.company_id = ${companyId} and e.uid = ${uid} and ${isParticipant(userId)}`)
}

/** Tells people of an event, in the transaction of the write. The organizer is not told. */
export async function notifyAttendees(
  tx: Db,
  enqueue: Enqueue,
  caller: Caller,
  kind: InvitationKind,
  event: { id: number; name: string },
  snapshot: CalendarEvent,
  userIds: number[],
  before?: CalendarEvent,
): Promise<void> {
  const others = userIds.filter(id => id !== caller.signer.id)
  if (others.length === 0) return
  await notify(tx, enqueue, caller.company.id, caller.signer.id, {
    kind,
    subject: { type: 'event', id: String(event.id), title: event.name, project_id: null },
    recipients: others,
    event: snapshot,
    ...(before && { event_before: comparedFields(before) }),
  })
}

/** Only what is compared: there may be hundreds of attendees, which need not be stored again. */
function comparedFields({
  name,
  starts_at,
  ends_at,
  all_day,
  starts_clock,
  ends_clock,
  meeting_url,
}: CalendarEvent): EventBefore {
  return { name, starts_at, ends_at, all_day, starts_clock, ends_clock, meeting_url }
}

/** Cancels an event for people who were removed from it. */
export function notifyUninvited(
  tx: Db,
  enqueue: Enqueue,
  caller: Caller,
  event: { id: number; name: string },
  snapshot: CalendarEvent,
  userIds: number[],
): Promise<void> {
  const nobody = { ...snapshot, attendees: [], uninvited: true }
  return notifyAttendees(tx, enqueue, caller, 'event_removed', event, nobody, userIds)
}

/** The event that one person is told of. Who was removed from it sees no other attendee: for the others the event goes on. */
export function eventAsSeenBy(event: CalendarEvent, { name, email }: { name: string; email: string }): CalendarEvent {
  return event.uninvited ? { ...event, attendees: [{ name, email }] } : event
}
