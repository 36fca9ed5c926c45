import { createHash, randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openS3Blobs } from '../../src/adapters/blobs-s3.ts'
import { readConfig } from '../../src/config.ts'
import { StorageUnavailable } from '../../src/domain/ports/blob-store.ts'
import { NoRoom } from '../../src/lib/fair-queue.ts'
import { QUEUES } from '../../src/queues.ts'
import { startBucket } from '../support/answering-bucket.ts'
import { describeWith } from '../support/describe-with.ts'
import { type S3Server, startS3 } from '../support/s3-server.ts'

const bytes = Buffer.from('0123456789')
const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')
const digest = digestOf(bytes)
const allOf = async <T>(iterated: AsyncIterable<T>) => {
  const all: T[] = []
  for await (const one of iterated) all.push(one)
  return all
}
const ALL = { start: 0, end: Number.MAX_SAFE_INTEGER }

describeWith('swift', 'In a bucket', () => {
  let s3: S3Server
  beforeAll(async () => {
    s3 = await startS3()
  })
  afterAll(() => s3.close())

  const configOf = (url: string) => readConfig({ S3_URL: url }).s3 as NonNullable<ReturnType<typeof readConfig>['s3']>
  const open = (prefix = randomUUID()) => {
    const key = (companyId: number, of = digest) => `${prefix}/${companyId}/${of}`
    return { blobs: openS3Blobs(configOf(s3.urlOf(prefix))), key, prefix }
  }

  it('bytes come back as they were stored, whole, in part and when there are none', async () => {
    const { blobs } = open()
    expect(await blobs.has(1, digest)).toBe(false)
    await blobs.put(1, digest, bytes)
    expect(await blobs.has(1, digest)).toBe(true)
    expect(await blobs.read(1, digest)).toEqual(bytes)
    expect(await text(await blobs.stream(1, digest, { start: 2, end: 4 }))).toBe('234')
    expect(await text(await blobs.stream(1, digest, ALL))).toBe('0123456789')
    const nothing = digestOf(Buffer.alloc(0))
    await blobs.put(1, nothing, Buffer.alloc(0))
    expect(await blobs.read(1, nothing)).toEqual(Buffer.alloc(0))
    expect(await text(await blobs.stream(1, nothing, ALL))).toBe('')
    const large = Buffer.alloc(5_242_880, 'ديوان')
    await blobs.put(1, digestOf(large), large)
    expect((await blobs.read(1, digestOf(large))).equals(large)).toBe(true)
    await expect(blobs.read(2, digest)).rejects.toMatchObject({ damage: 'missing' })
  })

  it('bytes that changed are neither read nor streamed, even after they have been compared', async () => {
    const { blobs, key } = open()
    await blobs.put(1, digest, bytes)
    expect(await text(await blobs.stream(1, digest, { start: 0, end: 0 }))).toBe('0')
    await s3.call(key(1), { method: 'PUT', body: '0123456780' })
    await expect(blobs.stream(1, digest, { start: 0, end: 0 })).rejects.toMatchObject({ damage: 'changed' })
    await expect(blobs.read(1, digest)).rejects.toMatchObject({ damage: 'changed' })
    await blobs.put(1, digest, bytes)
    expect(await text(await blobs.stream(1, digest, { start: 9, end: 9 }))).toBe('9')
    await blobs.remove(1, digest)
    await expect(blobs.stream(1, digest, { start: 0, end: 0 })).rejects.toMatchObject({ damage: 'missing' })
  })

  it('what arrives changed is refused and not stored', async () => {
    const { blobs } = open()
    await expect(blobs.put(1, digest, Buffer.from('0123456780'))).rejects.toThrow(/S3 answers 400/)
    expect(await blobs.has(1, digest)).toBe(false)
  })

  it('everything of a company is listed, over pages, and removed, and nothing of another', async () => {
    const { blobs, prefix } = open()
    const contents = Array.from({ length: 40 }, (_, n) => Buffer.from(`content ${n}`))
    for (const content of contents) await blobs.put(12, digestOf(content), content)
    await blobs.put(1, digest, bytes)
    await s3.call(`${prefix}/not-ours`, { method: 'PUT', body: 'x' })
    const listed = async () => (await allOf(blobs.list())).map(({ companyId }) => companyId)
    expect((await listed()).sort((a, b) => a - b)).toEqual([1, ...contents.map(() => 12)])
    for await (const { storedAt } of blobs.list()) expect(Math.abs(Date.now() - storedAt)).toBeLessThan(120_000)
    await blobs.removeAll(12)
    expect(await listed()).toEqual([1])
  })

  it('nothing is removed while everything is kept, by this process or another', async () => {
    const { blobs, prefix } = open()
    const { blobs: ofAnother } = open(prefix)
    await blobs.put(1, digest, bytes)
    const release = await ofAnother.keepEverything()
    expect(await blobs.remove(1, digest)).toBe(false)
    await blobs.removeAll(1)
    expect(await blobs.has(1, digest)).toBe(true)
    await release()
    expect(await blobs.remove(1, digest)).toBe(true)
    expect(await blobs.has(1, digest)).toBe(false)
  })

  it('a signed address gives the bytes to anybody, as a download with its name, and only where that is wanted', async () => {
    const { blobs, prefix } = open()
    await blobs.put(1, digest, bytes)
    const headers = { type: 'text/plain; charset=utf-8', disposition: `attachment; filename*=UTF-8''%D8%AE%20x.txt` }
    expect(await blobs.signedAddress(1, digest, headers)).toBe(undefined)
    const redirecting = openS3Blobs({ ...configOf(s3.urlOf(prefix)), redirects: true })
    const address = String(await redirecting.signedAddress(1, digest, headers))
    const answer = await fetch(address, { headers: { range: 'bytes=2-4' } })
    expect([answer.status, await answer.text()]).toEqual([206, '234'])
    expect(answer.headers.get('content-type')?.toLowerCase()).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe(headers.disposition)
    expect((await fetch(address.replace(digest, digestOf(Buffer.from('other'))))).status).toBe(403)
    expect(address).not.toContain('testing')
  })

  it('a server that is away is tried again, and then told as not available', async () => {
    const { blobs } = open()
    expect((await blobs.check()).state).toBe('ok')
    await s3.down()
    // Whether it comes back within the tries or not depends on the machine.
    const putting = blobs.put(1, digest, bytes).catch(() => undefined)
    await s3.up()
    await putting
    await blobs.put(1, digest, bytes)
    expect(await blobs.read(1, digest)).toEqual(bytes)
    await s3.down()
    await expect(blobs.check()).rejects.toThrow('S3 could not be reached: ECONNREFUSED')
    await s3.up()
    expect((await blobs.check()).state).toBe('ok')
  })

  it('a wrong secret and a missing bucket are named, and nothing is repeated that holds a secret', async () => {
    const right = configOf(s3.urlOf('x'))
    const wrong = openS3Blobs({ ...right, secretAccessKey: 'wrong' })
    await expect(wrong.check()).rejects.toThrow('S3 answers 403 (SignatureDoesNotMatch)')
    const missing = openS3Blobs({ ...right, bucket: 'missing' })
    await expect(missing.check()).rejects.toThrow('S3 answers 404 (NoSuchBucket)')
    await expect(allOf(missing.list())).rejects.toThrow('S3 answers 404 (NoSuchBucket)')
  })
})

