import { transactionOn } from '../../../src/db/db.ts'
import { Failure } from '../frame/command.ts'
import type { Cell, Cells } from './cells.ts'
import { thaw } from './freeze.ts'
import { changeState, findStanding, type Moving } from './state.ts'
import { movedTables } from './tables.ts'

/** Serves the company in the source again, as long as the target has not been opened, and removes the copy. */
export async function undo({ source, target, cell }: Cells, id: number): Promise<void> {
  const [here, there] = [await findStanding(source.db, id), await findStanding(target.db, id)]
  if (!here) throw new Failure(`There is no company ${id} here`)
  if (there && there.moving !== 'arriving')
    throw new Failure(`Company ${id} is served by cell ${cell} already: its move cannot be undone`)
  const hasLeft = here.moving === 'left'
  if (hasLeft && here.moved_to !== cell) throw new Failure(`Company ${id} has moved to cell ${here.moved_to}`)
  if (hasLeft && !there) throw new Failure(`Company ${id} has left, and cell ${cell} does not have it any more`)
  await removeCopy(target, id, async () => {
    if (hasLeft) await changeState(source.db, id, 'left', { moving: 'leaving', moved_to: cell })
  })
  await thaw(source.db, id)
}

/** Removes the copy of a company, if there is one. When `onHeld` is called, nobody can open it any more. */
export async function removeCopy(
  { database, blobs }: Cell,
  id: number,
  onHeld: () => Promise<void> = async () => {},
): Promise<void> {
  const removed = await database.withoutDeadline(client =>
    transactionOn(client, async tx => {
      const copies = await tx.raw<{ id: number; moving: Moving }>(
        'select id, moving from companies where $1 in (id, sandbox_of) for update',
        [id],
      )
      if (copies.some(({ moving }) => moving !== 'arriving'))
        throw new Failure(`Company ${id} is not a copy that is still arriving`)
      await onHeld()
      const ids = copies.map(copy => copy.id)
      await tx.raw('set local session_replication_role = replica', [])
      for (const { at, where } of await movedTables(tx, ids)) await tx.raw(`delete from ${at} where ${where}`, [])
      return ids
    }),
  )
  for (const one of new Set([id, ...removed])) await blobs.removeAll(one)
}
