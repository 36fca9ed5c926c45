import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import type { CalendarEvent } from '../lib/icalendar.ts'
import type { Caller } from './caller.ts'
import type { Enqueue } from './jobs.ts'

export interface Subject {
  type: 'discussion' | 'event' | 'file' | 'calendar'
  /** The ref, or the number of what has none. */
  id: string
  title: string
  project_id: number | null
}

export type InvitationKind = 'event_invited' | 'event_changed' | 'event_removed' | 'event_cancelled'
export type NotificationKind =
  | 'discussion_created'
  | 'file_infected'
  | 'file_unscanned'
  | 'calendar_failing'
  | InvitationKind

interface Notice {
  kind: NotificationKind
  subject: Subject
  /** The ids of the people to be told, as a query. */
  audience: Sql
  event?: CalendarEvent
}

/** Stores a notification for each person of the audience, and has each delivered, in the transaction of the write. */
export async function notify(
  tx: Db,
  enqueue: Enqueue,
  companyId: number,
  actorId: number,
  { kind, subject, audience, event }: Notice,
): Promise<void> {
  const notified = await tx.many<{ id: number }>(sql`
    insert into notifications (company_id, kind, user_id, project_id, actor_id, subject_type, subject_id, subject_title, event)
    select ${companyId}, ${kind}, audience.id, ${subject.project_id}, ${actorId}, ${subject.type}, ${subject.id},
      ${subject.title}, ${event === undefined ? null : JSON.stringify(event)}::jsonb
    from (${audience}) audience
    returning id`)
  await enqueue(
    tx,
    'mail-notification',
    notified.map(({ id }) => ({ company_id: companyId, notification_id: id })),
  )
}

export async function recordTimeline(
  tx: Db,
  { company, signature }: Caller,
  kind: 'discussion_created',
  subject: Subject,
): Promise<void> {
  await tx.run(sql`
    insert into timeline_entries (company_id, kind, project_id, subject_type, subject_id, subject_title, actor_id)
    values (${company.id}, ${kind}, ${subject.project_id}, ${subject.type}, ${subject.id}, ${subject.title}, ${signature.id})`)
}
