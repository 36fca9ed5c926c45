import sql, { type Sql } from 'sql-template-tag'
import { firstFollowers, followed } from '../domain/people/discussion-followers.ts'
import type { NotificationKind, RuledKind } from '../domain/people/notifications.ts'

export interface Notice {
  company_id: number
  kind: NotificationKind
  project_id: number
  actor_id: number
  /** Set if the notice is about a discussion. */
  discussion_id: number
  recipients: number[] | null
}

const AUDIENCES: Record<RuledKind, (notice: Notice) => Sql> = {
  discussion_created: ({ company_id, project_id, actor_id }) => firstFollowers(company_id, project_id, actor_id),
  discussion_replied: followers,
  webhook_failing: keyManagers,
  webhook_switched_off: keyManagers,
}

/** A query for the ids of those who are told of a notice: the named ones, or those who the rule of its kind says. */
export function audienceOf(notice: Notice): Sql {
  if (notice.recipients) return sql`select unnest(${notice.recipients}::bigint[]) as id`
  return AUDIENCES[notice.kind as RuledKind](notice)
}

/** The followers of a discussion, except whoever replied. */
function followers({ company_id, discussion_id, actor_id }: Notice): Sql {
  return sql`select u.id from ${followed(company_id)} and s.discussion_id = ${discussion_id} and u.id <> ${actor_id}`
}

/** Everybody who may change a webhook. */
function keyManagers({ company_id }: Notice): Sql {
  return sql`select u.id from users u
    where u.company_id = ${company_id} and u.active and (u.role = 'owner' or u.can_manage_api_keys)`
}
