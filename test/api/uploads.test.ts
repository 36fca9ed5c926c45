import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'

const app = useApp()
let company: TestCompany
let base: string

beforeAll(async () => {
  company = await app.diwan.company()
  base = `/projects/${(await app.diwan.project(company)).id}`
})

const upload = (body: Record<string, unknown>) => company.api.post(`${base}/files`, body)
const base64 = (bytes: number, fill = 7) => Buffer.alloc(bytes, fill).toString('base64')

describe('An upload', () => {
  it('answers 201 with exactly the fields of a file, pending and not downloadable', async () => {
    const { status, body } = await upload({ name: 'ملاحظات.md', content: '# مرحبا' })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.any(Number),
      ref: expect.stringMatching(/^fil-[0-9a-hjkmnp-tv-z]{10}$/),
      name: 'ملاحظات.md',
      path: '/',
      folder_id: null,
      content_type: 'text/markdown',
      size_bytes: Buffer.byteLength('# مرحبا'),
      size_human: '12 Bytes',
      external_url: null,
      source: null,
      scan_state: 'pending',
      scan_message: null,
      downloadable: false,
      uploaded_by: company.owner.name,
      created_at: expect.stringMatching(/Z$/),
    })
    for (const handle of [body.data.id, body.data.ref]) {
      expect((await company.api.get(`${base}/files/${handle}`)).body).toEqual(body)
    }
    const download = await company.api.get(`${base}/files/${body.data.id}/download`)
    expect([download.status, download.body.error.code]).toEqual([403, 'forbidden'])
  })

  it.each([5_242_879, 5_242_880])('of %i bytes passes', async size => {
    const { status, body } = await upload({ name: 'big.bin', content_base64: base64(size) })
    expect([status, body.data.size_bytes]).toEqual([201, size])
  })

  it('of one byte more than 5 MB is 422, in both ways', async () => {
    const sent = await upload({ name: 'big.bin', content_base64: base64(5_242_881) })
    expect([sent.status, sent.body.error.message]).toEqual([422, expect.stringMatching(/^content_base64 is too large/)])
    const text = await upload({ name: 'big.txt', content: 'a'.repeat(5_242_881) })
    expect([text.status, text.body.error.message]).toEqual([422, expect.stringMatching(/^content is too large/)])
    expect((await upload({ name: 'big.txt', content: 'ي'.repeat(2_621_440) })).status).toBe(201)
  })

  it('whose Arabic arrives escaped, and so three times as large, passes too', async () => {
    const body = `{"name":"a.txt","content":"${'\\u064a'.repeat(2_621_440)}"}`
    const answer = await company.api.send('POST', `${base}/files`, {
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, answer.body.data.size_human]).toEqual([201, '5 MB'])
  })

  it.each([
    [{ name: 'a.txt' }, /^content or content_base64 must be sent/],
    [{ name: 'a.txt', content: null, content_base64: null }, /^content or content_base64/],
    [{ name: 'a.txt', content: 'a', content_base64: 'YQ==' }, /^content or content_base64/],
    [{ name: 'a.png', content: 'a' }, /^content is for plain-text files.*\.png/],
    [{ name: 'a.docx', content: 'a' }, /^content is for plain-text files/],
    [{ name: 'a.bin', content_base64: 'YQ' }, /^content_base64 must be standard base64/],
    [{ name: 'a.bin', content_base64: 'YQ=\n=' }, /^content_base64/],
    [{ name: 'a.bin', content_base64: 'YR==' }, /^content_base64/],
    [{ name: 'a.bin', content_base64: '_-8=' }, /^content_base64/],
    [{ name: 'a.bin', content_base64: 'نص' }, /^content_base64/],
    [{ name: ' ', content: '' }, /^name can't be blank/],
    [{ content: '' }, /^name can't be blank/],
    [{ name: '../../etc/passwd', content: '' }, /^name must be a name without/],
    [{ name: 'a\\b.txt', content: '' }, /^name must be a name without/],
    [{ name: 'aux.txt', content: '' }, /^name is reserved/],
    [{ name: 'a\u0000.txt', content: '' }, /^name must not contain control/],
    [{ name: 'a'.repeat(256), content: '' }, /^name is too long/],
    [{ name: 'a.txt', content: 5 }, /^content must be a string/],
    [{ name: 'a.txt', content: '', folder_id: 'x' }, /^folder_id must be a whole number/],
    [{ name: 'a.txt', content: '', folder_id: 1e30 }, /^folder_id must be/],
  ])('%j is 422', async (body, message) => {
    const answer = await upload(body)
    expect([answer.status, answer.body.error.message]).toEqual([422, expect.stringMatching(message)])
  })

  it.each(['README', 'Makefile', '.gitignore', 'a.CSV', 'a.tar.json', 'x.py', 'شيفرة.ts', 'a.svg'])(
    'takes text for %s',
    async name => {
      expect((await upload({ name, content: 'x' })).status).toBe(201)
    },
  )

  it('may be empty', async () => {
    const { body } = await upload({ name: 'empty.txt', content: '' })
    expect([body.data.size_bytes, body.data.size_human]).toEqual([0, '0 Bytes'])
    expect((await upload({ name: 'empty.bin', content_base64: '' })).status).toBe(201)
  })

  it('keeps any name exactly as it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }), async name => {
        const { status, body } = await upload({ name, content_base64: 'YQ==' })
        if (status === 201) expect(body.data.name).toBe(name)
        else expect([status, body.error.message]).toEqual([422, expect.stringMatching(/^name /)])
      }),
      { numRuns: 60 },
    )
  })

  it('arrives 20 times at once without losing one', { tags: 'long', timeout: 180_000 }, async () => {
    // An upload that finds no room in time is told to try again.
    const insist = async (n: number): Promise<number> => {
      const { status } = await upload({ name: `${n}.bin`, content_base64: base64(5_242_880, n) })
      return status === 503 ? insist(n) : status
    }
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, n) => insist(n)))
    expect(statuses).toEqual(Array(20).fill(201))
  })
})

