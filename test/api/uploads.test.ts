import fc from 'fast-check'
import mime from 'mime'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createClamdScanner } from '../../src/adapters/scanner/clamd.ts'
import { createYaraScanner } from '../../src/adapters/scanner/yara/scanner.ts'
import type { Scanner } from '../../src/domain/ports/virus-scanner.ts'
import { TEXT_EXTENSIONS } from '../../src/lib/text-extensions.ts'
import { useApp } from '../support/app.ts'
import { zip } from '../support/archives.ts'
import { EICAR, startClamd } from '../support/clamd.ts'
import { describeWith } from '../support/describe-with.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { INSTANT } from '../support/factories.ts'
import { expectRefusal, refusal, unprocessable } from '../support/refusal.ts'
import { until } from '../support/servers.ts'
import { startTestWorker } from '../support/worker.ts'

const app = useApp()
let company: TestCompany
let base: string
beforeAll(async () => {
  company = await app.diwan.company()
  base = `/projects/${(await app.diwan.project(company)).id}`
})

const upload = (body: Record<string, unknown>) => company.api.post(`${base}/files`, body)
const asBase64 = (bytes: Buffer) => ({ content_base64: bytes.toString('base64') })
const filled = (bytes: number, fill = 7) => asBase64(Buffer.alloc(bytes, fill))
const clear = (id: number) =>
  app.database.db.run(sql`update files set scan_state = 'clean' where company_id = ${company.id} and id = ${id}`)

/** Uploads a file as if the scan had found nothing in it. Returns the path of its download. */
async function download(body: Record<string, unknown>): Promise<string> {
  const { id } = (await created(upload(body))).data
  await clear(id)
  return `${base}/files/${id}/download`
}

describe('An upload', () => {
  it('answers 201 with the file, shown whole by number and by ref, pending and not downloadable', async () => {
    const { status, body } = await upload({ name: 'ملاحظات.md', content: '# مرحبا' })
    expect([status, body.data]).toEqual([
      201,
      {
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
        created_at: INSTANT,
      },
    ])
    for (const handle of [body.data.id, body.data.ref])
      expect((await company.api.get(`${base}/files/${handle}`)).body).toEqual(body)
    expectRefusal(await company.api.get(`${base}/files/${body.data.id}/download`), 403, 'forbidden')
  })

  it('takes up to 5 MB, in both ways, also where Arabic arrives escaped and so three times as large', async () => {
    const send = (body: string) =>
      company.api.send('POST', `${base}/files`, { body, headers: { 'content-type': 'application/json' } })
    for (const [what, answer, bytes] of [
      ['base64', await upload({ name: 'big.bin', ...filled(5_242_880) }), 5_242_880],
      ['Arabic', await send(`{"name":"a.txt","content":"${'\\u064a'.repeat(2_621_440)}"}`), 5_242_880],
      ['nothing', await upload({ name: 'empty.txt', content: '' }), 0],
      ['no bytes', await upload({ name: 'empty.bin', content_base64: '' }), 0],
    ] as const)
      expect([what, answer.status, answer.body.data?.size_bytes]).toEqual([what, 201, bytes])
    expect(refusal(await upload({ name: 'big.bin', ...filled(5_242_881) }))).toEqual(
      unprocessable(/^content_base64 is too large/),
    )
    expect(refusal(await upload({ name: 'big.txt', content: 'a'.repeat(5_242_881) }))).toEqual(
      unprocessable(/^content is too large/),
    )
  })

  it('is refused with what a file cannot have', async () => {
    for (const [body, message] of [
      [{ name: 'a.txt' }, /^content or content_base64 must be sent/],
      [{ name: 'a.txt', content: 'a', content_base64: 'YQ==' }, /^content or content_base64/],
      [{ name: 'a.png', content: 'a' }, /^content is for plain-text files.*\.png/],
      [{ name: 'a.bin', content_base64: 'YQ' }, /^content_base64 must be standard base64/],
      [{ name: 'a.bin', content_base64: 'YR==' }, /^content_base64/],
      [{ name: 'a.bin', content_base64: '_-8=' }, /^content_base64/],
      [{ name: '../../etc/passwd', content: '' }, /^name must be a name without/],
      [{ name: 'aux.txt', content: '' }, /^name is reserved/],
      [{ name: 'a.txt', content: '', folder_id: 1e30 }, /^folder_id must be/],
      [{ name: 'a.pdf', content: 'a'.repeat(262_145) }, /^content is too large: a PDF/],
    ] as const)
      expect([body, ...refusal(await upload(body))]).toEqual([body, ...unprocessable(message)])
  })

  it('keeps any name exactly as it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }), async name => {
        const { status, body } = await upload({ name, content_base64: 'YQ==' })
        if (status === 201) expect(body.data.name).toBe(name)
        else expect([status, body.error.message]).toEqual([422, expect.stringMatching(/^name /)])
      }),
      { numRuns: 40 },
    )
  })
})

