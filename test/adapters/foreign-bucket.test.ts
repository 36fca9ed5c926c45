import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openS3Blobs } from '../../src/adapters/blobs-s3.ts'
import { StorageUnavailable } from '../../src/domain/ports/blob-store.ts'

const bytes = Buffer.from('0123456789')
const digest = createHash('sha256').update(bytes).digest('hex')

/** What is reached under the address of a bucket, and is not always one. */
describe('Where something else answers than the bucket', () => {
  const closing: (() => unknown)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  async function open(answer: RequestListener) {
    const server = createServer(answer).listen(0, '127.0.0.1')
    closing.push(() => server.close().closeAllConnections())
    await new Promise(listening => server.once('listening', listening))
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const key = { region: 'us-east-1', accessKeyId: 'key', secretAccessKey: 'secret' }
    return openS3Blobs({ endpoint, bucket: 'diwan', prefix: '', ...key, redirects: false })
  }

  it('what it does not find counts neither as stored, nor as removed, nor as missing', async () => {
    const blobs = await open((asked, response) => asked.resume().on('end', () => response.writeHead(404).end('no page')))
    const isUnavailable = (asked: Promise<unknown>) => expect(asked).rejects.toBeInstanceOf(StorageUnavailable)
    await isUnavailable(blobs.put(1, digest, bytes))
    await isUnavailable(blobs.check())
    await isUnavailable(blobs.remove(1, digest))
    await isUnavailable(blobs.read(1, digest))
    await isUnavailable(blobs.stream(1, digest, { start: 0, end: 4 }))
    // Whoever is told so stores the bytes, and learns the truth.
    expect(await blobs.has(1, digest)).toBe(false)
  })
})
