import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { isHere } from '../cells/where.ts'
import type { ProviderIdentity } from '../ports/identity-provider.ts'

/** What the link `l` is called in lists and in the audit. */
export const linkName = sql`coalesce(l.email, l.subject)`

/** Keeps what the provider told, for whoever has the secret. False when the state was used before. */
export async function keepIdentity(
  db: Db,
  { digest, state_digest }: { digest: Buffer; state_digest: Buffer },
  { issuer, subject, email, email_verified }: ProviderIdentity,
): Promise<boolean> {
  const kept = await db.maybe(sql`
    insert into shown_identities (digest, state_digest, issuer, subject, email, email_verified)
    values (${digest}, ${state_digest}, ${issuer}, ${subject}, ${email}, ${email_verified})
    on conflict (company_id, state_digest) do nothing returning 1`)
  return kept !== undefined
}

const identityColumns = sql`i.issuer, i.subject, i.email, i.email_verified`
const isUsable = (digest: Buffer) => sql`i.digest = ${digest} and i.used_at is null and i.expires_at > now()`

export function findIdentity(db: Db, digest: Buffer): Promise<ProviderIdentity | undefined> {
  return db.maybe(sql`select ${identityColumns} from shown_identities i where ${isUsable(digest)}`)
}

/** The same, and for the last time. */
export function useIdentity(tx: Db, digest: Buffer): Promise<ProviderIdentity | undefined> {
  return tx.maybe(
    sql`update shown_identities i set used_at = now() where ${isUsable(digest)} returning ${identityColumns}`,
  )
}

export interface NamedPerson {
  company_id: number
  company_name: string
  id: number
  name: string
  email: string
  link_id: number | null
}

/**
 * The people that an identity may be, one in each company at most: the one who is linked to it or, where nobody is, the one who
 * has its address. That must be verified, and the person not be linked to another account of the same provider: addresses are
 * given to somebody else when people leave. Sandboxes are left out, because they are entered from their company: nobody is asked to
 * choose only because there is one.
 */
export function peopleNamed(
  db: Db,
  { issuer, subject, email, email_verified }: ProviderIdentity,
  inCompany: Sql = sql`true`,
): Promise<NamedPerson[]> {
  return db.many<NamedPerson>(sql`
    with linked as (
      select l.company_id, l.user_id, l.id from sign_in_links l where l.issuer = ${issuer} and l.subject = ${subject}
    ), named as (
      select company_id, user_id, id as link_id from linked
      union all
      select u.company_id, u.id, null from users u
      where lower(u.email) = ${email_verified ? comparable(email) : null}
        and not exists (select from linked where linked.company_id = u.company_id)
        and not exists (
          select from sign_in_links l where l.company_id = u.company_id and l.user_id = u.id and l.issuer = ${issuer})
    )
    select u.company_id, c.name as company_name, u.id, u.name, u.email, n.link_id
    from named n join users u on u.company_id = n.company_id and u.id = n.user_id and u.active
      join companies c on c.id = u.company_id and c.closed_at is null and c.sandbox_of is null and ${isHere}
    where ${inCompany} order by u.company_id`)
}

/**
 * Upper and lower case are the same only where they are ASCII: some other letters become ASCII ones in lower case, and whoever
 * has such an address is not the one who has the plain one.
 */
function comparable(email: string | null): string | null {
  return email !== null && /^[\x20-\x7e]*$/.test(email) ? email.toLowerCase() : email
}

/** The caller has locked the person. Codes of open invitations end: the person has come in without them. */
export async function addLink(
  tx: Db,
  { company_id, id }: { company_id: number; id: number },
  { issuer, subject, email }: ProviderIdentity,
): Promise<number> {
  const link = await tx.one<{ id: number }>(sql`
    insert into sign_in_links (company_id, user_id, issuer, subject, email)
    values (${company_id}, ${id}, ${issuer}, ${subject}, ${email}) returning id`)
  await tx.run(sql`delete from invitations where company_id = ${company_id} and user_id = ${id}`)
  return link.id
}

/** Notes that a link is in use, with the address that the provider has now. */
export async function touchLink(
  tx: Db,
  { company_id, link_id }: { company_id: number; link_id: number },
  { email }: ProviderIdentity,
): Promise<void> {
  await tx.run(sql`
    update sign_in_links set last_used_at = now(), email = ${email} where company_id = ${company_id} and id = ${link_id}`)
}
