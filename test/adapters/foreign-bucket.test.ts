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
