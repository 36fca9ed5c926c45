import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import type { Role } from '../domain/access/roles.ts'
import { isUseUnnoted, noteUse } from '../domain/access/sandboxes.ts'
import { isHere } from '../domain/cells/where.ts'
import { companyIsMoving, notFound } from '../domain/errors.ts'
import { isLive, userOfSession } from '../domain/people/console-sessions.ts'
import type { Who } from '../http/requests/request.ts'
import type { Credential, SignIn } from '../http/requests/sign-in.ts'
import { type Session, sessionColumns, touchSession } from './session-rows.ts'

export interface Person {
  id: number
  name: string
  email: string
  company_id: number
  role: Role
  can_manage_api_keys: boolean
}

/** The operator stands above all companies; a person belongs to one. */
export type Administrator = 'operator' | Person

/** The caller, and the session they call with, unless it is a token. */
export interface Identity {
  by: Administrator
  session: Session | null
}

/** For the audit and the log. */
export function whoOf(by: Administrator): Who {
  if (by === 'operator') return { company_id: null, by: { kind: by, id: null, name: by }, credential: by, actor: by }
  const { id, name, company_id } = by
  return { company_id, by: { kind: 'person', id, name }, credential: `person:${id}`, actor: name }
}

interface PersonRow extends Person {
  active: boolean
  is_closed: boolean
  is_leaving: boolean
  is_here: boolean
  is_use_unnoted: boolean
}

/** The person behind a token or a session. A session is as good as the token or the link it was started with. */
function personBehind(kind: Credential['kind'], digest: Buffer): Sql {
  const [shown, isShown] =
    kind === 'token'
      ? [
          sql`personal_tokens t join users u on u.company_id = t.company_id and u.id = t.user_id`,
          sql`t.digest = ${digest}`,
        ]
      : [
          sql`console_sessions s join users u on u.company_id = s.company_id and u.id = ${userOfSession}`,
          sql`s.digest = ${digest} and ${isLive}`,
        ]
  return sql`
    select u.id, u.name, u.email, u.company_id, u.role, u.can_manage_api_keys, u.active, c.closed_at is not null as is_closed,
      c.moving is not distinct from 'leaving' as is_leaving, ${isHere} as is_here,
      ${isUseUnnoted} as is_use_unnoted
    from ${shown} join companies c on c.id = u.company_id where ${isShown}`
}

/**
 * People of a closed company get 404, whoever they are; a person who is no longer active, or whose company has moved, is not
 * recognized.
 */
function admitted(row: PersonRow | undefined): Person | undefined {
  if (!row) return undefined
  const { active, is_closed, is_leaving, is_here, is_use_unnoted, ...person } = row
  if (!active || !is_here) return undefined
  if (is_closed) throw notFound()
  return person
}

/** Looks up the person behind a credential again, in the transaction of a write. */
export async function findPerson(db: Db, kind: Credential['kind'], digest: Buffer): Promise<Person | undefined> {
  const row = await db.maybe<PersonRow>(personBehind(kind, digest))
  const person = admitted(row)
  if (row?.is_leaving) throw companyIsMoving()
  return person
}

/** How callers are found by the digest of their credential. */
export type Lookups = Record<Credential['kind'], (digest: Buffer) => Promise<Identity | undefined>>

export function createLookups(db: Db, signIn: SignIn, onError: (error: unknown) => void): Lookups {
  return {
    async token(digest) {
      const person = await admit(await db.maybe<PersonRow>(personBehind('token', digest)))
      return person && { by: person, session: null }
    },

    async session(digest) {
      const row = await db.maybe<Session & { company_id: number; is_due: boolean; person: PersonRow | null }>(sql`
        select s.company_id, ${sessionColumns}, s.last_used_at < now() - interval '1 minute' as is_due,
          (select row_to_json(p) from (${personBehind('session', digest)}) p) as person
        from console_sessions s
        where s.digest = ${digest} and ${isLive} and (s.company_id <> 0 or s.operator_digest = ${signIn.operatorDigest})`)
      if (!row) return undefined
      const { company_id, is_due, person, ...session } = row
      const by = company_id === 0 ? 'operator' : await admit(person ?? undefined)
      if (by && is_due) touchSession(db, company_id, session.id).catch(onError)
      return by && { by, session }
    },
  }

  async function admit(row: PersonRow | undefined): Promise<Person | undefined> {
    if (row && !row.active) await signIn.countFailureOf(row)
    const person = admitted(row)
    if (person && row?.is_use_unnoted) noteUse(db, person.company_id).catch(onError)
    return person
  }
}
