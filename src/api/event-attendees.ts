import sql from 'sql-template-tag'
import { unprocessable } from '../domain/errors.ts'
import { say } from '../domain/sentences/sentences.ts'
import type { Call } from './gate.ts'

/** The people with these email addresses, or 422 naming the first that nobody has. Current attendees stay, even after leaving. */
export async function findAttendees(
  { db, company }: Call,
  emails: string[],
  eventId: number | null,
): Promise<number[]> {
  const people = await db.many<{ email: string; id: number | null }>(sql`
    select wanted.email, u.id from unnest(${emails}::text[]) with ordinality wanted (email, place)
    left join users u on u.company_id = ${company.id} and lower(u.email) = lower(wanted.email) and (u.active or exists (
      select from event_attendees a where a.company_id = u.company_id and a.event_id = ${eventId} and a.user_id = u.id))
    order by wanted.place`)
  const ids = people.map(({ email, id }) => {
    if (id === null)
      throw unprocessable('attendee_emails', say('has {email}, who is not an active person of the company', { email }))
    return id
  })
  return [...new Set(ids)]
}

export async function replaceAttendees({ db, company }: Call, eventId: number, userIds: number[]) {
  const removed = await db.many<{ user_id: number }>(sql`
    delete from event_attendees where company_id = ${company.id} and event_id = ${eventId} and user_id <> all(${userIds}::bigint[]) returning user_id`)
  const added = await db.many<{ user_id: number }>(sql`
    insert into event_attendees (company_id, event_id, user_id) select ${company.id}, ${eventId}, unnest(${userIds}::bigint[])
    on conflict do nothing returning user_id`)
  return { added: added.map(row => row.user_id), removed: removed.map(row => row.user_id) }
}

export async function attendeeIds({ db, company }: Call, eventId: number): Promise<number[]> {
  const rows = await db.many<{ user_id: number }>(sql`
    select user_id from event_attendees where company_id = ${company.id} and event_id = ${eventId}`)
  return rows.map(row => row.user_id)
}
