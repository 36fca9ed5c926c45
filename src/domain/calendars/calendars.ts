import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { toTimestamp } from '../../db/instants.ts'
import { localDay } from '../../lib/zoned-time.ts'
import type { Enqueue, JobPayloads } from '../ports/job-queue.ts'
import { companyZone } from '../time/company-zone.ts'
import { hurryWaiting } from '../upkeep/stored-jobs.ts'
import { isParticipant, participantIds } from './event-people.ts'

/** Whether events reach a connected calendar: `failing` when none has for more than a day. */
export const CALENDAR_STATES = ['connected', 'failing'] as const

/** The purpose for which the password of a connection is encrypted. */
export function passwordPurpose(companyId: number, userId: number): string {
  return `calendar:${companyId}:${userId}`
}

/**
 * Queues the change of an event for every calendar that has it or should have it: those of its organizer and attendees, and
 * those of people who were among them. Call it in the transaction of the write, after the write.
 */
export function queueCalendarSync(tx: Db, enqueue: Enqueue, companyId: number, uid: string): Promise<void> {
  const people = sql`
    select p.user_id from events e cross join lateral (${participantIds}) p
    where e.company_id = ${companyId} and e.uid = ${uid}`
  const having = sql`select x.calendar_id from calendar_entries x where x.company_id = ${companyId} and x.uid = ${uid}`
  return queueEntries(
    tx,
    enqueue,
    companyId,
    sql`select c.id as calendar_id, ${uid}::text as uid from calendars c
        where c.company_id = ${companyId} and (c.user_id in (${people}) or c.id in (${having}))
        order by c.id for key share`,
  )
}

/**
 * Queues all upcoming events of the person for a new calendar. Entries that we put there before it was disconnected are taken
 * over, and removed if the person no longer takes part in the event.
 */
export async function queueConnectedCalendar(tx: Db, enqueue: Enqueue, calendar: ConnectedCalendar): Promise<void> {
  const { company_id, id, user_id } = calendar
  await holdPerson(tx, company_id, user_id)
  await takeOver(tx, calendar)
  await queueEntries(
    tx,
    enqueue,
    company_id,
    sql`select ${id}::bigint as calendar_id, e.uid from events e
        where e.company_id = ${company_id} and ${await isUpcoming(tx, company_id)} and ${isParticipant(user_id)} for share of e`,
  )
  await queueEntries(
    tx,
    enqueue,
    company_id,
    sql`select x.calendar_id, x.uid from calendar_entries x
        where x.company_id = ${company_id} and x.calendar_id = ${id} and not exists (
          select from events e where e.company_id = x.company_id and e.uid = x.uid and ${isParticipant(user_id)})`,
  )
}

/** Locks the person: writes of events with this person are either finished or wait until this transaction ends. */
async function holdPerson(tx: Db, companyId: number, userId: number): Promise<void> {
  await tx.run(sql`select from users where company_id = ${companyId} and id = ${userId} for update`)
}

export interface ConnectedCalendar {
  company_id: number
  id: number
  user_id: number
  url: string
}

async function takeOver(tx: Db, { company_id, id, user_id, url }: ConnectedCalendar): Promise<void> {
  await tx.run(sql`
    with known as (
      delete from disconnected_calendar_entries where company_id = ${company_id} and user_id = ${user_id} and url = ${url}
      returning uid, href, addresses)
    insert into calendar_entries (company_id, calendar_id, uid, href, addresses, synced_version)
    select ${company_id}, ${id}, uid, href, addresses, 1 from known`)
}

/**
 * Deletes a connection and its credentials, but remembers which entries it has put where. The calendar is locked: whoever adds
 * an entry has either finished or finds no calendar.
 */