describe('The content type of a file', () => {
  const typeOf = async (body: Record<string, unknown>) => (await created(upload(body))).data.content_type

  it('is that of a text where name and bytes are one, however it is sent, and else that of its name', async () => {
    const text = 'let name = "ديوان"\n'
    for (const name of ['شيفرة.ts', 'a.pot', 'a.py'])
      for (const content of [{ content: text }, asBase64(Buffer.from(text))])
        expect([name, await typeOf({ name, ...content })]).toEqual([name, 'text/plain'])
    for (const [name, expected] of [
      ['README', 'text/plain'],
      ['.gitignore', 'text/plain'],
      ['a.CSV', 'text/csv'],
      ['a.tar.json', 'application/json'],
    ])
      expect([name, await typeOf({ name, content: 'x' })]).toEqual([name, expected])
    const video = Buffer.alloc(188 * 4, 0xff)
    for (let at = 0; at < video.length; at += 188) video[at] = 0x47
    for (const [name, bytes, expected] of [
      ['clip.ts', video, 'video/mp2t'],
      ['slides.pot', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'application/vnd.ms-powerpoint'],
      ['data.py', Buffer.from([0, 1, 2]), 'application/octet-stream'],
    ] as const)
      expect([name, await typeOf({ name, ...asBase64(bytes) })]).toEqual([name, expected])
  })

  it('of every plain-text extension is one of text', async () => {
    const textual =
      /^text\/|^image\/svg\+xml$|^message\/rfc822$|^application\/(.+\+(xml|json)|json5?|xml|xml-dtd|toml|sql|n-triples|node|vnd\.dart|x-(tex|subrip|httpd-php|perl|tcl|sh))$/
    for (const extension of TEXT_EXTENSIONS) {
      // Extensions that are registered as text need not be uploaded one by one.
      if (mime.getType(extension)?.startsWith('text/')) continue
      const type = await typeOf({ name: `a.${extension}`, content: 'a' })
      expect([extension, type]).toEqual([extension, expect.stringMatching(textual)])
    }
  })
})

it('A PDF made from markdown is titled after its file when it has no heading', async () => {
  const path = await download({ name: 'Quarterly plan.PDF', content: 'No heading' })
  expect((await company.api.get(path)).body).toContain('/Title (Quarterly plan)')
})

describe('A link', () => {
  it('is skipped by the scan, and followed from an answer without a body, for GET and HEAD', async () => {
    for (const [external_url, source] of [
      ['https://www.figma.com/file/x', 'Figma'],
      ['https://drive.google.com/x', 'Google Drive'],
      ['http://wiki.example.com/نص', 'wiki.example.com'],
    ] as const) {
      const { data } = await created(company.api.post(`${base}/links`, { name: 'Plan', external_url }))
      expect(data).toMatchObject({
        external_url,
        source,
        scan_state: 'skipped',
        downloadable: true,
        content_type: null,
        size_bytes: null,
        size_human: null,
      })
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await company.api.send(method, `${base}/files/${data.ref}/download`)
        expect([method, status, headers.get('location'), body]).toEqual([method, 302, encodeURI(external_url), ''])
        expect([headers.get('content-type'), headers.get('content-length')]).toEqual([null, '0'])
      }
    }
  })

  it('is an http or https URL without blanks and with its slashes', async () => {
    const message = 'external_url must be an http or https URL without spaces, such as https://example.com/page'
    for (const external_url of [
      ...['ftp://x.com', 'javascript:alert(1)', 'x', ' https://example.com', 'https://example.com/a b'],
      ...['https://example.com/a\nb', 'ht\ntps://example.com', 'https://example.com/\u00a0', 'https:example.com'],
      ...['https:///example.com', 'https:\\\\example.com', 'https://example.com\\@evil.example', 'https://'],
    ]) {
      const answer = await company.api.post(`${base}/links`, { name: 'x', external_url })
      expect([external_url, ...refusal(answer)]).toEqual([external_url, ...unprocessable(message)])
    }
    for (const external_url of ['', `https://x.com/${'a'.repeat(2048)}`]) {
      const answer = await company.api.post(`${base}/links`, { name: 'x', external_url })
      expect(refusal(answer)).toEqual(unprocessable(/^external_url /))
    }
    for (const external_url of ['HTTPS://Example.com', 'http://user@[::1]:8080/?q=%20#x'])
      await created(company.api.post(`${base}/links`, { name: 'x', external_url }))
  })
})

