import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { furnishWork, newTask, type Work } from '../support/factories.ts'

const app = useApp()
const plain = useApp({ compression: false })
let work: Work
let long: string
let page: string
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  const { id } = await newTask(work.company, work.list.id, { notes: 'Measure the room. '.repeat(200) })
  long = `/tasks/${id}`
  page = `/lists/${work.list.id}/tasks`
})

const AS_IS = { 'accept-encoding': 'identity' }
const GZIP = { 'accept-encoding': 'gzip' }

/** The headers and the bytes as they were sent: `fetch` unpacks a body, and says so in no header. */
async function bytesOf(path: string, encoding: string) {
  const headers = { authorization: `Bearer ${work.company.key}`, 'accept-encoding': encoding }
  return new Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>((resolve, reject) => {
    const sent = request(`${app.url}/api/v1${path}`, { headers }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('end', () => resolve({ headers: answer.headers, bytes: Buffer.concat(chunks) }))
    })
    sent.on('error', reject).end()
  })
}

describe('A long answer', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is sent as %s to whoever asks for it, and says the same', async (encoding, unpack) => {
    const { headers, bytes } = await bytesOf(long, encoding)
    const { body } = await work.company.api.get(long, AS_IS)
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(bytes.length),
      'content-type': 'application/json; charset=utf-8',
      vary: 'Accept-Encoding',
    })
    expect(bytes.length).toBeLessThan(2_000)
    expect(JSON.parse(unpack(bytes).toString())).toEqual(body)
  })

  it('is sent as it is to whoever does not ask, or prefers it so', async () => {
    for (const encoding of ['', 'identity', 'deflate', 'gzip;q=0, br;q=0', 'identity, gzip;q=0.5']) {
      const { headers, bytes } = await bytesOf(long, encoding)
      expect([encoding, headers['content-encoding'], headers.vary]).toEqual([encoding, undefined, 'Accept-Encoding'])
      expect([headers.etag, JSON.parse(bytes.toString())]).toEqual([expect.stringMatching(/^"/), expect.anything()])
    }
  })

  it('is sent as it is wherever a proxy compresses', async () => {
    const { company, list } = await furnishWork(plain.diwan)
    const { id } = await newTask(company, list.id, { notes: 'x'.repeat(5_000) })
    const { headers } = await company.api.get(`/tasks/${id}`, GZIP)
    expect([headers.get('content-encoding'), headers.get('vary'), headers.get('etag')]).toEqual([
      null,
      null,
      expect.stringMatching(/^"/),
    ])
  })
})

describe('The ETag of a compressed answer', () => {
  it('is weak, and stands for the same version as the strong one of the bytes as they are', async () => {
    for (const path of [long, page]) {
      const [as_is, packed] = [await work.company.api.get(path, AS_IS), await work.company.api.get(path, GZIP)]
      const [strong, weak] = [as_is.headers.get('etag'), packed.headers.get('etag')]
      expect([strong, weak]).toEqual([expect.stringMatching(/^"/), `W/${strong}`])
      for (const [tag, accepted] of [strong, weak].flatMap(each => [
        [each, AS_IS],
        [each, GZIP],
      ]) as [string, typeof GZIP][]) {
        const again = await work.company.api.get(path, { 'if-none-match': tag, ...accepted })
        const expected = accepted === GZIP ? weak : strong
        expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', expected])
        expect(again.headers.get('vary')).toBe('Accept-Encoding')
        expect(again.headers.get('content-encoding')).toBeNull()
      }
    }
  })
})

it('Nothing is compressed of short answers and errors, of a stream, and of downloads', async () => {
  const { company, project } = work
  for (const path of ['/me', `/tasks/${work.task.id}`, '/tasks/tsk-0000000000', '/nothing'])
    expect([path, (await company.api.get(path, GZIP)).headers.get('content-encoding')]).toEqual([path, null])
  const stream = await fetch(`${app.url}/api/v1/company/changes`, {
    headers: { authorization: `Bearer ${company.key}`, accept: 'text/event-stream', ...GZIP },
  })
  expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(stream.headers.get('content-encoding')).toBeNull()
  await stream.body?.cancel()
  const files = `/projects/${project.id}/files`
  const { id } = (await company.api.post(files, { name: 'table.csv', content: '1,2,3\n'.repeat(1_000) })).body.data
  await app.database.db.run(sql`update files set scan_state = 'clean' where company_id = ${company.id} and id = ${id}`)
  const { status, headers } = await company.api.get(`${files}/${id}/download`, GZIP)
  expect([status, headers.get('content-encoding'), headers.get('content-length'), headers.get('vary')]).toEqual([
    200,
    null,
    '6000',
    'Authorization',
  ])
})
