import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { StorageUnavailable } from '../domain/ports/blob-store.ts'
import { timely } from './timely-body.ts'

/** Until the answer begins. */
const ANSWER_WITHIN_MS = 15_000
const TRIES = 4
const FIRST_PAUSE_MS = 200
const SIGNED_FOR_SECONDS = 300

export interface BucketSettings {
  /** Without a trailing slash. */
  endpoint: string
  bucket: string
  /** Empty, or ending with a slash. */
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

interface Content {
  bytes: Buffer
  /** In hexadecimal. It is signed, so the server compares it with what arrives. */
  sha256: string
}

interface Wish {
  query?: Record<string, string>
  headers?: Record<string, string>
  content?: Content
  tries?: number
  /** Ends all tries. */
  signal?: AbortSignal | undefined
  /** Asked right before each try; what it throws ends them. */
  confirm?: (() => Promise<unknown>) | undefined
}

/** What the server refused, by its own name for the reason, or by the status where the answer has no body that tells it. */
class Refused extends StorageUnavailable {
  readonly reason: string | number

  constructor(status: number, code: string | undefined) {
    super(`S3 answers ${status}${code ? ` (${code})` : ''}`, status === 429 || status >= 500)
    this.reason = code ?? status
  }
}

interface Listed {
  key: string
  writtenAt: number
  /** The server's clock when it answered. */
  listedAt: number
}

/**
 * One bucket of a server that speaks S3, at `<endpoint>/<bucket>/<prefix><key>`, which every such server understands. What fails
 * for the moment (no answer, 429, 5xx) is tried again.
 */
export class S3Bucket {
  readonly #aws: AwsClient
  readonly #settings: BucketSettings

  constructor(settings: BucketSettings) {
    const { accessKeyId, secretAccessKey, region } = settings
    this.#settings = settings
    this.#aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  }

  /** Atomic: until it has all the bytes, the server keeps what was there before. */
  async put(key: string, content: Content, wish: Pick<Wish, 'tries' | 'signal'> = {}): Promise<void> {
    await this.#drained('PUT', key, { ...wish, content })
  }

  /** An answer to HEAD does not tell why. So it may be wrong that there is no such key, and only a write or a read makes sure. */
  async exists(key: string, wish: Pick<Wish, 'signal'> = {}): Promise<boolean> {
    const answer = await this.#drained('HEAD', key, wish).catch(undefinedIf(404))
    return answer !== undefined
  }

  /** The answer with its body still to be read; undefined if there is no such key, or it has changed (`if-match`). */
  get(key: string, headers: Record<string, string> = {}): Promise<Response | undefined> {
    return this.#ask('GET', key, { headers }).catch(undefinedIf('NoSuchKey', 'PreconditionFailed'))
  }

  /** Removing what does not exist is not an error. */
  async remove(key: string, wish: Pick<Wish, 'signal' | 'confirm'> = {}): Promise<void> {
    await this.#drained('DELETE', key, wish).catch(undefinedIf('NoSuchKey'))
  }

  /** In the order of the keys. */
  async *list(beginning: string, { signal }: Pick<Wish, 'signal'> = {}): AsyncGenerator<Listed> {
    const { prefix } = this.#settings
    for (let next: string | undefined = ''; next !== undefined; ) {
      const query = { 'list-type': '2', prefix: prefix + beginning, ...(next && { 'continuation-token': next }) }
      const answer = await this.#ask('GET', undefined, { query, signal })
      const page = await textOf(answer)
      if (!page.includes('</ListBucketResult>'))
        throw new StorageUnavailable('S3 answers without a whole listing', true)
      const listedAt = Date.parse(answer.headers.get('date') ?? '') || Date.now()
      for (const entry of page.split('<Contents>').slice(1)) {
        const key = decodeXml(within(entry, 'Key') ?? '').slice(prefix.length)
        yield { key, writtenAt: Date.parse(within(entry, 'LastModified') ?? ''), listedAt }
      }
      next = within(page, 'IsTruncated') === 'true' ? decodeXml(within(page, 'NextContinuationToken') ?? '') : undefined
    }
  }

  /** An address at which anybody can get the bytes for a few minutes, with these headers. */
  async signedAddress(key: string, headers: { type: string; disposition: string }): Promise<string> {
    const url = this.#urlOf(key, {
      'X-Amz-Expires': String(SIGNED_FOR_SECONDS),
      'response-content-type': headers.type,
      'response-content-disposition': headers.disposition,
    })
    return (await this.#aws.sign(url, { method: 'GET', aws: { signQuery: true } })).url
  }

