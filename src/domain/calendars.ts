import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import type { Enqueue } from './jobs.ts'

/** What the password of a connection was encrypted for. */
export function passwordPurpose(companyId: number, userId: number): string {
  return `calendar:${companyId}:${userId}`
}

/**
 * Has a change of an event carried over to every calendar that has it or should: those of its organizer and attendees,
 * and those of people who were among them. In the transaction of the write, after it has been written.
 */
export function queueCalendarSync(tx: Db, enqueue: Enqueue, companyId: number, uid: string): Promise<void> {
  const people = sql`
    select e.organizer_id from events e where e.company_id = ${companyId} and e.uid = ${uid}
    union all select a.user_id from events e
      join event_attendees a on a.company_id = e.company_id and a.event_id = e.id
      where e.company_id = ${companyId} and e.uid = ${uid}`
  const having = sql`select x.calendar_id from calendar_entries x where x.company_id = ${companyId} and x.uid = ${uid}`
  return owe(
    tx,
    enqueue,
    companyId,
    sql`select c.id as calendar_id, ${uid}::text as uid from calendars c
        where c.company_id = ${companyId} and (c.user_id in (${people}) or c.id in (${having}))
        order by c.id for key share`,
  )
}

/** Has everything put into a new calendar that its person still has before them. */
export function queueUpcomingEvents(
  tx: Db,
  enqueue: Enqueue,
  companyId: number,
  calendarId: number,
  userId: number,
): Promise<void> {
  return owe(
    tx,
    enqueue,
    companyId,
    sql`select ${calendarId}::bigint as calendar_id, e.uid from events e
        where e.company_id = ${companyId} and e.ends_at >= now() and (e.organizer_id = ${userId}
          or exists (select from event_attendees a where a.company_id = e.company_id and a.event_id = e.id and a.user_id = ${userId}))`,
  )
}

/** Notes what has to be carried over and asks for it. What is noted and not done is asked for again later. */
async function owe(tx: Db, enqueue: Enqueue, companyId: number, entries: Sql): Promise<void> {
  // Raising the count also holds the entry: a worker that is about to forget it sees that it is wanted after all.
  const owed = await tx.many<{ calendar_id: number; uid: string }>(sql`
    insert into calendar_entries as x (company_id, calendar_id, uid)
    select ${companyId}, owed.calendar_id, owed.uid from (${entries}) owed
    on conflict (company_id, calendar_id, uid) do update set changes = x.changes + 1
    returning x.calendar_id, x.uid`)
  await enqueue(
    tx,
    'sync-calendar',
    owed.map(entry => ({ company_id: companyId, ...entry })),
  )
}
