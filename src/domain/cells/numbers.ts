import sql, { raw } from 'sql-template-tag'
import { LOCKS, takeLock } from '../../db/advisory-locks.ts'
import type { Db } from '../../db/db.ts'

/** How many companies a cell can give a number to. Numbers below are those of installations that had no cells. */
const COMPANIES_OF_A_CELL = 1_000_000

/**
 * Sets the range from which the companies of a cell get their numbers, so that no two cells give out the same one. The range is
 * kept in the sequence itself, and so tells of which cell the database is: another is refused.
 */
export async function requireOwnCell(db: Db, cell: number | undefined): Promise<void> {
  if (cell === undefined) await refuseAnother(db, cell)
  else await db.transaction(tx => keepRange(tx, cell))
}

/** Returns whether the range is set, and the number that was given out last; null before the first. */
async function refuseAnother(db: Db, cell: number | undefined): Promise<{ isSet: boolean; given: number | null }> {
  const { first, given } = await db.one<{ first: number; given: number | null }>(sql`
    select min_value as first, last_value as given from pg_sequences
    where schemaname = current_schema() and sequencename = 'companies_id_seq'`)
  const own = (first - 1) / COMPANIES_OF_A_CELL
  if (first !== 1 && own !== cell) throw new Error(`CELL must be ${own}: this is the database of cell ${own}`)
  return { isSet: first !== 1, given }
}

async function keepRange(tx: Db, cell: number): Promise<void> {
  // Of several nodes that start at once, the others wait, and find it set.
  await takeLock(tx, LOCKS.cellNumbers)
  const { isSet, given } = await refuseAnother(tx, cell)
  const [first, last] = [cell * COMPANIES_OF_A_CELL + 1, (cell + 1) * COMPANIES_OF_A_CELL - 1]
  // In a restored database some of them have been given out.
  const { highest } = await tx.one<{ highest: number | null }>(sql`
    select max(id) as highest from companies where id between ${first} and ${last}`)
  const used = Math.max(first - 1, highest ?? 0, given !== null && given <= last ? given : 0)
  if (used >= last) throw new Error(`CELL ${cell} has given out all its numbers: new companies need another cell`)
  if (!isSet)
    await tx.run(
      raw(`alter table companies alter column id
        set minvalue ${first} set maxvalue ${last} set start with ${first} restart with ${used + 1}`),
    )
}
