import { transactionOn } from '../../../src/db/db.ts'
import { Failure } from '../frame/command.ts'
import type { Cell, Cells } from './cells.ts'
import { thaw } from './freeze.ts'
import { changeState, findStanding } from './state.ts'
import { movedTables } from './tables.ts'

/** Serves the company in the source again, as long as the target has not been opened, and removes the copy. */
export async function undo({ source, target, cell }: Cells, id: number): Promise<void> {
  const [here, there] = [await findStanding(source.db, id), await findStanding(target.db, id)]
  if (!here) throw new Failure(`There is no company ${id} here`)
  if (there && there.moving !== 'arriving')
    throw new Failure(`Company ${id} is served by cell ${cell} already: its move cannot be undone`)
  if (here.moving === 'left') {
    if (here.moved_to !== cell) throw new Failure(`Company ${id} has moved to cell ${here.moved_to}`)
    if (!there) throw new Failure(`Company ${id} has left, and cell ${cell} does not have it any more`)
    await changeState(source.db, id, 'left', { moving: 'leaving', moved_to: cell, isClosed: false })
  }
  await removeCopy(target, id)
  await thaw(source.db, id)
}

/** Removes the copy of a company, if there is one that has not been opened. */
export async function removeCopy({ database, db, blobs }: Cell, id: number): Promise<void> {
  const copy = await findStanding(db, id)
  if (copy && copy.moving !== 'arriving') throw new Failure(`Company ${id} is not a copy that is still arriving`)
  const ids = copy?.ids ?? [id]
  if (copy)
    await database.withoutDeadline(client =>
      transactionOn(client, async tx => {
        // Nobody opens it meanwhile.
        await tx.raw(`select from companies where id = any ($1::bigint[]) and moving = 'arriving' for update`, [ids])
        await tx.raw('set local session_replication_role = replica', [])
        for (const { at, where } of await movedTables(tx, ids)) await tx.raw(`delete from ${at} where ${where}`, [])
      }),
    )
  for (const one of ids) await blobs.removeAll(one)
}
