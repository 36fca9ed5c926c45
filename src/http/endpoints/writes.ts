import { type Db, moreFollows } from '../../db/db.ts'
import type { AuditNote } from '../../domain/audit.ts'
import { ApiError, preconditionFailed } from '../../domain/errors.ts'
import { answerTo, type EarlierAnswer, findAnswer, keepAnswers, type Repeat } from '../../domain/idempotency.ts'
import type { JsonObject } from '../../lib/json.ts'
import { ignoredFields, ignoredText, reportIgnored } from '../answers/ignored.ts'
import { jsonInPieces } from '../answers/in-pieces.ts'
import { parseBody } from '../requests/body.ts'
import type { Reply, Request, Serve } from '../requests/request.ts'
import { auditAllowed } from './audit.ts'
import { admittedBy, type CallParts, callOf, databaseOf } from './call.ts'
import { requireMatch } from './conditional.ts'
import { locationOf } from './created.ts'
import type { ReadEndpoint, SentBody, Version, WriteEndpoint } from './declare.ts'
import type { BaseCall } from './endpoint.ts'
import type { Gate } from './gate.ts'
import { idempotencyName, requestDigest } from './idempotency.ts'
import { writeTogether, writeTogetherOnce } from './shared-writes.ts'

/** The GET of the record that a write changes, where versions are compared; and that of the record that it creates. */
interface Reads<Call extends BaseCall> {
  shownBy: ReadEndpoint<Call> | undefined
  createdFor: ReadEndpoint<Call> | undefined
}

