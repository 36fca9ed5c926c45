import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDiwan, type Diwan, type DiwanError, type Settings } from '../../../client/src/index.ts'
import { readClientConfig, readConfig } from '../../../src/config.ts'
import { secretFiles } from '../../../src/domain/installation/secrets.ts'
import { ConfigError } from '../../../src/lib/settings.ts'
import { Failure, type Options, UsageError } from '../frame/command.ts'
import { harmless, note, type Row } from '../frame/output.ts'

/** A running server, and our credentials for it. */
export interface Remote {
  url: string
  key: string
}

export const URL_OPTION = {
  url: { type: 'text', value: 'URL', help: 'Where the server is; default DIWAN_URL, or HOST and PORT' },
} as const satisfies Options

/** With the token of a person or the operator. */
export async function administration(option: string | undefined): Promise<Remote> {
  const url = addressOf(option)
  return { url, key: await tokenFor(url) }
}

/** With an API key. */
export function api(option: string | undefined): Remote {
  const { key } = readClientConfig()
  if (key === undefined) throw new ConfigError('DIWAN_KEY must be set to an API key: diwan key create makes one')
  return { url: addressOf(option), key }
}

export function addressOf(option: string | undefined): string {
  if (option !== undefined && !/^https?:\/\/[^/]/.test(option))
    throw new UsageError('--url must begin with http:// or https://')
  const given = option ?? readClientConfig().url
  if (given !== undefined) return given.replace(/\/$/, '')
  const { host, port } = readConfig()
  // A server that listens on all addresses is reached at the nearest.
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** The token in the data folder is that of the server on this machine, and is sent to no other. */
async function tokenFor(url: string): Promise<string> {
  const { token } = readClientConfig()
  if (token !== undefined) return token
  if (!LOOPBACK.test(new URL(url).hostname))
    throw new ConfigError(`DIWAN_TOKEN must be set to a token for ${new URL(url).host}`)
  const file = join(readConfig().dataDir, secretFiles.operatorToken)
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim()
  if (kept === '')
    throw new ConfigError(
      'DIWAN_TOKEN or OPERATOR_TOKEN must be set: DATA_DIR holds no operator token that can be read',
    )
  return kept
}

const ANSWER_WITHIN_MS = 60_000

interface How extends Pick<Settings, 'retryForMs' | 'maxWaitMs' | 'wait'> {
  onAnswer?(response: Response): void
}

/** A client that fails at once, but gives the server a pause when it asks for one. */
export function connect({ url, key }: Remote, { onAnswer = () => {}, ...how }: How = {}): Diwan {
  return createDiwan({
    url,
    key,
    timeoutMs: ANSWER_WITHIN_MS,
    retryForMs: 0,
    async wait(ms) {
      note(`The server asks for a pause of ${ms / 1000} s`)
      await sleep(ms)
    },
    ...how,
    async fetch(input, init) {
      // A redirect could take the credentials elsewhere.
      const response = await fetch(input, { ...init, redirect: 'manual' }).catch(error => {
        throw new Unreachable(url, error)
      })
      const bucket = signedAddressIn(response)
      const answer = bucket ? await fetchSigned(bucket, init?.signal) : response
      onAnswer(answer)
      return answer
    },
  })
}

/** The address of a file's bytes in a bucket, which says by itself who may read them. Other redirects are not followed. */
function signedAddressIn({ status, headers }: Response): URL | undefined {
  const location = headers.get('location') ?? ''
  if (status !== 302 || !URL.canParse(location)) return undefined
  const address = new URL(location)
  return address.searchParams.has('X-Amz-Signature') ? address : undefined
}

/** Without our credentials: they are no business of the bucket, which would refuse a request that has two. */
function fetchSigned(address: URL, signal: AbortSignal | null | undefined): Promise<Response> {
  return fetch(address, { redirect: 'error', ...(signal && { signal }) }).catch(error => {
    throw new Unreachable(address.origin, error)
  })
}

class Unreachable extends Failure {
  readonly reason: string

  constructor(url: string, error: { message: string; cause?: { code?: string; message?: string } }) {
    const reason = error.cause?.code || error.cause?.message || error.message
    super(`No server answers at ${url} (${reason}). Start it first, or set DIWAN_URL`)
    this.reason = reason
  }
}

/** What went wrong with a call, in one line. */
export function explainCall({ status, code, message, cause }: DiwanError): string {
  if (cause instanceof Unreachable) return cause.message
  if (status === 0) return harmless(message)
  if (code === 'too_many_requests') return `${status}: ${harmless(message)}`
  if (code === 'unexpected_answer') return `${status}: the server gave no reason`
  return harmless(`${status} ${code}: ${message}`)
}

/** Why a connection was lost, in a few words. */
export function reasonOf(error: DiwanError): string {
  return error.cause instanceof Unreachable ? error.cause.reason : explainCall(error)
}

interface Page {
  data: unknown
  meta?: { next_cursor?: string | null; more?: boolean; total?: number }
}

/** The pages of any collection. The feed calls its cursor `after`, and says itself whether there is more. */
export async function* pagesOf(diwan: Diwan, path: string, query: Row): AsyncGenerator<Page> {
  for (let next: Row = query; ; ) {
    const page = await diwan.request<Page>('GET', path, { query: next })
    yield page
    const { next_cursor, more } = page.meta ?? {}
    if (!next_cursor || more === false) return
    next = { ...query, [more === undefined ? 'cursor' : 'after']: next_cursor }
  }
}
