import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import type { Caller } from '../access/caller.ts'
import type { CalendarEvent } from '../calendars/icalendar.ts'
import type { Enqueue } from '../ports/job-queue.ts'
import type { RecordKind } from '../records/records.ts'

/** The fields of an event whose changes people are notified of. */
export type EventBefore = Pick<
  CalendarEvent,
  'name' | 'starts_at' | 'ends_at' | 'all_day' | 'starts_clock' | 'ends_clock' | 'meeting_url'
>

/** What people can be told of: some kinds of records, and what belongs to a person or to the company. */
export const SUBJECT_TYPES = [
  ...(['discussion', 'event', 'file'] as const satisfies RecordKind[]),
  ...(['calendar', 'company', 'webhook'] as const),
] as const

export interface Subject {
  type: (typeof SUBJECT_TYPES)[number]
  /** The ref, or the number if it has no ref. */
  id: string
  title: string
  project_id: number | null
}

/** Every kind of notification. The compiler requires texts for each in every language, and how its mail is handled. */
export const NOTIFICATION_KINDS = [
  'discussion_created',
  'discussion_replied',
  'file_infected',
  'file_unscanned',
  'calendar_connected',
  'calendar_disconnected',
  'calendar_failing',
  'webhook_failing',
  'webhook_switched_off',
  'invitation',
  'event_invited',
  'event_changed',
  'event_removed',
  'event_cancelled',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]
/** The kinds that the timeline of a company shows. */
export const TIMELINE_KINDS = ['discussion_created', 'discussion_replied'] as const

export type InvitationKind = Extract<NotificationKind, `event_${string}`>

/** The kinds whose audience follows from a rule (`jobs/audiences.ts`). Any other notice names its recipients. */
export type RuledKind = Extract<NotificationKind, `discussion_${string}` | `webhook_${string}`>
export type NamedKind = Exclude<NotificationKind, RuledKind>

type Notice = {
  subject: Subject
  event?: CalendarEvent
  event_before?: EventBefore
} & ({ kind: RuledKind; recipients?: undefined } | { kind: NamedKind; recipients: number[] })

/**
 * Stores what people are told of, in the transaction of the write, and one job. The job adds a notification for each of them
 * later, so the write costs the same however many they are.
 */
export async function notify(
  tx: Db,
  enqueue: Enqueue,
  companyId: number,
  actorId: number,
  { kind, subject, recipients, event, event_before }: Notice,
): Promise<void> {
  const { id, job_id } = await tx.one<{ id: number; job_id: string }>(sql`
    insert into notices (company_id, kind, project_id, actor_id, subject_type, subject_id, subject_title, recipients, event, event_before)
    values (${companyId}, ${kind}, ${subject.project_id}, ${actorId}, ${subject.type}, ${subject.id}, ${subject.title},
            ${recipients ?? null}::bigint[], ${toJson(event)}::jsonb, ${toJson(event_before)}::jsonb)
    returning id, job_id`)
  await enqueue(tx, 'notify-people', [{ company_id: companyId, notice_id: id }], [job_id])
}

function toJson(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

export async function recordTimeline(
  tx: Db,
  { company, signer }: Caller,
  kind: (typeof TIMELINE_KINDS)[number],
  subject: Subject,
): Promise<void> {
  await tx.run(sql`
    insert into timeline_entries (company_id, kind, project_id, subject_type, subject_id, subject_title, actor_id)
    values (${company.id}, ${kind}, ${subject.project_id}, ${subject.type}, ${subject.id}, ${subject.title}, ${signer.id})`)
}
