import { randomBytes } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'
import { bareSlug, slugify } from '../../lib/slug.ts'
import { isStorableText } from '../../lib/text.ts'
import { notFound } from '../errors.ts'
import { namesExternalId, requireExternalId } from './external-ids.ts'
import { type KindWith, RECORD_KINDS, RECORDS } from './records.ts'

/** 32 characters that are not easily confused: no i, l, o or u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

type KindWithRef = KindWith<{ prefix: string }>
export type RefPrefix = (typeof RECORDS)[KindWithRef]['prefix']
type KindWithSlug = KindWith<{ nameless: string }>

const KINDS_WITH_REF = RECORD_KINDS.filter((kind): kind is KindWithRef => 'prefix' in RECORDS[kind])
const PREFIXES = KINDS_WITH_REF.map(kind => RECORDS[kind].prefix)
const REF = new RegExp(`^(?:${PREFIXES.join('|')})-[0-9a-hjkmnp-tv-z]{10}$`)

const REF_LENGTH = 10
/** Generated in advance: ten random bytes cost as much as a few thousand. */
let randoms = Buffer.alloc(0)

export function newRef(kind: KindWithRef): string {
  if (randoms.length < REF_LENGTH) randoms = randomBytes(400 * REF_LENGTH)
  let code = ''
  for (const byte of randoms.subarray(0, REF_LENGTH)) code += ALPHABET[byte & 31]
  randoms = randoms.subarray(REF_LENGTH)
  return `${RECORDS[kind].prefix}-${code}`
}

export function isRef(handle: string): boolean {
  return REF.test(handle)
}

/** The kind of record that has this ref. */
export function kindOfRef(ref: string): KindWithRef | undefined {
  return KINDS_WITH_REF.find(kind => ref.startsWith(`${RECORDS[kind].prefix}-`))
}

/** A ref from a path; throws not found for what cannot be one. */
export function requireRef(handle: string | undefined): string {
  if (handle === undefined || !isRef(handle)) throw notFound()
  return handle
}

/** The location of a record: its kind, the table's name in the statement, and the parent within which its slug is unique. */
export interface Place {
  kind: KindWithSlug
  as: string
  companyId: number
  /** The id of the parent, or 0 for a project; undefined for a flat address, which takes no slug. */
  parent: Sql | number | undefined
}

/** The condition that a handle names a record: by its ref, by its external id, or by a current or former slug. */
export function isNamed(handle: string | undefined, { kind, as, companyId, parent }: Place): Sql {
  if (handle === undefined || !isStorableText(handle)) throw notFound()
  if (isRef(handle)) return sql`${raw(as)}.ref = ${handle}`
  if (namesExternalId(handle)) {
    // Below its parent a record is named by its slug or ref only.
    if (parent !== undefined && kind !== 'project') return sql`false`
    return sql`${raw(as)}.external_id = ${requireExternalId(handle)}`
  }
  if (parent === undefined) throw notFound()
  const recordWith = (slug: string) => sql`(
    select record_id from taken_slugs
    where company_id = ${companyId} and kind = ${literal(kind)} and parent_id = ${parent} and slug = ${slug})`
  const [written, bare] = [handle.normalize('NFC'), bareSlug(handle)]
  // A slug from the time when slugs had vowels still names its record.
  return written === bare
    ? sql`${raw(as)}.id = ${recordWith(written)}`
    : sql`${raw(as)}.id = coalesce(${recordWith(written)}, ${recordWith(bare)})`
}

/** The slug for a new record, or for `recordId` in a new place: an SQL expression, because the database knows which are taken. */
export function slugFor(
  kind: KindWithSlug,
  companyId: number,
  parentId: number | Sql,
  name: string,
  recordId: number | null = null,
): Sql {
  return sql`free_slug(${companyId}, ${literal(kind)}, ${parentId}, ${recordId}, ${wantedSlug(kind, name)})`
}

/** The slug for a renamed record; undefined if the new name leads to the same slug as the old one. */
export function slugForRename(
  kind: KindWithSlug,
  companyId: number,
  parentId: number,
  record: { id: number; name: string },
  name: string | undefined,
): Sql | undefined {
  if (name === undefined || wantedSlug(kind, name) === wantedSlug(kind, record.name)) return undefined
  return slugFor(kind, companyId, parentId, name, record.id)
}

/** The slug that a name leads to, if no other record has or had it. */
export function wantedSlug(kind: KindWithSlug, name: string): string {
  return slugify(name) || RECORDS[kind].nameless
}

/** A literal in the statement, so that the planner sees which of the tables behind `taken_slugs` is meant. */
function literal(kind: KindWithSlug): Sql {
  return raw(`'${kind}'`)
}