/** A write is one transaction, from the lookup of its record to its audit entries: all of it happens, or nothing. */
export function writeServer<Admitted extends object, Requirements extends object>(
  parts: CallParts,
  gate: Gate<Admitted, Requirements>,
  endpoint: Requirements & WriteEndpoint<BaseCall & Admitted>,
  { shownBy, createdFor }: Reads<BaseCall & Admitted>,
): Serve {
  type Write = (call: BaseCall & Admitted) => Promise<unknown>
  // An endpoint that creates, or may do so, looks up the parent of what it adds; any other looks up what it changes.
  const holds = endpoint.status === 201 || endpoint.method === 'PUT' ? 'parent' : 'record'
  const isAudited = gate.isAudited(endpoint)

  // Such a write has other statements before or after it in its transaction, so it cannot be a single statement.
  const writeAtOnce = isAudited || gate.confirm ? undefined : endpoint.writeAtOnce

  return async (request, reply) => {
    reply.code(endpoint.status)
    const answer = await serve(request, reply, await repeatOf(request))
    if (createdFor && reply.statusCode === 201)
      reply.header('location', gate.prefix + locationOf(createdFor, request.params, answer))
    return answer
  }

  /** A repeated request must not repeat slow work, so its answer is looked up first. A plain write does so in its transaction. */
  async function serve(request: Request, reply: Reply, repeat: Repeat | undefined): Promise<unknown> {
    const { write, prepareWrite } = endpoint
    const sent = sentBody(request, reply)
    if (write)
      return (await triedAtOnce(request, reply, sent, repeat)) ?? plainWrite(write, request, reply, sent, repeat)
    const earlier = repeat && (await repeatedAnswer(request, reply, repeat))
    return earlier ?? preparedWrite(prepareWrite, request, reply, sent, repeat)
  }

  function plainWrite(
    write: NonNullable<typeof endpoint.write>,
    request: Request,
    reply: Reply,
    sent: SentBody,
    repeat: Repeat | undefined,
  ): Promise<unknown> {
    const version: Version<BaseCall & Admitted> = {
      async require(call, params) {
        if (shownBy) await requireMatch(shownBy, call, params, reply)
      },
      requireNone() {
        if (request.headers['if-match'] !== undefined) throw preconditionFailed()
        reply.code(201)
      },
    }
    return writeOnce(request, reply, repeat, call => write(call, sent, version))
  }

  /**
   * Most writes find their record in the expected state. So a write that can be one statement is tried as one; when it did
   * nothing, the step-by-step way does the write or finds out why not.
   */
  async function triedAtOnce(
    request: Request,
    reply: Reply,
    sent: SentBody,
    repeat: Repeat | undefined,
  ): Promise<unknown> {
    const db = databaseOf(parts, gate, request)
    const call = callOf(parts, gate, request, db, 'nothing')
    if (!writeAtOnce || call.isReadOnly || call.headers['if-match'] !== undefined) return undefined
    let ignored: string[] = []
    const onIgnored = (names: string[]) => {
      ignored = names
    }
    const one = unlessRefused(() => writeAtOnce(call, { ...sent, onIgnored }))
    // Which status a repeat gets again is not known before such a write.
    if (!one || (one.isNew && repeat)) return undefined
    if (repeat) {
      const kept = { repeat, status: endpoint.status, ignoredFields: ignoredText(ignored) }
      const { earlier, answer } = await writeTogetherOnce(db, one, kept)
      const replayed = answerTo(repeat, earlier)
      if (replayed) return replay(reply, replayed)
      if (answer !== undefined) reportIgnored(reply, 'fields', ignored)
      return answer
    }
    const written = await writeTogether(db, one)
    if (!written) return undefined
    reportIgnored(reply, 'fields', ignored)
    if (written.isNew) reply.code(201)
    return written.answer
  }

  function repeatedAnswer(request: Request, reply: Reply, repeat: Repeat): Promise<unknown> {
    return databaseOf(parts, gate, request).transaction(tx => answerAgain(tx, reply, repeat))
  }

  async function preparedWrite(
    prepareWrite: NonNullable<typeof endpoint.prepareWrite>,
    request: Request,
    reply: Reply,
    sent: SentBody,
    repeat: Repeat | undefined,
  ): Promise<unknown> {
    const call = callOf(parts, gate, request, databaseOf(parts, gate, request), 'nothing')
    const write = await prepareWrite(call, sent, untilGone(reply))
    return writeOnce(request, reply, repeat, write)
  }

  /** A client that repeats a request under the same name gets the first answer again, and nothing is done twice. */
  function writeOnce(request: Request, reply: Reply, repeat: Repeat | undefined, write: Write): Promise<unknown> {
    const work = async (tx: Db) => {
      const earlier = repeat && (await answerAgain(tx, reply, repeat))
      if (earlier) return earlier
      // An attempt that was rolled back may have found another state.
      reply.code(endpoint.status)
      const answer = await audited(repeat || isAudited ? moreFollows(tx) : tx, request, write)
      const { statusCode: status } = reply
      if (repeat) {
        const text = await jsonInPieces(answer)
        await keepAnswers(tx, [{ repeat, status, answer: text, ignoredFields: ignoredFields(reply) }])
      }
      return answer
    }
    return databaseOf(parts, gate, request).transaction(work, { endsWithLast: true })
  }

  async function audited(tx: Db, request: Request, write: Write): Promise<unknown> {
    const notes: AuditNote[] = []
    const call = callOf(parts, gate, request, tx, holds, notes)
    await gate.confirm?.(endpoint, call)
    const answer = await write(call)
    if (isAudited) await auditAllowed(tx, request, endpoint.status, notes)
    return answer
  }

  function sentBody(request: Request, reply: Reply): SentBody {
    let parsed: JsonObject | undefined
    return {
      parse: () => {
        parsed ??= parseBody(request.body)
        return parsed
      },
      onIgnored: names => reportIgnored(reply, 'fields', names),
      spendMore: async calls => gate.spendMore?.(admittedBy(gate, request), calls, request, reply),
    }
  }

  async function repeatOf(request: Request): Promise<Repeat | undefined> {
    const repeater = gate.repeater(admittedBy(gate, request))
    if (!repeater) return undefined
    const name = idempotencyName(request)
    return name === undefined ? undefined : { ...repeater, name, request_digest: await requestDigest(request) }
  }
}

/** Undefined instead of a refusal: the step-by-step way refuses the call again, with its checks in the right order. */
function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

async function answerAgain(tx: Db, reply: Reply, repeat: Repeat): Promise<unknown> {
  const earlier = await findAnswer(tx, repeat)
  return earlier && replay(reply, earlier)
}

function replay(reply: Reply, stored: EarlierAnswer): unknown {
  if (stored.ignored_fields !== null) reply.header('x-ignored-fields', stored.ignored_fields)
  reply.code(stored.status).header('idempotency-replayed', 'true')
  return JSON.parse(stored.answer)
}

/** Aborted when the client disconnects before it was answered: nobody waits for the slow work any more. */
function untilGone({ raw }: Reply): AbortSignal {
  const gone = new AbortController()
  if (raw.destroyed) gone.abort()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
