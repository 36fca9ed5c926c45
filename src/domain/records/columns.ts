import type { Sql } from 'sql-template-tag'
import { assignments } from '../../db/assignments.ts'
import type { ChangedKind, RecordColumn } from './records.ts'

/** Without fields for Hijri days: reading the body has already turned them into their Gregorian counterparts. */
type Undeclared<K extends ChangedKind, Values> = Exclude<keyof Values & string, RecordColumn<K> | `${string}_hijri`>

/**
 * The SET list for a record of the feed, with only the values that were sent. It does not compile with a column that
 * `records.ts` does not declare: the change of such a column would move no `updated_at` and leave no entry in the feed.
 */
export function recordAssignments<K extends ChangedKind, Values extends object>(
  _kind: K,
  values: [Undeclared<K, Values>] extends [never]
    ? Values
    : `src/domain/records/records.ts does not declare ${Undeclared<K, Values>}`,
): Sql | undefined {
  return assignments(values as Record<string, unknown>)
}
