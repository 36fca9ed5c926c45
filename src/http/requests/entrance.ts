import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { unavailable } from '../../domain/errors.ts'
import { LANGUAGES, type Language } from '../../domain/languages.ts'
import { envelope } from '../answers/errors.ts'
import { preferredLanguage } from './language.ts'
import { bearerToken } from './request.ts'
import { sessionCookie } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyInstance {
    entrance: Entrance
  }
}

interface Entrance {
  /** How many requests were refused since the process began. */
  refused(): number
  /** From now on the request is somebody else's work. */
  leave(request: IncomingMessage): void
}

/** A burst may wait: as many as this are worked on at a time … */
const MOST_IN_A_BURST = 500
/** … unless this many have been there for `BURST_FOR_MS` without a break. Then more comes than can be done. */
const MOST_IN_A_CROWD = 200
const BURST_FOR_MS = 1_000
/** The crowd is over when nobody had to be refused for so long. */
const CALM_AFTER_MS = 1_000
/** Whoever has fewer than this is let in all the same, crowd or not: it is others who make it. */
const FEW = 10
/** Nobody is let in beyond this many: callers who are all different would need room without end. */
const MOST_INSIDE = 2 * MOST_IN_A_BURST

/** Asked when the server is in trouble, so they are always answered. */
const PROBES = /^\/(?:health|ready|metrics)(?:\?|$)/

const CROWDED = unavailable('More calls come than can be answered at the moment. Try again soon.')
const REFUSALS = Object.fromEntries(LANGUAGES.map(language => [language, refusalIn(language)])) as Record<
  Language,
  ReturnType<typeof refusalIn>
>

/**
 * Refuses what is too much before any work is done for it. Where everything is let in, each call makes all others wait, until
 * none is answered in time; to refuse a call costs a fraction of answering it. What counts is calls that are worked on: not
 * those whose body is still arriving, and not those whose answer is being sent, which may go on for as long as a stream does.
 */
export function guardEntrance(app: FastifyInstance, log: Logger, idOf: (request: IncomingMessage) => string): void {
  const inside = new Map<IncomingMessage, string>()
  const callsOf = new Map<string, number>()
  let fullSince: number | undefined
  let refusedAt = Number.NEGATIVE_INFINITY
  let refused = 0
  let refusedInCrowd = 0

  function enter(request: IncomingMessage): void {
    const caller = callerOf(request)
    inside.set(request, caller)
    callsOf.set(caller, (callsOf.get(caller) ?? 0) + 1)
    if (inside.size >= MOST_IN_A_CROWD) fullSince ??= performance.now()
  }

  function leave(request: IncomingMessage): void {
    const caller = inside.get(request)
    if (caller === undefined) return
    inside.delete(request)
    const left = (callsOf.get(caller) ?? 0) - 1
    if (left > 0) callsOf.set(caller, left)
    else callsOf.delete(caller)
    if (inside.size < MOST_IN_A_CROWD) fullSince = undefined
  }

  function isTooMuch(request: IncomingMessage, now: number): boolean {
    const isCrowded = now - refusedAt < CALM_AFTER_MS || now - (fullSince ?? now) > BURST_FOR_MS
    const most = isCrowded ? MOST_IN_A_CROWD : MOST_IN_A_BURST
    if (inside.size < most) return false
    return inside.size >= MOST_INSIDE || (callsOf.get(callerOf(request)) ?? 0) >= FEW
  }

  function note(now: number, isRefused: boolean): void {
    if (isRefused) {
      if (refusedInCrowd === 0)
        log.warn({ inside: inside.size }, 'More calls come than can be answered: some are refused')
      refused++
      refusedInCrowd++
      refusedAt = now
    } else if (refusedInCrowd > 0 && now - refusedAt >= CALM_AFTER_MS) {
      log.info({ refused: refusedInCrowd }, 'Calls are no longer refused')
      refusedInCrowd = 0
    }
  }

  function turnAway(request: IncomingMessage, response: ServerResponse): void {
    const { headers, body } = REFUSALS[preferredLanguage(request.headers['accept-language'])]
    response.writeHead(CROWDED.status, { ...headers, 'x-request-id': idOf(request) }).end(body)
  }

  const [answer] = app.server.listeners('request') as RequestListener[]
  app.server.removeAllListeners('request')
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const now = performance.now()
    const isRefused = !PROBES.test(request.url ?? '') && isTooMuch(request, now)
    note(now, isRefused)
    if (isRefused) return turnAway(request, response)
    enter(request)
    response.once('close', () => leave(request))
    answer?.(request, response)
  })

  app.decorate('entrance', { refused: () => refused, leave })
  // The body, if there is one, is read before the next of these hooks.
  app.addHook('preValidation', (request, _reply, done) => {
    leave(request.raw)
    done()
  })
  app.addHook('preHandler', (request, reply, done) => {
    if (request.raw instanceof IncomingMessage && !reply.raw.destroyed) enter(request.raw)
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    leave(request.raw)
    done(null, payload)
  })
}

/**
 * By what it says of itself, because nothing has been looked up yet; read as the gates read it, so that nobody is several callers by
 * writing the same in several ways.
 */
function callerOf(request: IncomingMessage): string {
  const secret = request.headers.authorization === undefined ? sessionCookie(request) : bearerToken(request)
  return secret ?? request.socket.remoteAddress ?? ''
}

function refusalIn(language: Language) {
  const body = JSON.stringify(envelope(CROWDED.code, CROWDED.words[language]))
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'content-language': language,
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Language',
  }
  return { headers, body }
}
