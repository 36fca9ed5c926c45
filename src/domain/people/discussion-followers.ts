import sql, { type Sql } from 'sql-template-tag'
import type { Scope } from '../access/caller.ts'
import { isAssignable } from './project-people.ts'

/** The people who follow a discussion from the start: everyone who can be assigned work in the project, except its author. */
export function firstFollowers(companyId: number, projectId: number, authorId: number): Sql {
  return sql`select u.id from users u where ${isAssignable(companyId, projectId)} and u.id <> ${authorId}`
}

/** Makes the people whose ids a query returns follow a discussion. Those who already follow it are not affected. */
export async function addFollowers({ db, company }: Scope, discussionId: number, people: Sql): Promise<void> {
  await db.run(sql`
    insert into discussion_subscriptions (company_id, discussion_id, user_id)
    select ${company.id}, ${discussionId}, people.id from (${people}) people on conflict do nothing`)
}
