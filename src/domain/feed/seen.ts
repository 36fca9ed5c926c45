import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { isOpenTo, type Viewer } from '../access/sight.ts'
import { isLive } from '../people/console-sessions.ts'
import type { ChangeEntry } from './entry.ts'

// What a member sees of the feed: the entries of projects that are open to them now. A task that was moved out of their sight
// is deleted as far as they can tell.

/** The condition that a member sees something of an entry of the company. `changes` is the name of its row. */
export function concerns({ company, signer }: Viewer, changes: Sql): Sql {
  return sql`exists (
    select from projects p where p.company_id = ${company.id} and p.ref in (${changes}.project_id, ${changes}.left_project_id)
      and ${isOpenTo(sql`${signer.id}::bigint`)})`
}

/** An entry as it is shown to somebody to whom these projects are open; undefined if they see nothing of it. */
export function asSeen(entry: ChangeEntry, open: ReadonlySet<string>): ChangeEntry | undefined {
  if (open.has(entry.project_id)) return entry
  const { left_project_id, left_parent_id } = entry
  if (left_project_id === null || !open.has(left_project_id)) return undefined
  return { ...entry, change: 'deleted', project_id: left_project_id, parent_id: left_parent_id, fields: null }
}

/** The refs of all projects that entries are in or have left. */
function projectsOf(entries: ChangeEntry[]): string[] {
  return [...new Set(entries.flatMap(entry => [entry.project_id, entry.left_project_id ?? []].flat()))]
}

/** Those of the projects of some entries that are open to a member. */
export async function openAmong(db: Db, { company, signer }: Viewer, entries: ChangeEntry[]): Promise<Set<string>> {
  const open = await db.many<{ ref: string }>(sql`
    select p.ref from projects p where p.company_id = ${company.id} and p.ref = any (${projectsOf(entries)}::text[])
      and ${isOpenTo(sql`${signer.id}::bigint`)}`)
  return new Set(open.map(({ ref }) => ref))
}

/** Somebody who follows the feed, and the digest of the token or session that they are signed in with. */
export interface Follower {
  companyId: number
  /** 0 for the operator. */
  personId: number
  digest: Buffer
}

/** What a follower is shown; undefined when they are no longer signed in. */
export type Sees = 'all' | ReadonlySet<string> | undefined

/**
 * What each of these people, in their order, sees of some entries now; without entries it tells who is still signed in. One
 * statement, however many they are. The people of a closed company are not signed in, and the operator sees everything.
 */
export async function whatTheySee(db: Db, followers: Follower[], entries: ChangeEntry[]): Promise<Sees[]> {
  const hasSession = sql`exists (select from console_sessions s where s.digest = f.digest and ${isLive})`
  const rows = await db.many<{ role: string | null; open: string[] }>(sql`
    select case when f.person_id <> 0 then u.role when ${hasSession} then 'operator' end as role, array(
        select p.ref from projects p where p.company_id = f.company_id and p.ref = any (${projectsOf(entries)}::text[])
          and ${isOpenTo(sql`f.person_id`)}) as open
    from unnest(${followers.map(({ companyId }) => companyId)}::bigint[], ${followers.map(({ personId }) => personId)}::bigint[],
      ${followers.map(({ digest }) => digest)}::bytea[]) with ordinality f (company_id, person_id, digest, n)
    left join users u on u.company_id = f.company_id and u.id = f.person_id and u.active
      and (exists (select from personal_tokens t where t.digest = f.digest) or ${hasSession})
      and exists (select from companies c where c.id = u.company_id and c.closed_at is null)
    order by f.n`)
  return rows.map(({ role, open }) => (role === null ? undefined : role === 'member' ? new Set(open) : 'all'))
}
