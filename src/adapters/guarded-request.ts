import type { LookupAddress } from 'node:dns'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { retold } from '../domain/sentences/retold.ts'
import { say } from '../domain/sentences/sentences.ts'
import { isPublicAddress } from '../lib/address-guard.ts'
import { untilAborted } from '../lib/deadline.ts'
import { humanSize } from '../lib/size.ts'
import { GuardedRequestError, progressOf, reasonOf } from './guarded-request-error.ts'
import { createNameResolver, type Resolve } from './name-resolver.ts'

export interface GuardOptions {
  /** Allows requests to private, loopback and link-local addresses too. */
  allowPrivate: boolean
  resolve?: Resolve
}

export interface Outgoing {
  /** For whom it is sent: names are looked up at the expense of this company. */
  company_id: number
  method: string
  headers: Record<string, string>
  body?: string
}

export interface Incoming {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** How much of an answer is read, and what happens to a longer one. */
interface AnswerBound {
  bytes: number
  beyond: 'refuse' | 'cut'
}

export interface Guard {
  /**
   * Sends a request and reads its answer. Throws a GuardedRequestError, whatever goes wrong, and at once when the signal
   * aborts, whatever the other side does.
   */
  request(url: URL, outgoing: Outgoing, bound: AnswerBound, signal: AbortSignal): Promise<Incoming>
  /** Throws what a request to this URL would be refused for, without sending it. */
  check(url: URL, companyId: number, signal: AbortSignal): Promise<void>
}

/** A server may announce its answer (100, 102, 103), but not without end. */
const MOST_ANNOUNCEMENTS = 10
/**
 * If a name has several addresses, each is tried for this long before the next. Node.js would give each a quarter of a
 * second.
 */
const CONNECTING = { autoSelectFamilyAttemptTimeout: 2_500 }

/** One for the process: what is remembered and limited is so for all requests together. */
const resolveOnce = createNameResolver()

/**
 * Requests to URLs that a stranger has chosen. The host is resolved once, every address that comes back must be allowed, and
 * the connection goes to one of those addresses: no second look-up could answer differently. Redirects are answers like any
 * other.
 */
export function createGuard({ allowPrivate, resolve = resolveOnce }: GuardOptions): Guard {
  return {
    async request(url, { headers, ...outgoing }, bound, signal) {
      requirePlainUrl(url)
      const addresses = await checkedAddresses(url, outgoing.company_id, signal)
      const sent = { ...headers, host: url.host, 'accept-encoding': 'identity' }
      return send(url, { ...outgoing, headers: sent }, addresses, bound, signal)
    },

    async check(url, companyId, signal) {
      requirePlainUrl(url)
      await checkedAddresses(url, companyId, signal)
    },
  }

  async function checkedAddresses(url: URL, companyId: number, signal: AbortSignal): Promise<LookupAddress[]> {
    const host = hostOf(url)
    const family = isIP(host)
    const addresses = family
      ? [{ address: host, family }]
      : await untilAborted(signal, resolve(host, companyId)).catch(error => {
          throw failureOf(error, signal, 'resolving')
        })
    if (addresses.length === 0)
      throw new GuardedRequestError('dns', say("can't be reached: {host} has no address", { host }))
    if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
      throw new GuardedRequestError('private_address', 'must not lead to a private address')
    return addresses
  }
}

async function send(
  url: URL,
  { method, headers, body = '' }: Outgoing,
  addresses: LookupAddress[],
  bound: AnswerBound,
  signal: AbortSignal,
): Promise<Incoming> {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = open({
    method,
    protocol: url.protocol,
    host: hostOf(url),
    port: url.port,
    path: url.pathname + url.search,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    lookup: (_host, options, callback) => {
      const [first] = addresses as [LookupAddress]
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    },
    ...CONNECTING,
    // Connections are not shared: each was checked for the one request that it carries.
    agent: false,
  })
  const progress = progressOf(request)
  try {
    return await untilAborted(signal, answerTo(request, body, bound))
  } catch (error) {
    throw failureOf(error as Error, signal, progress())
  } finally {
    request.destroy()
  }
}

/** Whatever becomes of the request, this settles: with the answer, an error, or the end of the connection. */
function answerTo(request: ClientRequest, body: string, bound: AnswerBound): Promise<Incoming> {
  return new Promise((resolve, reject) => {
    let announcements = 0
    let hasAnswered = false
    request
      .on('response', response => {
        hasAnswered = true
        readAnswer(response, bound).then(resolve, reject)
      })
      .on('information', () => {
        if (++announcements > MOST_ANNOUNCEMENTS)
          reject(new GuardedRequestError('not_http', "can't be reached: it announces an answer and sends none"))
      })
      // Node.js lets go of a request whose server switches to another protocol: no other event would follow.
      .on('upgrade', (_answer, socket) => {
        socket.destroy()
        reject(new GuardedRequestError('other_protocol', "can't be used: it answers 101 and leaves HTTP"))
      })
      .on('error', reject)
      .on('close', () => {
        if (!hasAnswered) reject(Object.assign(new Error('Closed'), { code: 'ECONNRESET' }))
      })
      .end(body)
  })
}

/** Without the brackets that a URL has around an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function requirePlainUrl(url: URL): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new GuardedRequestError('url', 'must be an http or https URL')
  if (url.username !== '' || url.password !== '') throw new GuardedRequestError('url', "can't carry a name or password")
}

async function readAnswer(response: IncomingMessage, { bytes, beyond }: AnswerBound): Promise<Incoming> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of response) {
    sizeBytes += chunk.length
    chunks.push(chunk)
    if (sizeBytes <= bytes) continue
    if (beyond === 'cut') break
    const size = retold(humanSize(bytes))
    throw new GuardedRequestError('answer_too_large', say('answers with more than {size}', { size }))
  }
  const body = Buffer.concat(chunks).subarray(0, bytes)
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

function failureOf(
  error: NodeJS.ErrnoException,
  signal: AbortSignal,
  progress: Parameters<typeof reasonOf>[1],
): GuardedRequestError {
  if (error instanceof GuardedRequestError) return error
  if (signal.aborted) return new GuardedRequestError('time_out', "can't be reached: it did not answer in time")
  return new GuardedRequestError(
    reasonOf(error, progress),
    say("can't be reached: {reason}", { reason: error.code ?? error.message }),
  )
}
