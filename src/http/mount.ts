import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Db } from '../db/db.ts'
import type { AuditNote } from '../domain/audit.ts'
import { forbidden } from '../domain/errors.ts'
import { findAnswer, keepAnswer, type Repeat, type Repeater } from '../domain/idempotency.ts'
import { auditAllowed } from './audit.ts'
import { bodyReader, type RawBody, type ReadBody } from './body.ts'
import { type BaseCall, type Endpoint, type Holds, Raw, type Services } from './endpoint.ts'
import { tagAnswer } from './etag.ts'
import { idempotencyName, requestDigest } from './idempotency.ts'
import { tellIgnored, unknownParameters } from './ignored.ts'
import { readQuery } from './query.ts'

/** How a surface lets a call in: everything that is decided before the body is read. Throws what it refuses. */
export interface Surface<Call extends BaseCall> {
  prefix: string
  admit(endpoint: Endpoint<Call>, request: FastifyRequest, reply: FastifyReply): Promise<Omit<Call, keyof BaseCall>>
  /** Asks again, first thing in a write's own transaction, and holds what it was told until the commit. */
  confirm?(endpoint: Endpoint<Call>, call: Call): Promise<void>
  /** True while nothing may be written at all. */
  isReadOnly(call: Call): boolean
  /** True for writes of which the audit keeps what they say of themselves. */
  isAudited(endpoint: Endpoint<Call>): boolean
  /** On whose account the call runs: no company takes more than its share of the database. */
  companyOf(call: Omit<Call, keyof BaseCall>): number
  /** Whose repeated POSTs are recognised; undefined where repeats are not. */
  repeater(call: Omit<Call, keyof BaseCall>): Repeater | undefined
}

export interface MountParts {
  db: Db
  services: Services
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
    const serve =
      endpoint.method === 'GET' ? readServer(parts, endpoint, surface) : writeServer(parts, endpoint, surface)
    for (const address of endpoint.at) {
      app.route({
        method: endpoint.method,
        url: surface.prefix + address,
        schema: { response: { [endpoint.status]: endpoint.returns } },
        async onRequest(request, reply) {
          request.operation = endpoint.operation
          if (endpoint.bodyLimitBytes !== undefined) request.bodyLimitBytes = endpoint.bodyLimitBytes
          request.admitted = await surface.admit(endpoint, request, reply)
          tellIgnored(reply, 'parameters', unknownParameters(endpoint.query, request.query as object))
        },
        ...(endpoint.method === 'GET' && { onSend: tagAnswer }),
        handler: (request, reply) => serve(request, reply),
      })
    }
  }
}

/** An endpoint without fields takes an object too, and names what it drops. */
const NO_FIELDS = Type.Object({})

interface Prepared {
  body: ReadBody
  prepared: unknown
}

type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function readServer<Call extends BaseCall>(
  { db, services }: MountParts,
  endpoint: Endpoint<Call>,
  surface: Surface<Call>,
): Serve {
  return async (request, reply) => {
    const call = callOf<Call>(request, ownDb(db, surface, request), services, 'nothing')
    const query = endpoint.query && readQuery(endpoint, request.query as Record<string, string>)
    const found = await endpoint.find?.(call)
    endpoint.policy?.(call, found as never)
    const answer = await endpoint.run(Object.assign(call, { query }) as never, found as never)
    return answer instanceof Raw ? reply.code(answer.status).headers(answer.headers).send(answer.body) : answer
  }
}

