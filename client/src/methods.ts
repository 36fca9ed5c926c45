import { invalid } from './error.ts'
import { pagesOf } from './pages.ts'
import { type Answered, isNamed, type Request, type Sender } from './request.ts'
import { keepVersion, type Versioned, versionOf } from './versions.ts'

export type { Pages } from './pages.ts'
export type { Versioned } from './versions.ts'

/** What every method takes last. */
export interface Options {
  /** Ends the call; its promise is rejected with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** How long one attempt may take. */
  timeoutMs?: number | undefined
  /** Called with the status and the headers of each answer to this call. */
  onAnswer?: ((answer: Answered) => void) | undefined
}

export interface PostOptions extends Options {
  /**
   * A request with the same name is carried out once and answered the same for 24 hours. The client generates a name for every
   * call, which covers its own attempts; pass one to cover those of your program too.
   */
  idempotencyKey?: string | undefined
}

/** The HTTP method, the path, what it takes besides the handles in the path, and what it returns. */
export type Method = [method: string, path: string, takes: string, gives: string]

type AnyOptions = PostOptions & Versioned

/** The function that calls an endpoint: handles, then a query or a body, then options. */
export function methodOf(sender: Sender, [method, path, takes, gives]: Method) {
  function requestOf(args: unknown[]): Request {
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, args.shift()))
    const input = takes ? { [takes]: args.shift() } : {}
    return { method, path: address, ...input, ...sent(method, (args.shift() ?? {}) as AnyOptions) }
  }
  return (...args: unknown[]): unknown => {
    if (gives === 'pages')
      return pagesOf(
        () => requestOf([...args]),
        request => sender.send(request, readJson),
      )
    return call(args)
  }

  // Asynchronous, so that a mistake in its arguments rejects the promise like every other failure.
  async function call(args: unknown[]): Promise<unknown> {
    const request = requestOf(args)
    if (gives === 'bytes') return sender.send(request, response => response.blob())
    return sender.send(request, async response => {
      const answer = await readJson(response)
      return gives === 'answer' ? answer : keepVersion(answer.data, response)
    })
  }
}

/** A handle is one segment of a path, and must not lead to another path. */
function segment(name: string, handle: unknown): string {
  const text = String(handle ?? '')
  if (text === '' || text === '.' || text === '..') throw invalid(`${name} must be a ref, a slug or an id`)
  return encodeURIComponent(text)
}

/** Every POST and PUT has a name, so that it can be retried safely. */
export function sent(
  method: string,
  { signal, timeoutMs, onAnswer, idempotencyKey, ifMatch }: AnyOptions,
): Partial<Request> {
  const headers: Record<string, string> = {}
  if (isNamed(method)) headers['idempotency-key'] = idempotencyKey ?? newName()
  if (ifMatch !== undefined) headers['if-match'] = versionOf(ifMatch)
  return { headers, signal, timeoutMs, onAnswer }
}

/** Not `randomUUID`, which browsers have on https pages only. */
function newName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

export async function readJson(response: Response) {
  return JSON.parse(await response.text())
}
