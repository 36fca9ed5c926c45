import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../db/db.ts'
import { forbidden } from '../domain/errors.ts'
import { findAnswer, keepAnswer, type Repeater } from '../domain/idempotency.ts'
import type { Enqueue } from '../domain/jobs.ts'
import { auditAllowed } from './audit.ts'
import { bodyReader, type RawBody } from './body.ts'
import type { BaseCall, Endpoint } from './endpoint.ts'
import { tagAnswer } from './etag.ts'
import { idempotencyName, requestDigest } from './idempotency.ts'
import { readQuery } from './query.ts'

/** How a surface lets a call in: everything that is decided before the body is read. Throws what it refuses. */
export interface Surface<Call extends BaseCall> {
  prefix: string
  admit(endpoint: Endpoint<Call>, request: FastifyRequest, reply: FastifyReply): Promise<Omit<Call, keyof BaseCall>>
  /** True while nothing may be written at all. */
  isReadOnly(call: Call): boolean
  /** True for writes that the audit keeps even when they are allowed. */
  isAudited(endpoint: Endpoint<Call>): boolean
  /** Whose repeated POSTs are recognised; undefined where repeats are not. */
  repeater(call: Call): Repeater | undefined
}

export interface MountParts {
  db: Db
  enqueue: Enqueue
}

type Found = { archived?: boolean } | undefined

/** Turns each declaration into its routes. A request goes one way: gate, find, frozen?, allowed?, body, run, answer. */
export function mount<Call extends BaseCall>(
  app: FastifyInstance,
  parts: MountParts,
  surface: Surface<Call>,
  endpoints: Endpoint<Call>[],
) {
  for (const endpoint of endpoints) {
    const serve = endpoint.method === 'GET' ? readServer(parts, endpoint) : writeServer(parts, endpoint, surface)
    for (const address of endpoint.at) {
      app.route({
        method: endpoint.method,
        url: surface.prefix + address,
        schema: { response: { [endpoint.status]: endpoint.returns } },
        async onRequest(request, reply) {
          request.operation = endpoint.operation
          request.admitted = await surface.admit(endpoint, request, reply)
        },
        ...(endpoint.method === 'GET' && { onSend: tagAnswer }),
        handler: (request, reply) => serve(request, reply),
      })
    }
  }
}

type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function readServer<Call extends BaseCall>({ db, enqueue }: MountParts, endpoint: Endpoint<Call>): Serve {
  return async request => {
    const call = callOf<Call>(request, db, enqueue)
    const query = endpoint.query && readQuery(endpoint.query, request.query as Record<string, string>)
    const found = await endpoint.find?.(call)
    endpoint.policy?.(call, found as never)
    return endpoint.run({ ...call, query } as never, found as never)
  }
}

/** A write is one transaction from the look-up of its record to its audit: all of it happened, or nothing did. */
function writeServer<Call extends BaseCall>(
  { db, enqueue }: MountParts,
  endpoint: Endpoint<Call>,
  surface: Surface<Call>,
): Serve {
  const readBody = endpoint.body && bodyReader(endpoint.body)

  async function write(tx: Db, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const call = callOf<Call>(request, tx, enqueue)
    const found = (await endpoint.find?.(call)) as Found
    refuseFrozen(endpoint, surface.isReadOnly(call), found)
    endpoint.policy?.(call, found as never)
    const body = readBody?.(request.body as RawBody)
    if (body && body.ignored.length > 0) reply.header('x-ignored-fields', headerList(body.ignored))

    const answer = await endpoint.run({ ...call, body: body?.fields } as never, found as never)
    if (surface.isAudited(endpoint)) await auditAllowed(tx, request, endpoint.status)
    return answer
  }

  /** A client that repeats a POST under the same name gets the first answer again, and nothing is done twice. */
  async function writeOnce(tx: Db, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const name = idempotencyName(request)
    const repeater = name === undefined ? undefined : surface.repeater(callOf<Call>(request, tx, enqueue))
    if (name === undefined || repeater === undefined) return write(tx, request, reply)

    const digest = requestDigest(request)
    const stored = await findAnswer(tx, repeater, name, digest)
    if (stored) {
      if (stored.ignored_fields !== null) reply.header('x-ignored-fields', stored.ignored_fields)
      reply.header('idempotency-replayed', 'true')
      return JSON.parse(stored.answer)
    }
    const answer = await write(tx, request, reply)
    const ignored_fields = (reply.getHeader('x-ignored-fields') as string | undefined) ?? null
    await keepAnswer(tx, repeater, name, digest, {
      status: endpoint.status,
      answer: JSON.stringify(answer),
      ignored_fields,
    })
    return answer
  }

  return async (request, reply) => {
    const answer = await db.transaction(tx => writeOnce(tx, request, reply))
    reply.code(endpoint.status)
    return answer
  }
}

function callOf<Call extends BaseCall>(request: FastifyRequest, db: Db, enqueue: Enqueue): Call {
  return { ...(request.admitted as object), db, enqueue, params: request.params } as Call
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