/** A write is one transaction from the look-up of its record to its audit: all of it happened, or nothing did. */
function writeServer<Call extends BaseCall>(
  { db, services }: MountParts,
  endpoint: Endpoint<Call>,
  surface: Surface<Call>,
): Serve {
  // An endpoint that creates finds the parent of what it adds; any other finds what it changes.
  const holds = endpoint.status === 201 ? 'parent' : 'record'
  const readBody = bodyReader(endpoint.body ?? NO_FIELDS)

  return async (request, reply) => {
    const repeat = repeatOf(request)
    const own = ownDb(db, surface, request)
    const answer =
      (endpoint.prepare && repeat && (await own.transaction(tx => answerAgain(tx, reply, repeat)))) ??
      (await writeOnce(own, request, reply, repeat, endpoint.prepare && (await prepare(own, request, reply))))
    reply.code(endpoint.status)
    return answer
  }

  /** All that can refuse the call, asked before the slow work is done; the write asks again for its record. */
  async function prepare(own: Db, request: FastifyRequest, reply: FastifyReply): Promise<Prepared> {
    const call = callOf<Call>(request, own, services, 'nothing')
    const found = await findWritable(call)
    const body = readBody(request.body as RawBody, ignored => tellIgnored(reply, 'fields', ignored))
    const slow = { ...call, body: body.fields, signal: untilGone(reply) }
    return { body, prepared: await endpoint.prepare?.(slow as never, found as never) }
  }

  /** A client that repeats a POST under the same name gets the first answer again, and nothing is done twice. */
  function writeOnce(
    own: Db,
    request: FastifyRequest,
    reply: FastifyReply,
    repeat: Repeat | undefined,
    prior: Prepared | undefined,
  ): Promise<unknown> {
    return own.transaction(async tx => {
      const earlier = repeat && (await answerAgain(tx, reply, repeat))
      if (earlier) return earlier
      const answer = await write(tx, request, reply, prior)
      if (repeat)
        await keepAnswer(
          tx,
          repeat,
          endpoint.status,
          JSON.stringify(answer),
          reply.getHeader('x-ignored-fields') as string,
        )
      return answer
    })
  }

  async function write(
    tx: Db,
    request: FastifyRequest,
    reply: FastifyReply,
    prior: Prepared | undefined,
  ): Promise<unknown> {
    const notes: AuditNote[] = []
    const call = callOf<Call>(request, tx, services, holds, notes)
    await surface.confirm?.(endpoint, call)
    const found = await findWritable(call)
    const body = prior
      ? prior.body
      : readBody(request.body as RawBody, ignored => tellIgnored(reply, 'fields', ignored))
    const answer = await endpoint.run(
      Object.assign(call, { body: body.fields, prepared: prior?.prepared }) as never,
      found as never,
    )
    if (surface.isAudited(endpoint)) await auditAllowed(tx, request, endpoint.status, notes)
    return answer
  }

  async function findWritable(call: Call): Promise<Found> {
    const found = (await endpoint.find?.(call)) as Found
    refuseFrozen(endpoint, surface.isReadOnly(call), found)
    endpoint.policy?.(call, found as never)
    return found
  }

  function repeatOf(request: FastifyRequest): Repeat | undefined {
    const repeater = surface.repeater(request.admitted as Call)
    const name = repeater && idempotencyName(request)
    return name === undefined ? undefined : { ...(repeater as Repeater), name, request_digest: requestDigest(request) }
  }
}

async function answerAgain(tx: Db, reply: FastifyReply, repeat: Repeat): Promise<unknown> {
  const stored = await findAnswer(tx, repeat)
  if (!stored) return undefined
  if (stored.ignored_fields !== null) reply.header('x-ignored-fields', stored.ignored_fields)
  reply.header('idempotency-replayed', 'true')
  return JSON.parse(stored.answer)
}

/** The database on the account of the caller's company. */
function ownDb<Call extends BaseCall>(db: Db, surface: Surface<Call>, request: FastifyRequest): Db {
  return db.onBehalfOf(surface.companyOf(request.admitted as Call))
}

/** Aborted when the client leaves before it was answered: then nobody waits for slow work any more. */
function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (raw.destroyed) gone.abort()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Assigned and not spread: for an object of this many fields that is a tenth of the work, and every call makes one. */
function callOf<Call extends BaseCall>(
  request: FastifyRequest,
  db: Db,
  services: Services,
  holds: Holds,
  notes: AuditNote[] = [],
): Call {
  const audit = (note: AuditNote) => void notes.push(note)
  const own = { db, holds, params: request.params, headers: request.headers, audit }
  return Object.assign(own, services, request.admitted) as object as Call
}

/** A state, not a permission: whatever the key allows, a frozen record takes no write. */
function refuseFrozen<Call extends BaseCall>(endpoint: Endpoint<Call>, isReadOnly: boolean, found: Found): void {
  if (isReadOnly) throw forbidden("The company's subscription is read-only.")
  if (found?.archived && !endpoint.worksOnArchived) throw forbidden('The project is archived. Unarchive it first.')
}
