import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { type Blobs, DamagedBlob } from '../domain/ports/blob-store.ts'
import { say } from '../domain/sentences/sentences.ts'
import { FairQueue } from '../lib/fair-queue.ts'
import { Recent } from '../lib/recent.ts'
import { createUtf8Check } from '../lib/utf8.ts'
import { QUEUES } from '../queues.ts'
import { FRESH_FOR_MS, RENEWED_EVERY_MS } from './blobs-kept.ts'
import { type BucketSettings, S3Bucket } from './s3-bucket.ts'

const KEPT = 'kept/'
const REMOVED_AT_ONCE = 16
const REMEMBERED = 10_000
const REMEMBERED_FOR_MS = 3_600_000

/**
 * Bytes in a bucket: `<company>/<digest>`. The digest is signed with each upload, so that the server refuses what arrives
 * changed. What is read is compared here; for a download that happens before anything is sent, once for each version of an
 * object: afterwards only the version with the same ETag is taken.
 */
export function openS3Blobs(settings: BucketSettings & { redirects: boolean }): Blobs {
  const bucket = new S3Bucket(settings)
  const requests = new FairQueue<number>('bucket', QUEUES.bucket)
  const compared = new Recent<string, string>(REMEMBERED, REMEMBERED_FOR_MS)
  const keyOf = (companyId: number, digest: string) => `${companyId}/${digest}`

  async function compare(companyId: number, digest: string, onPiece = (_piece: Uint8Array) => {}): Promise<string> {
    const key = keyOf(companyId, digest)
    const answer = await bucket.get(key)
    if (!answer) throw new DamagedBlob('missing', companyId, digest)
    const hash = createHash('sha256')
    for await (const piece of bodyOf(answer)) {
      hash.update(piece)
      onPiece(piece)
    }
    if (hash.digest('hex') !== digest) throw new DamagedBlob('changed', companyId, digest)
    const tag = answer.headers.get('etag') as string
    compared.set(key, tag)
    return tag
  }

  /** Undefined if the object is not the one that was compared. */
  async function partOf(key: string, tag: string, range: { start: number; end: number }) {
    return bucket.get(key, { range: `bytes=${range.start}-${range.end}`, 'if-match': tag })
  }

  async function isEverythingKept(signal?: AbortSignal): Promise<boolean> {
    let isKept = false
    for await (const { key, writtenAt, listedAt } of bucket.list(KEPT, { signal })) {
      if (listedAt - writtenAt < FRESH_FOR_MS) isKept = true
      else await bucket.remove(key)
    }
    return isKept
  }

  return {
    put: (companyId, digest, bytes, signal) =>
      requests.run(
        companyId,
        () => bucket.put(keyOf(companyId, digest), { bytes, sha256: digest }, { signal }),
        signal,
      ),

    has: (companyId, digest, signal) =>
      requests.run(companyId, () => bucket.exists(keyOf(companyId, digest), { signal }), signal),

    read: (companyId, digest) =>
      requests.run(companyId, async () => {
        const pieces: Uint8Array[] = []
        await compare(companyId, digest, piece => pieces.push(piece))
        return Buffer.concat(pieces)
      }),

    isUtf8: (companyId, digest) =>
      requests.run(companyId, async () => {
        const text = createUtf8Check()
        await compare(companyId, digest, text.take)
        return text.end()
      }),

    async stream(companyId, digest, range) {
      // A range of nothing is an error.
      if (digest === contentOf('').sha256) return Readable.from([])
      const key = keyOf(companyId, digest)
      return requests.run(companyId, async () => {
        const known = compared.get(key)
        const answer =
          (known && (await partOf(key, known, range))) || (await partOf(key, await compare(companyId, digest), range))
        if (!answer) throw new DamagedBlob('missing', companyId, digest)
        return bodyOf(answer)
      })
    },

    signedAddress: async (companyId, digest, headers) =>
      settings.redirects ? bucket.signedAddress(keyOf(companyId, digest), headers) : undefined,

    async remove(companyId, digest, held) {
      if (await isEverythingKept(held?.signal)) return false
      await bucket.remove(keyOf(companyId, digest), held)
      return true
    },

    async removeAll(companyId) {
      if (await isEverythingKept()) return
      const batch: Promise<void>[] = []
      for await (const { key } of bucket.list(`${companyId}/`)) {
        batch.push(bucket.remove(key))
        if (batch.length === REMOVED_AT_ONCE) await Promise.all(batch.splice(0))
      }
      await Promise.all(batch)
    },

    async keepEverything() {
      const mark = KEPT + randomUUID()
      const write = () => bucket.put(mark, contentOf('kept'))
      await write()
      const renewing = setInterval(() => write().catch(() => {}), RENEWED_EVERY_MS)
      renewing.unref()
      return async () => {
        clearInterval(renewing)
        await bucket.remove(mark)
      }
    },

    async *list() {
      for await (const { key, writtenAt } of bucket.list('')) {
        const [, companyId, digest] = key.match(/^(\d+)\/([0-9a-f]{64})$/) ?? []
        if (companyId && digest) yield { companyId: Number(companyId), digest, storedAt: writtenAt }
      }
    },

    // An object appears only once it is complete: there are no partial writes.
    removeAbandoned: async () => {},

    /** Only a write shows that the bucket can be written. It is always the same object. */
    async check() {
      // The first may meet a connection that is no longer open. More would take longer than whoever asks is waiting for.
      await bucket.put('check', contentOf('check'), { tries: 2 })
      return { state: 'ok', message: say('The bucket {bucket} can be written.', { bucket: settings.bucket }) }
    },
  }
}

function bodyOf({ body }: Response): Readable {
  return body ? Readable.fromWeb(body as ReadableStream) : Readable.from([])
}

function contentOf(text: string) {
  const bytes = Buffer.from(text)
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}