describe('A bucket', () => {
  it('of which something else in its place finds nothing has neither stored nor removed nor lost anything', async () => {
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
    // The caller then stores the bytes, and learns the truth.
    expect(await blobs.has(1, digest)).toBe(false)
  })

  it('for which something else answers with success has neither stored nor found anything', async () => {
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

  it('that says nothing is waited for by a share of each company, and by few in all', async () => {
    const { total, perKey, waitingPerKey } = QUEUES.bucket
    const { blobs, asked, close } = await startBucket(() => true)
    onTestFinished(close)
    const refused: unknown[] = []
    const ask = (companyId: number, times: number) => {
      for (let n = 0; n < times; n++)
        blobs.has(companyId, digestOf(Buffer.alloc(0))).catch(error => refused.push(error))
    }
    ask(1, 200)
    await expect.poll(() => refused.length).toBe(200 - perKey - waitingPerKey)
    await expect.poll(() => asked.length).toBe(perKey)
    ask(2, 1)
    await expect.poll(() => asked.at(-1)).toMatch(/\/2\//)
    for (const companyId of [3, 4, 5]) ask(companyId, 200)
    await expect.poll(() => refused.length, { timeout: 10_000 }).toBe(801 - total)
    expect(asked).toHaveLength(total)
    for (const error of refused) expect(error).toBeInstanceOf(NoRoom)
  })
})
