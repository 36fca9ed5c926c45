import type { Change, ChangedKind } from '../records/records.ts'
import { kindOfRef } from '../records/refs.ts'

/** A position in the feed: after the entry `id` of the transaction `tx`. */
export interface Position {
  tx: string
  id: number
}

/** A position, and a time before which nothing behind it happened. Entries are kept for so long, so a cursor is too. */
export interface DatedPosition extends Position {
  atMs: number
}

export function hasMore(a: Position, b: Position): boolean {
  const [left, right] = [BigInt(a.tx), BigInt(b.tx)]
  return left === right ? a.id > b.id : left > right
}

/** An entry: what happened to which record. The record itself is read by its id, so no old state is ever shown. */
export interface ChangeEntry extends Position {
  at: string
  kind: ChangedKind
  change: Change
  record_id: string
  project_id: string
  parent_id: string | null
  actor: string | null
  fields: string[] | null
  /** Where a task was moved out of, if it was moved to another project. */
  left_project_id: string | null
  left_parent_id: string | null
}

/** The id of a record as the API shows it: its ref, or its number if it has none. */
export function handleOf(recordId: string): string | number {
  return /^\d+$/.test(recordId) ? Number(recordId) : recordId
}

/** What a record can be in or on. */
export const PARENT_KINDS = ['task_list', 'task', 'discussion', 'folder'] as const

export interface Parent {
  parent_id: string | number | null
  parent_kind: (typeof PARENT_KINDS)[number] | null
}

/** The parent of a record, as the feed and the webhooks tell it. A ref says which kind it is of; only folders have none. */
export function parentOf({ parent_id }: Pick<ChangeEntry, 'parent_id'>): Parent {
  if (parent_id === null) return { parent_id, parent_kind: null }
  const kind = kindOfRef(parent_id) ?? 'folder'
  return { parent_id: handleOf(parent_id), parent_kind: PARENT_KINDS.find(each => each === kind) ?? null }
}
