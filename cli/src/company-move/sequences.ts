import { transactionOn } from '../../../src/db/db.ts'
import { errorCode } from '../../../src/db/failures.ts'
import { readSequences, type Sequence } from '../../../src/db/rows.ts'
import { Failure } from '../frame/command.ts'
import type { Cells } from './cells.ts'

/** Each cell gives its own numbers to companies. */
const OF_THE_CELL = 'companies_id_seq'
/** Everybody who wants a number waits behind whoever waits for the lock. */
const LOCKED_WITHIN = '2s'

/**
 * The target goes on behind the highest number that the source has given to anybody, so that no record of the company gets a
 * number that another one had. A sequence that is altered lets nobody take a number until the commit: between reading it and
 * setting it, none is given out.
 */
export async function raiseSequences({ source, target }: Cells): Promise<void> {
  const given = new Map((await readSequences(source.db)).map(sequence => [sequence.name, highestOf(sequence)]))
  const isBehind = (sequence: Sequence) =>
    sequence.name !== OF_THE_CELL && highestOf(sequence) < (given.get(sequence.name) ?? 0)
  const behind = (await readSequences(target.db)).filter(isBehind)
  if (behind.length === 0) return
  await target.database.withoutDeadline(async client => {
    for (const { name } of behind)
      await transactionOn(client, async tx => {
        await tx.raw(`set local lock_timeout = '${LOCKED_WITHIN}'`, [])
        await tx.raw(`alter sequence "${name}" increment by 1`, []).catch(error => {
          throw errorCode(error) === '55P03' ? new Failure(heldUp(name)) : error
        })
        const [now] = await tx.raw<Omit<Sequence, 'name'>>(`select last_value, is_called from "${name}"`, [])
        const highest = Math.max(now ? highestOf(now) : 0, given.get(name) ?? 0)
        await tx.raw(`alter sequence "${name}" restart with ${highest + 1}`, [])
      })
  })
}

const heldUp = (name: string) =>
  `A transaction of the other cell has taken a number from ${name} and has not ended (see pg_stat_activity). The company is served as before: try again later`

function highestOf({ last_value, is_called }: Omit<Sequence, 'name'>): number {
  return is_called ? last_value : last_value - 1
}
