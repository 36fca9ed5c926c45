import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/db.ts'
import { ApiError } from '../../domain/errors.ts'
import { serializerFor } from '../answers/serializers.ts'
import { createCursors } from '../requests/cursor.ts'
import type { RawQuery } from '../requests/query.ts'
import type { Endpoint, ReadEndpoint } from './declare.ts'
import { type BaseCall, Raw, type Services } from './endpoint.ts'

/** For whom something is read: a company, and the person whose calendar is meant. */
export interface Reader {
  companyId: number
  personId?: number
}

/** What an endpoint shows at an address; undefined when there is nothing. */
export type ReadInside = (address: string, reader: Reader, query?: RawQuery) => Promise<unknown>

/**
 * Calls the reads of a surface as functions, for code of the service itself: there is no request, and `admit` takes the place of
 * the gate. The answer is exactly what a caller would be sent.
 */
export function readsInside<Admitted extends object>(
  db: Db,
  admit: (reader: Reader) => Promise<Admitted>,
  endpoints: Endpoint<BaseCall & Admitted>[],
): ReadInside {
  const reads = endpoints.filter(endpoint => endpoint.method === 'GET')
  // Nobody else sees the cursors, so any secret will do. What is read here needs no other services, and is the same in every cell.
  const services = {
    readCursor: createCursors(randomBytes(32).toString('hex')),
    cell: null,
  } as Partial<Services> as Services

  return async (address, reader, query = {}) => {
    const { endpoint, params } = endpointAt(reads, address)
    const own = { holds: 'nothing', isReadOnly: true, params, headers: {}, audit: () => {} } as const
    try {
      const admitted = await admit(reader)
      const call = { ...services, ...own, db: db.onBehalfOf(reader.companyId), ...admitted }
      const answer = await endpoint.read(call, query)
      if (answer instanceof Raw) throw new Error(`${address} shows no JSON`)
      // Only the serializer knows which fields are shown, and how.
      return JSON.parse(serializerFor(endpoint.returns)(answer))
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined
      throw error
    }
  }
}

function endpointAt<Call extends BaseCall>(reads: ReadEndpoint<Call>[], address: string) {
  for (const endpoint of reads) {
    for (const pattern of endpoint.at) {
      const params = paramsIn(pattern, address)
      if (params) return { endpoint, params }
    }
  }
  throw new Error(`No read has the address ${address}`)
}

/** The handles in an address; undefined when it does not have this pattern. */
function paramsIn(pattern: string, address: string): Record<string, string> | undefined {
  const [names, parts] = [pattern.split('/'), address.split('/')]
  if (names.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [n, name] of names.entries()) {
    const part = parts[n] as string
    if (name.startsWith(':')) params[name.slice(1)] = part
    else if (name !== part) return undefined
  }
  return params
}
