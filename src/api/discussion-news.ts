import { follow } from '../domain/people/discussion-followers.ts'
import { notify, recordTimeline, type TIMELINE_KINDS } from '../domain/people/notifications.ts'
import type { Call } from './gate.ts'

interface Subject {
  id: number
  ref: string
  title: string
  project_id: number
}

/** Tells people of a new discussion or of a reply, and records it in the timeline. Whoever wrote it follows from now on. */
export async function announceDiscussion(
  call: Call,
  kind: (typeof TIMELINE_KINDS)[number],
  { id, ref, title, project_id }: Subject,
): Promise<void> {
  const { db, company, signer, enqueue } = call
  const subject = { type: 'discussion', id: ref, title, project_id } as const
  await notify(db, enqueue, company.id, signer.id, { kind, subject })
  await recordTimeline(db, call, kind, subject)
  await follow(call, id)
}