describe('Deleting a file', () => {
  it("of another's upload needs delete_any_file, of one's own does not; by its ref at the flat address alone", async () => {
    const other = await app.diwan.person(company.id)
    const api = app.diwan.api(await app.diwan.key(company.id, { rights: [], created_by: other.id }))
    const { data: theirs } = await created(upload({ name: 'a.txt', content: 'a' }))
    expect((await api.delete(`/files/${theirs.ref}`)).status).toBe(403)
    const own = await created(api.post(`${base}/files`, { name: 'b.txt', content: 'b' }))
    expect((await api.delete(`/files/${own.data.ref}`)).status).toBe(200)
    expect((await company.api.delete(`/files/${theirs.id}`)).status).toBe(404)
    const gone = { data: { deleted: true, file: { id: theirs.id, name: 'a.txt' } } }
    expect((await company.api.delete(`${base}/files/${theirs.id}`)).body).toEqual(gone)
  })
})

describe('A download', () => {
  let page: string
  let sizeBytes: number
  beforeAll(async () => {
    const content = '<script>fetch("/admin/v1/me")</script>'
    page = await download({ name: 'page.html', content })
    sizeBytes = content.length
  })

  it('is no part of this server, on either surface: as a whole, in part, and without its bytes', async () => {
    const onRecords: Client['send'] = (method, path, init) => company.admin.send(method, `/records${path}`, init)
    for (const send of [company.api.send, onRecords])
      for (const [method, headers, status] of [
        ['GET', {}, 200],
        ['GET', { range: 'bytes=0-9' }, 206],
        ['HEAD', {}, 200],
        // HEAD asks for no part.
        ['HEAD', { range: 'bytes=0-4' }, 200],
      ] as const) {
        const answer = await send(method, page, { headers })
        const length = String(status === 206 ? 10 : sizeBytes)
        expect([method, answer.status, answer.headers.get('content-length')]).toEqual([method, status, length])
        expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="page.html"/)
        expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
        const same = await send(method, page, { headers: { 'if-none-match': answer.headers.get('etag') as string } })
        expect(same.status).toBe(304)
        expect(same.headers.get('content-security-policy')).toMatch(/^sandbox; /)
      }
  })

  it('names UTF-8 where it is text and its bytes are that', async () => {
    for (const [name, bytes, expected] of [
      ['خطة المكتب.txt', Buffer.from('مرحبا'), 'text/plain; charset=utf-8'],
      ['plan.csv', Buffer.from('a,b\n'), 'text/csv; charset=utf-8'],
      ['old.txt', Buffer.from([0x63, 0xe9, 0x67]), 'text/plain'],
      ['plan.png', Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png'],
    ] as const) {
      const path = await download({ name, ...asBase64(bytes) })
      for (const [method, headers] of [
        ['GET', {}],
        ['GET', { range: 'bytes=0-0' }],
        ['HEAD', {}],
      ] as const) {
        const answer = await company.api.send(method, path, { headers })
        expect([name, method, answer.headers.get('content-type')]).toEqual([name, method, expected])
      }
    }
  })

  it('of a part that begins after the end is 416, with the size of the file', async () => {
    for (const range of [`bytes=${sizeBytes}-`, `bytes=${sizeBytes + 5}-${sizeBytes + 9}`, 'bytes=-0']) {
      const answer = await company.api.get(page, { range })
      expectRefusal(answer, 416, 'range_not_satisfiable', expect.stringContaining(`has ${sizeBytes} bytes`))
      expect(answer.headers.get('content-range')).toBe(`bytes */${sizeBytes}`)
    }
    for (const range of [`bytes=0-${sizeBytes + 5}`, 'bytes=-100000'])
      expect([range, (await company.api.get(page, { range })).status]).toEqual([range, 206])
    const outdated = { range: `bytes=${sizeBytes}-`, 'if-range': '"older"' }
    expect((await company.api.get(page, outdated)).status).toBe(200)
  })
})

