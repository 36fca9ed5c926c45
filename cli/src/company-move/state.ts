import sql from 'sql-template-tag'
import type { Db } from '../../../src/db/db.ts'
import { Failure, UsageError } from '../frame/command.ts'

export type Moving = 'leaving' | 'arriving' | 'left' | null

/** A company in one of the cells. */
export interface Standing {
  name: string
  is_closed: boolean
  moving: Moving
  moved_to: number | null
  sandbox_of: number | null
  /** The company, and its sandbox if it has one that is open or moves with it. */
  ids: number[]
}

export function readCompanyId(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text))
    throw new UsageError(`COMPANY must be the id of a company, not ${JSON.stringify(text)}`)
  return Number(text)
}

/** The condition that the company `c` moves when this one does: a sandbox goes with its company, and what is closed stays. */
const goesWith = (id: number) => sql`${id} in (c.id, c.sandbox_of) and (c.closed_at is null or c.moving is not null)`

export function findStanding(db: Db, id: number): Promise<Standing | undefined> {
  return db.maybe<Standing>(sql`
    select c.name, c.closed_at is not null as is_closed, c.moving as "moving", c.moved_to, c.sandbox_of,
      array(select c.id from companies c where ${goesWith(id)} order by c.id) as ids
    from companies c where c.id = ${id}`)
}

/** What is set on a company and its sandbox. */
interface Change {
  moving: Moving
  moved_to: number | null
}

/**
 * Changes the state of a company and its sandbox in this database, if it is still what it was. Returns their ids. One that has
 * left is closed; any other that changes is served from then on.
 */
export async function changeState(db: Db, id: number, was: Moving, { moving, moved_to }: Change): Promise<number[]> {
  const changed = await db.many<{ id: number }>(sql`
    update companies c set moving = ${moving}, moved_to = ${moved_to}, closed_at = case when ${moving === 'left'} then now() end
    where ${goesWith(id)} and c.moving is not distinct from ${was} returning c.id`)
  const ids = changed.map(company => company.id).sort((a, b) => a - b)
  if (!ids.includes(id)) throw new Failure('The company was changed meanwhile. Run the same command again')
  return ids
}
