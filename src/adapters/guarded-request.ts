import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { CalendarError } from '../domain/ports/calendar-server.ts'
import { isPublicAddress } from '../lib/address-guard.ts'

const ANSWER_BYTES = 1_048_576

export interface GuardOptions {
  /** Lets requests go to private, loopback and link-local addresses too. */
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
  body: string
}

export type GuardedRequest = (url: URL, outgoing: Outgoing, signal: AbortSignal) => Promise<Incoming>

/**
 * A request to a URL that a stranger has chosen. Its host is resolved once, every address that comes back must be
 * allowed, and the connection goes to one of those addresses: there is no second look-up that could answer otherwise.
 * Redirects are answers like any other.
 */
export function createGuardedRequest({ allowPrivate, resolve = resolveAll }: GuardOptions): GuardedRequest {
  return async (url, { method, headers, body }, signal) => {
    requirePlainUrl(url)
    const addresses = await checkedAddresses(url, signal)
    const sent = { ...headers, host: url.host, 'accept-encoding': 'identity' }
    try {
      const response = await send(url, { method, headers: sent, body }, addresses, signal)
      return await readAnswer(response)
    } catch (error) {
      throw failureOf(error as Error, signal)
    }
  }

  async function checkedAddresses(url: URL, signal: AbortSignal): Promise<LookupAddress[]> {
    const host = hostOf(url)
    const family = isIP(host)
    const addresses = family ? [{ address: host, family }] : await within(signal, resolve(host))
    if (addresses.length === 0) throw new CalendarError('url', `can't be reached: ${host} has no address`)
    if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
      throw new CalendarError('url', 'must not lead to a private address')
    return addresses
  }
}

function send(
  url: URL,
  { method, headers, body = '' }: Outgoing,
  addresses: LookupAddress[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const request = open({
      method,
      protocol: url.protocol,
      host: hostOf(url),
      port: url.port,
      path: url.pathname,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      lookup: (_host, options, callback) => {
        const [first] = addresses as [LookupAddress]
        if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      // No connection is shared: each was checked for the one request that it carries.
      agent: false,
      signal,
    })
    request.on('response', resolve).on('error', reject).end(body)
  })
}

function resolveAll(host: string): Promise<LookupAddress[]> {
  return lookup(host, { all: true })
}

/** Without the brackets that a URL has around an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

export function requirePlainUrl(url: URL): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new CalendarError('url', 'must be an http or https URL')
  if (url.username !== '' || url.password !== '')
    throw new CalendarError('url', "can't carry a name or password: send them as username and password")
  if (url.search !== '') throw new CalendarError('url', "can't have a query")
}

/** A look-up cannot be called off, but nobody has to wait for it. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, late]).catch(error => {
    throw failureOf(error, signal)
  })
}

async function readAnswer(response: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of response) {
    sizeBytes += chunk.length
    if (sizeBytes > ANSWER_BYTES) throw new CalendarError('url', 'answers with more than 1 MB')
    chunks.push(chunk)
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString('utf8') }
}

function failureOf(error: NodeJS.ErrnoException, signal: AbortSignal): CalendarError {
  if (error instanceof CalendarError) return error
  if (signal.aborted) return new CalendarError('url', "can't be reached: it did not answer in time")
  return new CalendarError('url', `can't be reached: ${error.code ?? error.message}`)
}
