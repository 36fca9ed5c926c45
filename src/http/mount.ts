import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../db/db.ts'
import { forbidden } from '../domain/errors.ts'
import { auditAllowed } from './audit.ts'
import { bodyReader, type RawBody } from './body.ts'
import type { BaseCall, Endpoint } from './endpoint.ts'
import { readQuery } from './query.ts'

/** How a surface lets a call in: everything that is decided before the body is read. Throws what it refuses. */
export interface Surface<Call extends BaseCall> {
  prefix: string
  admit(endpoint: Endpoint<Call>, request: FastifyRequest, reply: FastifyReply): Promise<Omit<Call, keyof BaseCall>>
  /** True while nothing may be written at all. */
  isReadOnly(call: Call): boolean
  /** True for writes that the audit keeps even when they are allowed. */
  isAudited(endpoint: Endpoint<Call>): boolean
}

type Found = { archived?: boolean } | undefined

/** Turns each declaration into its routes. A request goes one way: gate, find, frozen?, allowed?, body, run, answer. */
export function mount<Call extends BaseCall>(
  app: FastifyInstance,
  db: Db,
  surface: Surface<Call>,
  endpoints: Endpoint<Call>[],
) {
  for (const endpoint of endpoints) {
    const serve = server(endpoint, surface)
    const isRead = endpoint.method === 'GET'
    for (const address of endpoint.at) {
      app.route({
        method: endpoint.method,
        url: surface.prefix + address,
        schema: { response: { [endpoint.status]: endpoint.returns } },
        async onRequest(request, reply) {
          request.operation = endpoint.operation
          request.admitted = await surface.admit(endpoint, request, reply)
        },
        async handler(request, reply) {
          const answer = isRead
            ? await serve(db, request, reply)
            : await db.transaction(tx => serve(tx, request, reply))
          return reply.code(endpoint.status).send(answer)
        },
      })
    }
  }
}

function server<Call extends BaseCall>(endpoint: Endpoint<Call>, surface: Surface<Call>) {
  const readBody = endpoint.body && bodyReader(endpoint.body)
  const isRead = endpoint.method === 'GET'

  return async (db: Db, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const params = request.params as Record<string, string>
    const call = { ...(request.admitted as object), db, params } as Call
    const query = endpoint.query && readQuery(endpoint.query, request.query as Record<string, string>)
    const found = (await endpoint.find?.(call)) as Found

    if (!isRead) refuseFrozen(endpoint, surface.isReadOnly(call), found)
    endpoint.policy?.(call, found as never)
    const body = readBody?.(request.body as RawBody)
    if (body && body.ignored.length > 0) reply.header('x-ignored-fields', headerList(body.ignored))

    const answer = await endpoint.run({ ...call, query, body: body?.fields } as never, found as never)
    if (!isRead && surface.isAudited(endpoint)) await auditAllowed(db, request, endpoint.status)
    return answer
  }
}

/** A state, not a permission: whatever the key allows, a frozen record takes no write. */
function refuseFrozen<Call extends BaseCall>(endpoint: Endpoint<Call>, isReadOnly: boolean, found: Found): void {
  if (isReadOnly) throw forbidden("The company's subscription is read-only.")
  if (found?.archived && !endpoint.worksOnArchived) throw forbidden('The project is archived. Unarchive it first.')
}

/** Names as a header can carry them. */
function headerList(names: string[]): string {
  return names
    .slice(0, 50)
    .map(name => encodeURIComponent(name.toWellFormed().slice(0, 100)))
    .join(', ')
}
