import type { Config } from '../../../src/config.ts'
import { LOCKS } from '../../../src/db/advisory-locks.ts'
import { Failure } from '../frame/command.ts'
import { note } from '../frame/output.ts'
import { type Cells, withCells } from './cells.ts'
import { copyRows } from './copy.ts'
import { copyFiles, noFiles } from './files.ts'
import { freeze, thaw } from './freeze.ts'
import { leave, open } from './hand-over.ts'
import { type Moved, report, reportUndone } from './report.ts'
import { raiseSequences } from './sequences.ts'
import { readTargetSettings } from './settings.ts'
import { findStanding, readCompanyId, type Standing } from './state.ts'
import { removeCopy, undo } from './undo.ts'

interface MoveOptions {
  to: string
  undo: boolean | undefined
  json: boolean | undefined
}

/** Moves a company to another cell, or goes on with a move that was interrupted, or undoes it. */
export async function moveCompany(config: Config, company: string, options: MoveOptions): Promise<void> {
  const id = readCompanyId(company)
  const settings = await readTargetSettings(options.to, config)
  await withCells(config, settings, options.to, cells =>
    alone(cells, id, async () => {
      if (options.undo) {
        await undo(cells, id)
        reportUndone(id, options.json ?? false)
      } else report(await move(cells, id), options.json ?? false)
    }),
  )
}

/** Two commands for one company would stand in each other's way. The lock ends with the connection. */
function alone(cells: Cells, id: number, work: () => Promise<void>): Promise<void> {
  return cells.source.database.withoutDeadline(async client => {
    const { rows } = await client.query<{ is_mine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_mine',
      [LOCKS.moveOf(id)],
    )
    if (!rows[0]?.is_mine) throw new Failure(`Company ${id} is being moved by another command`)
    await work()
  })
}

/**
 * Each step can be interrupted and is done again, or found done, by the next run. What the two databases say about the company
 * tells how far it has come:
 *
 *   source     target
 *   -          -          nothing has happened, or only files were copied
 *   leaving    -          it is only read; the rows are being copied
 *   leaving    arriving   the copy is whole
 *   left       arriving   closed in the source, and about to be opened in the target
 *   left       -          done
 */
async function move(cells: Cells, id: number): Promise<Moved> {
  const startedAt = performance.now()
  const { source, target, cell } = cells
  const [here, there] = [await findStanding(source.db, id), await findStanding(target.db, id)]
  const standing = requireMovable(here, there, id, cell)
  const files = noFiles()
  const copied = { rows: 0, readOnlySince: performance.now() }
  const ids = standing.moving === null ? await begin() : standing.ids
  if (standing.moving !== 'left') await complete(ids)
  if (standing.moving !== 'left' || there?.moving === 'arriving') await finish(ids)
  const endedAt = performance.now()
  return {
    ids,
    cell,
    rows: copied.rows,
    files,
    readOnlyMs: endedAt - copied.readOnlySince,
    totalMs: endedAt - startedAt,
    wasGoingOn: standing.moving !== null,
  }

  /** Files first, since they take longest and everything is served meanwhile. */
  async function begin(): Promise<number[]> {
    if (there) await removeCopy(target, id)
    note('Copying files')
    await copyFiles(cells, standing.ids, files)
    note('Waiting until what was begun has ended')
    return freeze(cells, id, () => {
      copied.readOnlySince = performance.now()
      note('It can only be read from now on')
    })
  }

  async function complete(ids: number[]): Promise<void> {
    try {
      const isCopied = standing.moving === 'leaving' && there?.moving === 'arriving'
      if (!isCopied) {
        note('Copying rows')
        copied.rows = await copyRows(cells, ids)
      }
      note('Comparing files')
      await copyFiles(cells, ids, files)
      await raiseSequences(cells)
      note('Closing it here')
      await leave(cells, id, standing.name)
    } catch (error) {
      // Nobody should be kept from writing because something failed. If it had left after all, this changes nothing.
      await thaw(source.db, id)
      throw error
    }
  }

  async function finish(ids: number[]): Promise<void> {
    note(`Opening it in cell ${cell}`)
    await open(cells, id, ids, standing.name).catch(error => {
      note('Nobody serves the company now. Run the same command again, or with --undo')
      throw error
    })
  }
}

function requireMovable(here: Standing | undefined, there: Standing | undefined, id: number, cell: number): Standing {
  if (!here) throw new Failure(`There is no company ${id} here`)
  if (here.sandbox_of !== null)
    throw new Failure(`Company ${id} is the sandbox of company ${here.sandbox_of}, and moves with it`)
  if (here.moving === 'arriving')
    throw new Failure(`Company ${id} is still arriving here: finish that move first, or undo it`)
  if (here.moved_to !== null && here.moved_to !== cell)
    throw new Failure(
      `Company ${id} ${here.moving === 'left' ? 'has moved' : 'is being moved'} to cell ${here.moved_to}`,
    )
  if (here.is_closed && here.moving !== 'left')
    throw new Failure(`Company ${id} is closed: reopen it first, or let it be removed`)
  if (here.moving === 'left' && !there) throw new Failure(`Company ${id} has left, and cell ${cell} does not have it`)
  if (there && there.moving !== 'arriving' && here.moving !== 'left')
    throw new Failure(`Cell ${cell} has a company ${id} already`)
  return here
}
