import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { isStorableText, isVisible } from '../../lib/text.ts'
import type { Scope } from '../access/caller.ts'
import { isInSight, type Viewer } from '../access/sight.ts'
import { notFound, takenExternalId } from '../errors.ts'
import { type KindWith, RECORDS } from './records.ts'

/** The kinds that have a name in another system. */
export type KindWithExternalId = KindWith<{ feed: { fields: { external_id: string } } }>

const HANDLE = 'ext:'
const LONGEST_EXTERNAL_ID = 255

export function namesExternalId(handle: string): boolean {
  return handle.startsWith(HANDLE)
}

/** The external id in a handle from an address; throws not found for what no record can have. */
export function requireExternalId(handle: string | undefined): string {
  if (handle === undefined || !namesExternalId(handle)) throw notFound()
  const id = handle.slice(HANDLE.length)
  // The length in UTF-16 units comes first, because counting the characters takes as long as the text.
  const isLong = id.length > 2 * LONGEST_EXTERNAL_ID || [...id].length > LONGEST_EXTERNAL_ID
  if (isLong || !isVisible(id) || !isStorableText(id)) throw notFound()
  return id
}

/** The handle by which flat addresses name the record with an external id. */
export function handleOf(externalId: string): string {
  return HANDLE + externalId
}

/** What a filter by external ids adds to the conditions on a table; nothing when none was given. */
export function hasExternalId(as: string, ids: string[]): Sql {
  return ids.length === 0 ? empty : sql`and ${raw(as)}.external_id = any (${ids.filter(isStorableText)}::text[])`
}

interface Holder {
  external_id: string
  record_id: number
  ref: string
}

/**
 * Claims external ids until the commit, and returns the records that have them already. Deleted records lose theirs. Whoever
 * else claims one of them waits.
 */
export function claimExternalIds({ db, company }: Scope, kind: KindWithExternalId, ids: string[]): Promise<Holder[]> {
  return db.many(sql`select * from claim_external_ids(${company.id}, ${kind}, ${ids}::text[])`)
}

/** A record that is to be changed, or an upsert that has claimed the id of the one it creates. */
export interface Named {
  external_id: string | null
}

/**
 * Makes sure that the record that is to be written can have the external id that was sent for it, or throws 409. A record that
 * has it already does not ask: somebody who has claimed it may be waiting for this record.
 */
export async function requireExternalIdFree(
  scope: Scope & Viewer,
  kind: KindWithExternalId,
  sent: string | null | undefined,
  own?: Named,
): Promise<void> {
  if (sent !== undefined && sent !== own?.external_id) await requireExternalIdsFree(scope, kind, [sent])
}

/**
 * The same for several new records. `nameOf` says what the field of one is called in a refusal. Who does not see the record
 * that has the id is not told which it is.
 */
export async function requireExternalIdsFree(
  scope: Scope & Viewer,
  kind: KindWithExternalId,
  sent: (string | null | undefined)[],
  nameOf = (_n: number) => 'external_id',
): Promise<void> {
  const wanted = sent.filter(id => typeof id === 'string')
  if (wanted.length === 0) return
  const holders = new Map((await claimExternalIds(scope, kind, wanted)).map(holder => [holder.external_id, holder]))
  for (const [n, id] of sent.entries()) {
    const holder = holders.get(id ?? '')
    if (!holder) continue
    throw takenExternalId(nameOf(n), holder.external_id, (await isSeen(scope, kind, holder)) ? holder.ref : undefined)
  }
}

/** Whether the viewer sees the record that has an external id. */
async function isSeen(scope: Scope & Viewer, kind: KindWithExternalId, { record_id }: Holder): Promise<boolean> {
  if (scope.sight === 'company') return true
  const record = raw(RECORDS[kind].table)
  const project = raw(kind === 'project' ? 'id' : 'project_id')
  const seen = await scope.db.maybe(sql`
    select from ${record} r join projects p on p.company_id = r.company_id and p.id = r.${project}
    where r.company_id = ${scope.company.id} and r.id = ${record_id} and ${isInSight(scope)}`)
  return seen !== undefined
}
