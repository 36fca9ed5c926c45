import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/db.ts'
import type { CellProof } from '../../domain/cells/proof.ts'
import { whereIs } from '../../domain/cells/where.ts'
import { orNotFound } from '../../domain/errors.ts'
import type { Sought } from '../../domain/ports/cells.ts'
import { notFoundHandler } from '../answers/errors.ts'
import { bearerToken } from '../requests/request.ts'

export interface InternalParts {
  db: Db
  cell: number
  proof: CellProof
  operatorDigest: Buffer
}

/** What cells ask each other. To anybody else it looks like any address that does not exist. */
export function mountInternal(app: FastifyInstance, { db, cell, proof, operatorDigest }: InternalParts): void {
  app.get<{ Querystring: Record<string, unknown> }>('/internal/where', async request => {
    if (!proof.isBearer(bearerToken(request) ?? '')) return notFoundHandler(request)
    const sought = read(request.query)
    return orNotFound(sought ? whereIs(db, cell, operatorDigest, sought) : Promise.resolve(undefined))
  })
}

function read({ company, digest }: Record<string, unknown>): Sought | undefined {
  if (typeof company === 'string' && /^\d{1,15}$/.test(company)) return { company: Number(company) }
  if (typeof digest === 'string' && /^[\da-f]{64}$/.test(digest)) return { digest: Buffer.from(digest, 'hex') }
  return undefined
}
