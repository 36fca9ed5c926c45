import sql, { type Sql } from 'sql-template-tag'
import type { Author, Scope } from '../access/caller.ts'
import { isAssignable } from './project-people.ts'

/** What follows FROM, for the people `u` who follow the discussions `d` of a company. Who no longer sees a project follows nothing in it; leaders see all. */
export function followed(companyId: number): Sql {
  return sql`discussion_subscriptions s
    join discussions d on d.company_id = s.company_id and d.id = s.discussion_id
    join users u on u.company_id = s.company_id and u.id = s.user_id
    where s.company_id = ${companyId} and u.active and (u.role <> 'member' or ${isAssignable(companyId, sql`d.project_id`)})`
}

/** The people who are told of a new discussion, and follow it: everyone who can be assigned work in the project. Its author follows it anyway. */
export function firstFollowers(companyId: number, projectId: number, authorId: number): Sql {
  return sql`select u.id from users u where ${isAssignable(companyId, projectId)} and u.id <> ${authorId}`
}

/** Makes whoever opens a discussion, or replies to it, follow it. */
export function follow(author: Author, discussionId: number): Promise<void> {
  return addFollowers(author, discussionId, sql`select ${author.signer.id}::bigint as id`)
}

/** Makes the people whose ids a query returns follow a discussion. Those who already follow it are not affected. */
export async function addFollowers({ db, company }: Scope, discussionId: number, people: Sql): Promise<void> {
  await db.run(sql`
    insert into discussion_subscriptions (company_id, discussion_id, user_id)
    select ${company.id}, ${discussionId}, people.id from (${people}) people on conflict do nothing`)
}
