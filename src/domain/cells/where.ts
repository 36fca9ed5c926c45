import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { isLive } from '../people/console-sessions.ts'
import type { Place, Sought } from '../ports/cells.ts'

/** That the company `c` is served here. While it is copied to another cell it still is; where it is copied to, it is not yet. */
export const isHere = sql`coalesce(c.moving, 'leaving') = 'leaving'`

interface Row {
  company: number
  moved_to: number | null
}

/** The cell that serves what is sought, as far as this one knows: its own, or the one that a company has moved to. */
export async function whereIs(
  db: Db,
  cell: number,
  operatorDigest: Buffer,
  sought: Sought,
): Promise<Place | undefined> {
  const found = await ('company' in sought ? placeOfCompany(db, sought.company) : placeOfDigest(db, sought.digest))
  if (found) return { cell: found.moved_to ?? cell, company: found.company }
  return 'digest' in sought ? placeOfNobody(db, cell, operatorDigest, sought.digest) : undefined
}

const columns = sql`c.id as company, case when c.moving = 'left' then c.moved_to end as moved_to`

function placeOfCompany(db: Db, id: number): Promise<Row | undefined> {
  return db.maybe(sql`
    select ${columns} from companies c where c.id = ${id} and c.moving is distinct from 'arriving'`)
}

/** Every store of credentials that belong to a company. */
function placeOfDigest(db: Db, digest: Buffer): Promise<Row | undefined> {
  return db.maybe(sql`
    select ${columns} from companies c where c.moving is distinct from 'arriving' and c.id in (
      select company_id from api_keys where digest = ${digest}
      union all select company_id from personal_tokens where digest = ${digest}
      union all select company_id from console_sessions where digest = ${digest}
      union all select company_id from invitations where digest = ${digest}
      union all select company_id from app_credentials where digest = ${digest})`)
}

/** What belongs to no company: a session of the operator, the link of the first start, and what an identity provider has told. */
async function placeOfNobody(db: Db, cell: number, operatorDigest: Buffer, digest: Buffer): Promise<Place | undefined> {
  const found = await db.maybe<{ is_operator: boolean }>(sql`
    select true as is_operator from console_sessions s
    where s.company_id = 0 and s.digest = ${digest} and s.operator_digest = ${operatorDigest} and ${isLive}
    union all select false from first_link f where f.digest = ${digest} and f.expires_at > now()
    union all select false from shown_identities i
    where i.company_id = 0 and i.digest = ${digest} and i.used_at is null and i.expires_at > now()`)
  return found && { cell, company: null, ...(found.is_operator && { operator: true as const }) }
}
