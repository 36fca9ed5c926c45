import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import type { Caller } from './caller.ts'
import type { Enqueue } from './jobs.ts'

export interface Subject {
  type: 'discussion'
  /** The ref. */
  id: string
  title: string
  project_id: number
}

interface Notice {
  kind: 'discussion_created'
  subject: Subject
  /** The ids of the people to be told, as a query. */
  audience: Sql
}

/** Stores a notification for each person of the audience, and has each delivered, in the transaction of the write. */
export async function notify(
  tx: Db,
  enqueue: Enqueue,
  { company, signature }: Caller,
  { kind, subject, audience }: Notice,
) {
  const notified = await tx.many<{ id: number }>(sql`
    insert into notifications (company_id, kind, user_id, project_id, actor_id, subject_type, subject_id, subject_title)
    select ${company.id}, ${kind}, audience.id, ${subject.project_id}, ${signature.id}, ${subject.type}, ${subject.id}, ${subject.title}
    from (${audience}) audience
    returning id`)
  await enqueue(
    tx,
    'mail-notification',
    notified.map(({ id }) => ({ company_id: company.id, notification_id: id })),
  )
}

export async function recordTimeline(
  tx: Db,
  { company, signature }: Caller,
  kind: Notice['kind'],
  subject: Subject,
): Promise<void> {
  await tx.run(sql`
    insert into timeline_entries (company_id, kind, project_id, subject_type, subject_id, subject_title, actor_id)
    values (${company.id}, ${kind}, ${subject.project_id}, ${subject.type}, ${subject.id}, ${subject.title}, ${signature.id})`)
}
