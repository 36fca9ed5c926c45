import type { IncomingHttpHeaders } from 'node:http'
import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { IDLE_FOR, isLive } from '../domain/people/console-sessions.ts'

/** A session of the console, as shown to its own caller. */
export interface Session {
  id: number
  created_at: string
  expires_at: string
  idle_until: string
}

/** Per token or link. When another session begins, the oldest ends. */
const MOST_OF_A_HOLDER = 20

export const sessionColumns = sql`s.id, s.created_at, s.expires_at, least(s.last_used_at + ${IDLE_FOR}, s.expires_at) as idle_until`

/** What a session belongs to: the token of a person, their link with the identity provider, or the operator token. */
export type Holder =
  | { company_id: number; token_id: number }
  | { company_id: number; link_id: number }
  | { operator_digest: Buffer }

interface NewSession {
  digest: Buffer
  user_agent: string | null
  address: string
}

export function addSession(tx: Db, holder: Holder, { digest, user_agent, address }: NewSession): Promise<Session> {
  const none = { company_id: 0, token_id: null, link_id: null, operator_digest: null }
  const { company_id, token_id, link_id, operator_digest } = { ...none, ...holder }
  return tx.one<Session>(sql`
    insert into console_sessions as s (company_id, token_id, link_id, operator_digest, digest, user_agent, address)
    values (${company_id}, ${token_id}, ${link_id}, ${operator_digest}, ${digest}, ${user_agent}, ${address})
    returning ${sessionColumns}`)
}

/**
 * Ends the oldest sessions of a token or link that has too many. The caller has locked the person or, for the operator, taken
 * `LOCKS.operatorSessions`.
 */
export function endOldest(tx: Db, holder: Holder): Promise<{ id: number }[]> {
  const isHolders =
    'token_id' in holder
      ? sql`s.company_id = ${holder.company_id} and s.token_id = ${holder.token_id}`
      : 'link_id' in holder
        ? sql`s.company_id = ${holder.company_id} and s.link_id = ${holder.link_id}`
        : sql`s.company_id = 0 and s.operator_digest = ${holder.operator_digest}`
  return tx.many(sql`
    delete from console_sessions s where ${isHolders} and ${isLive} and s.id <= (
      select s.id from console_sessions s where ${isHolders} and ${isLive} order by s.id desc offset ${MOST_OF_A_HOLDER} limit 1)
    returning s.id`)
}

/** Notes that a session is in use. A locked session is skipped, so that nobody waits for this. */
export async function touchSession(db: Db, companyId: number, id: number): Promise<void> {
  await db.run(sql`
    update console_sessions set last_used_at = now() where (company_id, id) in (
      select s.company_id, s.id from console_sessions s
      where s.company_id = ${companyId} and s.id = ${id} and s.last_used_at < now() - interval '1 minute'
      for no key update skip locked)`)
}

/**
 * Locks the session of an operator who writes, and the one that the URL names, until the commit, as people are locked. False
 * when the operator's own session has ended in the meantime.
 */
export async function holdOperatorSession(
  tx: Db,
  digest: Buffer,
  operatorDigest: Buffer,
  otherId = 0,
): Promise<boolean> {
  const held = await tx.many<{ is_own: boolean }>(sql`
    select s.digest = ${digest} and s.operator_digest = ${operatorDigest} and ${isLive} as is_own from console_sessions s
    where s.company_id = 0 and (s.digest = ${digest} or s.id = ${otherId}) order by s.id for update`)
  return held.some(({ is_own }) => is_own)
}

/** As much of the user agent as a list can show. */
export function agentOf({ 'user-agent': agent }: IncomingHttpHeaders): string | null {
  return agent ? agent.slice(0, 255) : null
}