describe('A link', () => {
  it.each([
    ['https://www.figma.com/file/x', 'Figma'],
    ['https://drive.google.com/x', 'Google Drive'],
    ['http://wiki.example.com/نص', 'wiki.example.com'],
  ])('to %s is skipped by the scan, downloadable, and comes from %s', async (external_url, source) => {
    const { status, body } = await company.api.post(`${base}/links`, { name: 'Plan', external_url })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      external_url,
      source,
      scan_state: 'skipped',
      downloadable: true,
      content_type: null,
      size_bytes: null,
      size_human: null,
    })
    const download = await company.api.get(`${base}/files/${body.data.ref}/download`)
    expect([download.status, download.headers.get('location')]).toEqual([302, encodeURI(external_url)])
  })

  it.each(['ftp://x.com', 'javascript:alert(1)', 'x', '', `https://x.com/${'a'.repeat(2048)}`])(
    'to %j is 422',
    async external_url => {
      const { status, body } = await company.api.post(`${base}/links`, { name: 'x', external_url })
      expect([status, body.error.message]).toEqual([422, expect.stringMatching(/^external_url /)])
    },
  )
})

describe('Deleting a file', () => {
  it('takes a ref or a number below the project, and a ref only on the flat address', async () => {
    const [a, b, c] = await Promise.all(
      [1, 2, 3].map(async () => (await upload({ name: 'a.txt', content: 'a' })).body.data),
    )
    expect((await company.api.delete(`/files/${a.id}`)).status).toBe(404)
    const gone = { data: { deleted: true, file: { id: a.id, name: 'a.txt' } } }
    expect((await company.api.delete(`/files/${a.ref}`)).body).toEqual(gone)
    expect((await company.api.delete(`${base}/files/${b.id}`)).status).toBe(200)
    expect((await company.api.delete(`${base}/files/${c.ref}`)).status).toBe(200)
    expect((await company.api.delete(`/files/${a.ref}`)).status).toBe(404)
    expect((await company.api.get(`/files/${b.ref}`)).body.error.code).toBe('unknown_endpoint')
  })

  it("of another's upload needs delete_any_file, of one's own does not", async () => {
    const other = await app.diwan.person(company.id)
    const key = await app.diwan.key(company.id, { rights: [], created_by: other.id })
    const api = app.diwan.api(key)
    const { body } = await upload({ name: 'a.txt', content: 'a' })
    expect((await api.delete(`/files/${body.data.ref}`)).status).toBe(403)
    const own = await api.post(`${base}/files`, { name: 'b.txt', content: 'b' })
    expect((await api.delete(`/files/${own.body.data.ref}`)).status).toBe(200)
  })
})