export async function forgetCalendar(tx: Db, companyId: number, id: number): Promise<void> {
  const isIt = sql`c.company_id = ${companyId} and c.id = ${id}`
  await tx.run(sql`
    insert into disconnected_calendar_entries (company_id, user_id, url, uid, href, addresses)
    select c.company_id, c.user_id, c.url, x.uid, x.href, x.addresses
    from calendars c join calendar_entries x on x.company_id = c.company_id and x.calendar_id = c.id where ${isIt}
    on conflict (company_id, user_id, url, uid) do update set href = excluded.href, addresses = excluded.addresses`)
  await tx.run(sql`delete from calendars c where ${isIt}`)
}

interface PersonDetails {
  id: number
  name: string
  email: string
  active: boolean
}

/**
 * Events show the name and address of a person in all calendars that have them, so upcoming ones are updated; past events stay
 * as they were. A person who is active again gets what has changed meanwhile. Call it in the transaction of the write, after
 * the write.
 */
export async function queuePersonChange(
  tx: Db,
  enqueue: Enqueue,
  companyId: number,
  before: PersonDetails,
  after: PersonDetails,
): Promise<void> {
  if (before.name !== after.name || before.email !== after.email) {
    await holdPerson(tx, companyId, after.id)
    await queueEntries(
      tx,
      enqueue,
      companyId,
      sql`select c.id as calendar_id, x.uid from events e
          join calendar_entries x on x.company_id = e.company_id and x.uid = e.uid
          join calendars c on c.company_id = x.company_id and c.id = x.calendar_id
          where e.company_id = ${companyId} and ${await isUpcoming(tx, companyId)} and ${isParticipant(after.id)}
          order by c.id, x.uid for key share of c`,
    )
  }
  if (!before.active && after.active) await queueOwed(tx, enqueue, companyId, sql`c.user_id = ${after.id}`)
}

/**
 * Has everything done at once that is owed to some of a company's calendars. What waits for another attempt gets no second job:
 * where a connection fails and works again all the time, there would be more of them each time.
 */
export async function queueOwed(tx: Db, enqueue: Enqueue, companyId: number, calendars: Sql): Promise<void> {
  const owed = await tx.many<JobPayloads['sync-calendar']>(sql`
    with wanted as materialized (
      select x.company_id, x.calendar_id, x.uid,
        jsonb_build_object('company_id', x.company_id, 'calendar_id', x.calendar_id, 'uid', x.uid) as payload
      from calendars c join calendar_entries x on x.company_id = c.company_id and x.calendar_id = c.id
      where c.company_id = ${companyId} and ${calendars} and x.synced_version < x.version
    ), hurried as (${hurryWaiting('sync-calendar', companyId, sql`wanted`)})
    select company_id, calendar_id, uid from wanted where payload not in (select payload from hurried)`)
  await enqueue(tx, 'sync-calendar', owed)
}

/** From the beginning of today in the company's time zone, at which an all-day event whose last day is today may end. */
async function isUpcoming(tx: Db, companyId: number): Promise<Sql> {
  const zone = await companyZone(tx, companyId)
  const today = toTimestamp(localDay(zone, Date.now()).startsAt)
  return sql`(e.ends_at > ${today} or e.starts_at >= ${today} or (e.all_day and e.ends_at >= ${today}))`
}

/** Records what has to be synced and enqueues it. What is recorded but not done is enqueued again later. */
async function queueEntries(tx: Db, enqueue: Enqueue, companyId: number, entries: Sql): Promise<void> {
  // Raising the version also locks the entry: a worker that is about to delete it sees that it is needed after all.
  const owed = await tx.many<{ calendar_id: number; uid: string }>(sql`
    insert into calendar_entries as x (company_id, calendar_id, uid)
    select ${companyId}, owed.calendar_id, owed.uid from (${entries}) owed
    on conflict (company_id, calendar_id, uid) do update set version = x.version + 1,
      owed_since = case when x.synced_version < x.version then x.owed_since else now() end
    returning x.calendar_id, x.uid`)
  await enqueue(
    tx,
    'sync-calendar',
    owed.map(entry => ({ company_id: companyId, ...entry })),
  )
}
