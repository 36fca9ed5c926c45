import type { Sql } from 'sql-template-tag'
import type { AdminCall } from './gate.ts'

/**
 * Keeps a record as it is until the commit. It comes before the look-up, as a statement of its own: a look-up that joins
 * and had to wait would show a mixture of old and new. A read holds nothing.
 */
export async function hold({ db, holds }: AdminCall, lock: Sql): Promise<void> {
  if (holds !== 'nothing') await db.run(lock)
}
