import { randomUUID } from 'node:crypto'
import sql, { empty, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { assignments } from '../db/assignments.ts'
import { toTimestamp } from '../db/instants.ts'
import type { Author } from '../domain/access/caller.ts'
import { queueCalendarSync } from '../domain/calendars/calendars.ts'
import { notifyAttendees, notifyUninvited, snapshotOf } from '../domain/calendars/event-invitations.ts'
import { attendees, eventsWithOrganizer, isParticipant } from '../domain/calendars/event-people.ts'
import { forbidden, orNotFound } from '../domain/errors.ts'
import { lockForWrite } from '../domain/records/locks.ts'
import { showInstant } from '../domain/time/dates.ts'
import { HijriDates, HijriFilters } from '../http/answers/hijri.ts'
import { page } from '../http/answers/pagination.ts'
import {
  Changes,
  Collection,
  Deleted,
  Id,
  Instant,
  Name,
  Nullable,
  Paging,
  Single,
  Text,
} from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { attendeeIds, findAttendees, replaceAttendees } from './event-attendees.ts'
import { changeTimes, type EventTimes, readPeriod, readTimes } from './event-times.ts'
import { type Call, endpoint } from './gate.ts'

export const Event = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    description: Nullable(Type.String()),
    starts_at: Instant({ description: 'With the offset of the company zone' }),
    ends_at: Instant({ description: 'Of an all-day event: on its last day' }),
    all_day: Type.Boolean(),
    meeting_url: Nullable(Type.String()),
    organizer: Nullable(Type.String({ description: 'Only the organizer may edit' })),
    organizer_email: Nullable(Type.String()),
    attendees: Type.Array(Type.Object({ name: Type.String(), email: Type.String({ format: 'email' }) })),
    hijri: HijriDates('starts_at', 'ends_at'),
  },
  {
    title: 'Event',
    examples: [
      {
        id: 5,
        name: 'زيارة الموقع',
        description: null,
        starts_at: '2026-12-01T10:00:00+03:00',
        ends_at: '2026-12-01T11:30:00+03:00',
        all_day: false,
        meeting_url: 'https://meet.example.com/site',
        organizer: 'Layla Haddad',
        organizer_email: 'layla@example.com',
        attendees: [{ name: 'Omar Aziz', email: 'omar@example.com' }],
      },
    ],
  },
)
type EventAnswer = Type.Static<typeof Event>

const NewEvent = Type.Object(
  {
    name: Name(),
    description: Type.Optional(Nullable(Text())),
    starts_at: Name({ maxLength: 64, description: 'ISO 8601; without an offset in the company zone' }),
    ends_at: Name({ maxLength: 64, description: 'Not before starts_at; of an all-day event the last day' }),
    all_day: Type.Optional(Type.Boolean()),
    meeting_url: Type.Optional(Nullable(Type.String({ maxLength: 2_048, format: 'uri' }))),
    attendee_emails: Type.Optional(
      Type.Array(Type.String({ maxLength: 254 }), {
        maxItems: 500,
        description: 'E-mail addresses of people in the company; replaces the whole list',
      }),
    ),
  },
  {
    examples: [
      {
        name: 'زيارة الموقع',
        starts_at: '2026-12-01T10:00',
        ends_at: '2026-12-01T11:30',
        attendee_emails: ['omar@example.com'],
      },
    ],
  },
)

const columns = sql`e.id, e.name, e.description, e.starts_at, e.ends_at, e.all_day, e.meeting_url, o.name as organizer,
  o.email as organizer_email, ${attendees} as attendees`

/** A key sees the calendar of the person it signs as: what that person organizes or is invited to. */
const isAccessible = ({ company, signer }: Call) => sql`e.company_id = ${company.id} and ${isParticipant(signer.id)}`

/** The condition that `e` is the event that the URL names. */
const isEvent = (call: Call) => sql`${isAccessible(call)} and e.id = ${requirePathId(call.params.event)}`

interface EventRow extends EventTimes {
  id: number
  name: string
  meeting_url: string | null
  organizer_id: number
}

