import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from '../lib/address-guard.ts'
import { GuardedRequestError, progressOf, reasonOf } from './guarded-request-error.ts'

export interface GuardOptions {
  /** Allows requests to private, loopback and link-local addresses too. */
  allowPrivate: boolean
  resolve?: (host: string) => Promise<LookupAddress[]>
}

export interface Outgoing {
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
  /** Sends a request and reads its answer. Throws a GuardedRequestError, whatever goes wrong. */
  request(url: URL, outgoing: Outgoing, bound: AnswerBound, signal: AbortSignal): Promise<Incoming>
  /** Throws what a request to this URL would be refused for, without sending it. */
  check(url: URL, signal: AbortSignal): Promise<void>
}

/**
 * Requests to URLs that a stranger has chosen. The host is resolved once, every address that comes back must be allowed, and
 * the connection goes to one of those addresses: no second look-up could answer differently. Redirects are answers like any
 * other.
 */
export function createGuard({ allowPrivate, resolve = resolveAll }: GuardOptions): Guard {
  return {
    async request(url, { method, headers, body }, bound, signal) {
      requirePlainUrl(url)
      const addresses = await checkedAddresses(url, signal)
      const sent = { ...headers, host: url.host, 'accept-encoding': 'identity' }
      return send(url, { method, headers: sent, ...(body !== undefined && { body }) }, addresses, bound, signal)
    },

    async check(url, signal) {
      requirePlainUrl(url)
      await checkedAddresses(url, signal)
    },
  }

  async function checkedAddresses(url: URL, signal: AbortSignal): Promise<LookupAddress[]> {
    const host = hostOf(url)
    const family = isIP(host)
    const addresses = family ? [{ address: host, family }] : await within(signal, resolve(host))
    if (addresses.length === 0) throw new GuardedRequestError('dns', `can't be reached: ${host} has no address`)
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
    // Connections are not shared: each was checked for the one request that it carries.
    agent: false,
    signal,
  })
  const progress = progressOf(request)
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject).end(body)
    })
    return await readAnswer(response, bound)
  } catch (error) {
    throw failureOf(error as Error, signal, progress())
  } finally {
    request.destroy()
  }
}

function resolveAll(host: string): Promise<LookupAddress[]> {
  return lookup(host, { all: true })
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

/** A look-up cannot be cancelled, but nobody has to wait for it. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, late]).catch(error => {
    throw failureOf(error, signal, 'resolving')
  })
}

async function readAnswer(response: IncomingMessage, { bytes, beyond }: AnswerBound): Promise<Incoming> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of response) {
    sizeBytes += chunk.length
    chunks.push(chunk)
    if (sizeBytes <= bytes) continue
    if (beyond === 'cut') break
    throw new GuardedRequestError('answer_too_large', `answers with more than ${Math.floor(bytes / 1_048_576)} MB`)
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
  return new GuardedRequestError(reasonOf(error, progress), `can't be reached: ${error.code ?? error.message}`)
}
