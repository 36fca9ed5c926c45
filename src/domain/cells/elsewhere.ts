import type { Db } from '../../db/db.ts'
import { companyNamedIn } from '../access/credentials.ts'
import { unavailable } from '../errors.ts'
import type { OtherCells, Place, Sought } from '../ports/cells.ts'
import { whereIs } from './where.ts'

/** Thrown where it turns out that a call belongs to another cell. The server then passes the call on (decision 37). */
export class InAnotherCell extends Error {
  constructor(readonly cell: number) {
    super(`This belongs to cell ${cell}`)
  }
}

/** For what was not found here: throws `InAnotherCell` when another cell has it. */
export interface Elsewhere {
  company(id: number): Promise<void>
  /** A well-formed credential. Of a session of the operator it returns the cell that vouches for it. */
  credential(secret: string, digest: Buffer): Promise<{ vouchingCell: number } | undefined>
}

/** Where there are no cells. */
export const NOWHERE_ELSE: Elsewhere = { company: async () => {}, credential: async () => undefined }

interface Parts {
  db: Db
  cell: number
  others: OtherCells
  operatorDigest: Buffer
}

export function createElsewhere({ db, cell, others, operatorDigest }: Parts): Elsewhere {
  return {
    async company(id) {
      await find({ company: id })
    },

    async credential(secret, digest) {
      const company = companyNamedIn(secret)
      const place = await find(company === undefined ? { digest } : { company })
      return place && { vouchingCell: place.cell }
    },
  }

  /** Asks this cell first. Of a company that has left it, it knows where it went, which may not be where it is now. */
  async function find(sought: Sought): Promise<Place | undefined> {
    const known = await whereIs(db, cell, operatorDigest, sought)
    if (known?.cell === cell) return undefined
    const told = others.where(sought)
    const place = (await (known ? told.catch(() => known) : told)) ?? known
    if (!place) return undefined
    // It has left the other cell, and is not served here yet.
    if (place.cell === cell) throw unavailable('The company is being moved. Try again soon.')
    if (place.operator) return place
    throw new InAnotherCell(place.cell)
  }
}