async function findEvent(call: Call): Promise<EventRow> {
  const { db, company, params } = call
  const id = requirePathId(params.event)
  // The attendees are in other rows, so the event is locked before it is read.
  await lockForWrite(call, sql`select from events where company_id = ${company.id} and id = ${id} for update`)
  return orNotFound(
    db.maybe<EventRow>(sql`
    select e.id, e.name, e.starts_at, e.ends_at, e.all_day, e.starts_clock, e.ends_clock, e.meeting_url, e.organizer_id
    from ${eventsWithOrganizer} where ${isEvent(call)}`),
  )
}

function requireOrganizer({ signer }: Call, event: EventRow): void {
  if (event.organizer_id !== signer.id) throw forbidden('Only the organizer may change an event.')
}

function toAnswer({ company }: Call, event: EventAnswer): EventAnswer {
  const inZone = (instant: string) => showInstant(Date.parse(instant), company.time_zone)
  return { ...event, starts_at: inZone(event.starts_at), ends_at: inZone(event.ends_at) }
}

async function showEvent(call: Call, condition: Sql): Promise<EventAnswer> {
  const { db, company } = call
  const event = await orNotFound(
    db.maybe<EventAnswer>(
      sql`select ${columns} from ${eventsWithOrganizer} where e.company_id = ${company.id} and ${condition}`,
    ),
  )
  return toAnswer(call, event)
}

export const listEvents = endpoint({
  name: 'list_events',
  tool: 'list_events',
  since: '1.2.0',
  operation: 'events:read',
  summary: 'List events',
  description:
    'Events that the creator of the key organizes or is invited to, ordered by start. Only from today onwards, unless `from`, `to` or `include_past` says otherwise.',
  method: 'GET',
  at: ['/events'],
  query: Type.Object({
    from: Type.Optional(Type.String({ description: 'ISO 8601 date or time; lower bound on the start, included' })),
    to: Type.Optional(Type.String({ description: 'ISO 8601 date or time; upper bound on the start, included' })),
    ...HijriFilters('from', 'to'),
    include_past: Type.Boolean({ default: false }),
    ...Paging,
  }),
  refusesQuery: true,
  returns: Collection(Event),
  run: call => pageOfEvents(call, call.query, from => sql`e.starts_at >= ${from}`),
})

/** A page of the caller's events. They start before the end of the period; `since` says what they must not lie before. */
export async function pageOfEvents(
  call: Call,
  query: Parameters<typeof readPeriod>[1] & Parameters<typeof page>[1],
  since: (from: string) => Sql,
) {
  const { from, before } = readPeriod(call.company.time_zone, query)
  const { data, meta } = await page<EventAnswer>(call.db, query, {
    columns,
    from: sql`${eventsWithOrganizer} where ${isAccessible(call)} ${from === null ? empty : sql`and ${since(toTimestamp(from))}`}
              ${before === null ? empty : sql`and e.starts_at < ${toTimestamp(before)}`}`,
    order: [ascending(sql`e.starts_at`, 'timestamptz'), ascending(sql`e.id`)],
  })
  return { data: data.map(event => toAnswer(call, event)), meta }
}

export const createEvent = endpoint({
  name: 'create_event',
  tool: 'create_event',
  since: '1.2.0',
  operation: 'events:write',
  summary: 'Create an event',
  description:
    'The creator of the key is the organizer. Attendees are notified, and the event is added to connected calendars.',
  method: 'POST',
  at: ['/events'],
  body: NewEvent,
  status: 201,
  returns: Single(Event),
  async run(call) {
    const { db, company, enqueue, body } = call
    const { name, description = null, meeting_url = null, attendee_emails = [] } = body
    const times = readTimes(company.time_zone, body)
    const invited = await findAttendees(call, attendee_emails, null)
    const event = await addEvent(call, { name, description, meeting_url, ...times })
    await replaceAttendees(call, event.id, invited)
    const snapshot = await snapshotOf(db, company.id, event.id)
    await notifyAttendees(db, enqueue, call, 'event_invited', event, snapshot, invited)
    await queueCalendarSync(db, enqueue, company.id, snapshot.uid)
    return { data: await showEvent(call, sql`e.id = ${event.id}`) }
  },
})

interface NewEventColumns extends EventTimes {
  name: string
  description: string | null
  meeting_url: string | null
}