it('A missing asset of the console is a 404 in plain bytes that nobody keeps, whatever encodings the browser accepts', async () => {
  for (const encoding of ['br, gzip', 'identity']) {
    const { status, body, headers } = await app.diwan
      .client('')
      .get('/console/assets/gone-1a2b3c.js', { 'accept-encoding': encoding })
    expect([status, body.error.code]).toEqual([404, 'not_found'])
    const shown = ['cache-control', 'content-encoding', 'content-type'].map(name => headers.get(name))
    expect(shown).toEqual(['no-store', null, 'application/json; charset=utf-8'])
  }
})

describe('The scan of a file', () => {
  const LOCKED = 'is locked with a password, so it could not be looked into'
  const lockedZip = zip([{ name: 'a.txt', bytes: Buffer.from('secret'), flags: 1 }])
  let scanner: Scanner
  beforeAll(async () => {
    scanner = await createYaraScanner({ timeLimitMs: 120_000 })
    // Nobody waits for the scans of the uploads before.
    await app.database.pool.query('delete from pgboss.job')
  })
  afterAll(() => scanner.close())

  /** Works until the end of the test. */
  function scanWith(by: Scanner) {
    const worker = startTestWorker(app, by)
    onTestFinished(() => worker.stop())
    return worker
  }
  async function uploadsOf(own: TestCompany) {
    const files = `/projects/${(await app.diwan.project(own)).id}/files`
    return {
      files,
      upload: async (name: string, bytes: Buffer): Promise<{ id: number; ref: string }> =>
        (await created(own.api.post(files, { name, ...asBase64(bytes) }))).data,
      file: async (id: number) => (await own.api.get(`${files}/${id}`)).body.data,
    }
  }
  const jobsOf = (own: TestCompany, kind: string) =>
    app.database.db.raw<{ state: string }>(
      `select state::text from pgboss.job where name = $1 and (data ->> 'company_id')::bigint = $2 order by created_on, id`,
      [kind, own.id],
    )

  it('that cannot look into it has failed, says why to all who ask, keeps its bytes, and is done again when an administrator asks', async () => {
    const own = await app.diwan.company()
    const { files, upload: send, file } = await uploadsOf(own)
    const { id, ref } = await send('محضر.zip', lockedZip)
    const worker = scanWith(scanner)
    await until(async () => (await file(id)).scan_state !== 'pending')
    const failed = { id, scan_state: 'failed', scan_message: LOCKED, downloadable: false }
    expect(await file(id)).toMatchObject(failed)
    expect((await own.api.get(files)).body.data.files).toContainEqual(expect.objectContaining(failed))
    expectRefusal(await own.api.get(`${files}/${ref}/download`), 403, 'forbidden', `The file ${LOCKED}.`)
    const told = async () => (await own.admin.get('/notifications')).body.data.map(({ kind }: { kind: string }) => kind)
    await until(async () => (await told()).includes('file_unscanned'))
    expect(await jobsOf(own, 'remove-bytes')).toEqual([])
    await worker.stop()

    const again = await own.admin.post(`/files/${ref}/scan`)
    const pending = { scan_state: 'pending', scan_message: null, scan_finding: null }
    expect([again.status, again.body.data]).toEqual([200, expect.objectContaining(pending)])
    scanWith(scanner)
    await until(async () => (await file(id)).scan_state === 'failed')
    const shown = (await own.admin.get('/files?scan_state=failed')).body.data
    expect(shown).toMatchObject([{ ref, scan_finding: 'Archive.Encrypted', scan_message: LOCKED }])
  })

  it('that finds something says what it was', async () => {
    const { upload: send, file } = await uploadsOf(await app.diwan.company())
    const { id } = await send('a.txt', EICAR)
    scanWith(scanner)
    await until(async () => (await file(id)).scan_state !== 'pending')
    const scan_message = 'is infected (Eicar-Test-File), so its content was removed'
    expect(await file(id)).toMatchObject({ scan_state: 'infected', scan_message })
  })

  describeWith('clamd', 'by clamd', ({ clamd: program }) => {
    it('may clear what the built-in scanner cannot look into', async () => {
      const { upload: send, file } = await uploadsOf(await app.diwan.company())
      const { id } = await send('a.zip', lockedZip)
      const clamd = await startClamd(program)
      onTestFinished(() => clamd.stop())
      scanWith(createClamdScanner(clamd.url))
      await until(async () => (await file(id)).scan_state !== 'pending')
      expect(await file(id)).toMatchObject({ scan_state: 'clean', scan_message: null, downloadable: true })
    })
  })
})