  async #drained(method: string, key: string, wish: Wish = {}): Promise<Response> {
    const answer = await this.#ask(method, key, wish)
    // An unread body would keep its connection.
    await answer.body?.cancel()
    return answer
  }

  async #ask(method: string, key: string | undefined, wish: Wish): Promise<Response> {
    const { tries = TRIES, signal } = wish
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#askOnce(method, key, wish).catch(failure => failure as Error)
      if (!(answer instanceof Error)) return answer
      const isOver = attempt === tries || signal?.aborted
      if (isOver || !(answer instanceof StorageUnavailable && answer.isPassing)) throw answer
      const pauseMs = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
      await pause(pauseMs, undefined, { signal }).catch(() => {})
    }
  }

  async #askOnce(method: string, key: string | undefined, wish: Wish): Promise<Response> {
    const { query = {}, headers = {}, content, signal, confirm } = wish
    const request = await this.#aws.sign(this.#urlOf(key, query), {
      method,
      headers: { ...headers, ...(content && { 'x-amz-content-sha256': content.sha256 }) },
      // Memory that is shared between threads is never uploaded.
      ...(content && { body: content.bytes as Uint8Array<ArrayBuffer> }),
    })
    await confirm?.()
    const late = new AbortController()
    const end = () => late.abort()
    const timer = setTimeout(end, ANSWER_WITHIN_MS)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
    try {
      const answer = await fetch(request, { signal: late.signal, redirect: 'error' })
      if (!answer.ok) throw new Refused(answer.status, within(await textOf(answer), 'Code'))
      // Whatever stands in front of a bucket may answer 200 as well: of an object that it has, the bucket tells an ETag.
      if (key === undefined || method === 'DELETE' || answer.headers.has('etag')) return timely(answer)
      await answer.body?.cancel()
      throw new StorageUnavailable(`S3 answers ${answer.status} without an ETag`, true)
    } catch (failure) {
      if (failure instanceof StorageUnavailable) throw failure
      const { cause, message } = failure as Error & { cause?: { code?: string; message?: string } }
      const why = late.signal.aborted
        ? 'gave no answer'
        : `could not be reached: ${cause?.code ?? cause?.message ?? message}`
      throw new StorageUnavailable(`S3 ${why}`, true)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    }
  }

  #urlOf(key: string | undefined, query: Record<string, string>): string {
    const { endpoint, bucket, prefix } = this.#settings
    const path = key === undefined ? bucket : `${bucket}/${prefix}${key}`
    const url = new URL(`${endpoint}/${path.split('/').map(encodeURIComponent).join('/')}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url.href
  }
}

/** Whatever stands in front of a bucket may answer 404 as well: that there is no such key, the bucket says by its code. */
function undefinedIf(...reasons: (string | number)[]) {
  return (failure: unknown): undefined => {
    if (!(failure instanceof Refused && reasons.includes(failure.reason))) throw failure
  }
}

/** The answers that are read whole are small: a page of a listing, or an error. */
async function textOf(answer: Response): Promise<string> {
  return new TextDecoder().decode(await answer.arrayBuffer())
}

/** The text of the first element of this name. */
function within(xml: string, name: string): string | undefined {
  const [, rest] = xml.split(`<${name}>`, 2)
  return rest?.split('<', 1)[0]
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeXml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] as string)
}
