import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, readClientConfig, readConfig } from '../../../src/config.ts'
import { secretFiles } from '../../../src/domain/secrets.ts'
import { Failure, type Options, UsageError } from '../frame/command.ts'
import { harmless, isRecord, note } from '../frame/output.ts'

/** A running server, and our credentials for it. */
export interface Remote {
  url: string
  headers: Record<string, string>
}

export const URL_OPTION = {
  url: { type: 'text', value: 'URL', help: 'Where the server is; default DIWAN_URL, or HOST and PORT' },
} as const satisfies Options

/** With the token of a person or the operator. */
export async function administration(option: string | undefined): Promise<Remote> {
  const url = addressOf(option)
  return { url, headers: { authorization: `Bearer ${await tokenFor(url)}` } }
}

/** With an API key. */
export function api(option: string | undefined): Remote {
  const { key } = readClientConfig()
  if (key === undefined) throw new ConfigError('DIWAN_KEY must be set to an API key: diwan key create makes one')
  return { url: addressOf(option), headers: { authorization: `Bearer ${key}` } }
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

export interface Request {
  method: string
  /** Including the query. */
  path: string
  body?: string | Buffer | undefined
  headers?: Record<string, string>
  /** How long to wait in total when the server asks for a pause. */
  waitSeconds?: number
}

/** The answer, whatever its status. A server that asks for a pause gets one. */
export async function send({ url, headers }: Remote, request: Request): Promise<Response> {
  const { method, path, body, waitSeconds = 60 } = request
  for (let left = waitSeconds; ; ) {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      ...(body !== undefined && { body }),
    }).catch(error => {
      throw unreachable(url, error)
    })
    const pause = pauseOf(response)
    if (pause === undefined || pause > left) return response
    left -= pause
    await response.body?.cancel()
    note(`The server asks for a pause of ${pause} s`)
    await sleep(pause * 1000)
  }
}

/** A used-up allowance comes back at midnight: nobody waits for that. */
export function pauseOf({ status, headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? ''
  return status === 429 && /^\d{1,9}$/.test(text) ? Math.max(1, Number(text)) : undefined
}

function unreachable(url: string, error: unknown): Failure {
  const { message, cause } = error as { message: string; cause?: { code?: string; message?: string } }
  const reason = cause?.code || cause?.message || message
  return new Failure(`No server answers at ${url} (${reason}). Start it first, or set DIWAN_URL`)
}

/** The data of an answer; a refusal is thrown with the server's own message. */
export async function ask(remote: Remote, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await send(remote, { method, path, body: body === undefined ? undefined : JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Failure(refusalOf(response.status, text))
  return JSON.parse(text)
}

/** Most refusals have a code and a message; that of calls that come too fast is flat, and a proxy's may be anything. */
export function refusalOf(status: number, text: string): string {
  const body = parsed(text)
  const error = isRecord(body) ? body.error : undefined
  if (typeof error === 'string') return `${status}: ${harmless(error)}`
  if (!isRecord(error)) return `${status}: the server gave no reason`
  return harmless(`${status} ${error.code}: ${error.message}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
