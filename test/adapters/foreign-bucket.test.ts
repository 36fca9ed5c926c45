import { createHash } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { StorageUnavailable } from '../../src/domain/ports/blob-store.ts'
import { startBucket } from '../support/answering-bucket.ts'

const bytes = Buffer.from('0123456789')
const digest = createHash('sha256').update(bytes).digest('hex')

it('What something else than the bucket does not find counts neither as stored, nor as removed, nor as missing', async () => {
  const { blobs, close } = await startBucket((_asked, response) => {
    response.writeHead(404).end('There is no such page')
    return true
  })
  onTestFinished(close)
  const isUnavailable = (asked: Promise<unknown>) => expect(asked).rejects.toBeInstanceOf(StorageUnavailable)
  await isUnavailable(blobs.put(1, digest, bytes))
  await isUnavailable(blobs.check())
  await isUnavailable(blobs.remove(1, digest))
  await isUnavailable(blobs.read(1, digest))
  await isUnavailable(blobs.stream(1, digest, { start: 0, end: 4 }))
  // Whoever is told so stores the bytes, and learns the truth.
  expect(await blobs.has(1, digest)).toBe(false)
})

it('What something else than the bucket answers with success counts neither as stored, nor as there, nor as what was stored', async () => {
  const { blobs, close } = await startBucket((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in to this network')
    return true
  })
  onTestFinished(close)
  const isUnavailable = (asked: Promise<unknown>, why = '200 without an ETag') =>
    expect(asked).rejects.toThrow(new StorageUnavailable(`S3 answers ${why}`, true))
  await isUnavailable(blobs.put(1, digest, bytes))
  await isUnavailable(blobs.has(1, digest))
  await isUnavailable(blobs.read(1, digest))
  await isUnavailable(blobs.stream(1, digest, { start: 0, end: 4 }))
  // It lists no mark that everything is kept, and so nothing may be removed.
  await isUnavailable(blobs.remove(1, digest), 'without a whole listing')
  await isUnavailable(blobs.removeAll(1), 'without a whole listing')
})
