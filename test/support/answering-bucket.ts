import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openS3Blobs } from '../../src/adapters/blobs-s3.ts'
import type { Blobs } from '../../src/domain/ports/blob-store.ts'

export interface AnsweringBucket {
  blobs: Blobs
  /** As the setting S3_URL. */
  url: string
  /** What has arrived, as `DELETE /bucket/1/…`. */
  asked: string[]
  close(): void
}

const NO_KEYS = '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>'

/** A bucket that is empty and takes everything, except where the test answers instead, or says nothing: it returns true then. */
export async function startBucket(
  answer: (asked: string, response: ServerResponse, request: IncomingMessage) => boolean | Promise<boolean>,
): Promise<AnsweringBucket> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`
    asked.push(line)
    request.resume()
    if (await answer(line, response, request)) return
    if (line.includes('list-type')) response.end(NO_KEYS)
    else if (request.method === 'PUT') response.writeHead(200, { etag: '"0"' }).end()
    else response.writeHead(404).end('<Code>NoSuchKey</Code>')
  }).listen(0, '127.0.0.1')
  await new Promise(listening => server.once('listening', listening))
  const { port } = server.address() as AddressInfo
  const [accessKeyId, secretAccessKey] = ['key', 'secret']
  return {
    blobs: openS3Blobs({
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'bucket',
      prefix: '',
      region: 'us-east-1',
      accessKeyId,
      secretAccessKey,
      redirects: false,
    }),
    url: `http://${accessKeyId}:${secretAccessKey}@127.0.0.1:${port}/bucket`,
    asked,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