export function addEvent(
  { db, company, signer }: Author,
  { name, description, all_day, meeting_url, starts_at, ends_at, starts_clock, ends_clock }: NewEventColumns,
): Promise<{ id: number; name: string }> {
  return db.one(sql`
    insert into events (company_id, uid, name, description, starts_at, ends_at, all_day, starts_clock, ends_clock, meeting_url, organizer_id)
    values (${company.id}, ${`${randomUUID()}@diwan`}, ${name}, ${description}, ${starts_at}, ${ends_at}, ${all_day},
            ${starts_clock}, ${ends_clock}, ${meeting_url}, ${signer.id}) returning id, name`)
}

export const getEvent = endpoint({
  name: 'get_event',
  since: '1.2.0',
  operation: 'events:read',
  summary: 'Get an event',
  method: 'GET',
  at: ['/events/:event'],
  returns: Single(Event),
  run: async call => ({ data: await showEvent(call, isEvent(call)) }),
})

export const updateEvent = endpoint({
  name: 'update_event',
  tool: 'update_event',
  since: '1.2.0',
  operation: 'events:write',
  summary: 'Update an event',
  description:
    'Only the organizer can do it. `attendee_emails`, if sent, replaces the whole list. Everyone who is added, removed or affected is notified.',
  method: 'PATCH',
  at: ['/events/:event'],
  find: findEvent,
  policy: requireOrganizer,
  body: Changes(NewEvent),
  returns: Single(Event),
  async run(call, event) {
    const { db, company, enqueue, body } = call
    const { attendee_emails, ...fields } = body
    if (Object.keys(body).length === 0) return { data: await showEvent(call, sql`e.id = ${event.id}`) }
    const before = await snapshotOf(db, company.id, event.id)
    const times = changeTimes(company.time_zone, event, fields)
    const invited = attendee_emails && (await findAttendees(call, attendee_emails, event.id))
    await db.run(sql`update events set ${assignments({ ...fields, ...times, sequence: sql`sequence + 1` })}
                     where company_id = ${company.id} and id = ${event.id}`)
    const { added, removed } = invited ? await replaceAttendees(call, event.id, invited) : { added: [], removed: [] }

    const after = await snapshotOf(db, company.id, event.id)
    const subject = { id: event.id, name: after.name }
    await notifyAttendees(db, enqueue, call, 'event_invited', subject, after, added)
    await notifyUninvited(db, enqueue, call, subject, { ...before, sequence: after.sequence }, removed)
    if (AFFECTING.some(field => before[field] !== after[field])) {
      const staying = (await attendeeIds(call, event.id)).filter(id => !added.includes(id))
      await notifyAttendees(db, enqueue, call, 'event_changed', subject, after, staying, before)
    }
    await queueCalendarSync(db, enqueue, company.id, after.uid)
    return { data: await showEvent(call, sql`e.id = ${event.id}`) }
  },
})

/** Changes of these are notified to attendees. */
const AFFECTING = ['name', 'starts_at', 'ends_at', 'all_day', 'meeting_url'] as const

export const deleteEvent = endpoint({
  name: 'delete_event',
  since: '1.3.0',
  operation: 'events:destructive',
  summary: 'Delete an event',
  description:
    'Permanent; only the organizer can do it. Attendees are notified, and the event is removed from connected calendars.',
  method: 'DELETE',
  at: ['/events/:event'],
  find: findEvent,
  policy: requireOrganizer,
  returns: Deleted({ event: Type.Object({ id: Id(), name: Type.String() }) }),
  async run(call, { id, name }) {
    const { db, company, enqueue } = call
    const snapshot = await snapshotOf(db, company.id, id)
    const invited = await attendeeIds(call, id)
    await db.run(sql`delete from events where company_id = ${company.id} and id = ${id}`)
    call.audit({ target: { type: 'event', id, name } })
    const cancelled = { ...snapshot, sequence: snapshot.sequence + 1 }
    await notifyAttendees(db, enqueue, call, 'event_cancelled', { id, name }, cancelled, invited)
    await queueCalendarSync(db, enqueue, company.id, snapshot.uid)
    return { data: { deleted: true, event: { id, name } } }
  },
})
