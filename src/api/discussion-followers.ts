import sql, { type Sql } from 'sql-template-tag'
import type { Author, Scope } from '../domain/access/caller.ts'
import { notify, recordTimeline } from '../domain/notifications.ts'
import type { Call } from './gate.ts'
import { isAssignable } from './members.ts'

/** The people who follow a discussion from the start: everyone who can be assigned work in the project, except its author. */
export function firstFollowers({ company, signature }: Author, projectId: number): Sql {
  return sql`select u.id from users u where ${isAssignable(company.id, projectId)} and u.id <> ${signature.id}`
}

/** Makes the people whose ids a query returns follow a discussion. Those who already follow it are not affected. */
export async function addFollowers({ db, company }: Scope, discussionId: number, people: Sql): Promise<void> {
  await db.run(sql`
    insert into discussion_subscriptions (company_id, discussion_id, user_id)
    select ${company.id}, ${discussionId}, people.id from (${people}) people on conflict do nothing`)
}

/** Notifies the followers of a discussion of a reply, except people who have left the project. Its author follows from now on. */
export async function tellOfReply(
  call: Call,
  { id, ref, title, project_id }: { id: number; ref: string; title: string; project_id: number },
): Promise<void> {
  const { db, company, signature, enqueue } = call
  const audience = sql`
    select u.id from discussion_subscriptions s join users u on u.company_id = s.company_id and u.id = s.user_id
    where s.company_id = ${company.id} and s.discussion_id = ${id} and u.id <> ${signature.id}
      and ${isAssignable(company.id, project_id)}`
  const subject = { type: 'discussion', id: ref, title, project_id } as const
  await notify(db, enqueue, company.id, signature.id, { kind: 'discussion_replied', subject, audience })
  await recordTimeline(db, call, 'discussion_replied', subject)
  await addFollowers(call, id, sql`select ${signature.id}::bigint as id`)
}
