import sql from 'sql-template-tag'
import { addFollowers } from '../domain/people/discussion-followers.ts'
import { notify, recordTimeline, type TIMELINE_KINDS } from '../domain/people/notifications.ts'
import type { Call } from './gate.ts'

interface Subject {
  ref: string
  title: string
  project_id: number
}

/** Tells people of a new discussion or of a reply, and records it in the timeline. */
export async function announceDiscussion(
  call: Call,
  kind: (typeof TIMELINE_KINDS)[number],
  { ref, title, project_id }: Subject,
): Promise<void> {
  const { db, company, signature, enqueue } = call
  const subject = { type: 'discussion', id: ref, title, project_id } as const
  await notify(db, enqueue, company.id, signature.id, { kind, subject })
  await recordTimeline(db, call, kind, subject)
}

/** Those who follow the discussion are told of the reply; whoever wrote it follows from now on. */
export async function announceReply(call: Call, discussion: Subject & { id: number }): Promise<void> {
  await announceDiscussion(call, 'discussion_replied', discussion)
  await addFollowers(call, discussion.id, sql`select ${call.signature.id}::bigint as id`)
}
