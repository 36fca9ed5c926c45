import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let path: string
beforeAll(async () => {
  company = await app.diwan.company()
  const files = `/projects/${(await app.diwan.project(company)).id}/files`
  const content = '<script>fetch("/admin/v1/me")</script>'
  const { id } = (await company.api.post(files, { name: 'page.html', content })).body.data
  await app.database.db.run(sql`update files set scan_state = 'clean' where company_id = ${company.id} and id = ${id}`)
  path = `${files}/${id}/download`
})

describe('What somebody uploaded is no part of this server', () => {
  it.each([
    ['as a whole', 'GET', {}, 200],
    ['in part', 'GET', { range: 'bytes=0-9' }, 206],
    ['without its bytes', 'HEAD', {}, 200],
  ])('on either surface, %s', async (_, method, headers, expected) => {
    for (const send of [
      company.api.send,
      (...[m, p, init]: Parameters<typeof company.api.send>) => company.admin.send(m, `/records${p}`, init),
    ]) {
      const answer = await send(method, path, { headers })
      expect(answer.status).toBe(expected)
      expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="page.html"/)
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
      const same = await send(method, path, { headers: { 'if-none-match': answer.headers.get('etag') as string } })
      expect(same.status).toBe(304)
      expect(same.headers.get('content-security-policy')).toMatch(/^sandbox; /)
    }
  })
})

describe('A download of text', () => {
  it.each([
    ['names UTF-8 where its bytes are', 'خطة المكتب.txt', Buffer.from('مرحبا'), 'text/plain; charset=utf-8'],
    ['names it in CSV too', 'plan.csv', Buffer.from('a,b\n'), 'text/csv; charset=utf-8'],
    ['names nothing where its bytes are something else', 'old.txt', Buffer.from([0x63, 0xe9, 0x67]), 'text/plain'],
    ['names nothing where its last character is cut', 'cut.txt', Buffer.from('é').subarray(0, 1), 'text/plain'],
    ['names nothing where it is no text', 'plan.png', Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png'],
  ])('%s', async (_, name, bytes, expected) => {
    const files = path.replace(/\/[^/]+\/download$/, '')
    const upload = { name, content_base64: bytes.toString('base64') }
    const { id } = (await company.api.post(files, upload)).body.data
    await app.database.db.run(
      sql`update files set scan_state = 'clean' where company_id = ${company.id} and id = ${id}`,
    )
    for (const [method, headers] of [
      ['GET', {}],
      ['GET', { range: 'bytes=0-0' }],
      ['HEAD', {}],
    ] as const) {
      const answer = await company.api.send(method, `${files}/${id}/download`, { headers })
      expect([method, answer.headers.get('content-type')]).toEqual([method, expected])
    }
  })
})

describe('A part of a file', () => {
  it('that begins after its end is 416, with the size of the file', async () => {
    const { headers } = await company.api.send('HEAD', path)
    const sizeBytes = Number(headers.get('content-length'))
    for (const range of [`bytes=${sizeBytes}-`, `bytes=${sizeBytes + 5}-${sizeBytes + 9}`, 'bytes=-0']) {
      const answer = await company.api.get(path, { range })
      expectRefusal(answer, 416, 'range_not_satisfiable', expect.stringContaining(`has ${sizeBytes} bytes`))
      expect(answer.headers.get('content-range')).toBe(`bytes */${sizeBytes}`)
    }
    for (const other of [{ range: `bytes=0-${sizeBytes + 5}` }, { range: 'bytes=-100000' }])
      expect((await company.api.get(path, other)).status).toBe(206)
    const outdated = { range: `bytes=${sizeBytes}-`, 'if-range': '"older"' }
    expect((await company.api.get(path, outdated)).status).toBe(200)
  })

  it('is nothing that HEAD asks for', async () => {
    const whole = await company.api.send('HEAD', path)
    const answer = await company.api.send('HEAD', path, { headers: { range: 'bytes=0-4' } })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([200, null])
    expect(answer.headers.get('content-length')).toBe(whole.headers.get('content-length'))
  })
})

describe('A link', () => {
  it.each(['GET', 'HEAD'])('is followed from an answer without a body, for %s', async method => {
    const project = await app.diwan.project(company)
    const link = { name: 'Plan', external_url: 'https://example.com/plan' }
    const { ref } = (await company.api.post(`/projects/${project.id}/links`, link)).body.data
    const { status, headers, body } = await company.api.send(method, `/projects/${project.id}/files/${ref}/download`)
    expect([status, headers.get('location'), body]).toEqual([302, link.external_url, ''])
    expect([headers.get('content-type'), headers.get('content-length')]).toEqual([null, '0'])
  })
})

describe('A missing asset of the console', () => {
  it('is a 404 in plain bytes that nobody keeps, whatever encodings the browser accepts', async () => {
    for (const encoding of ['br, gzip', 'gzip', 'identity']) {
      const answer = await app.diwan.client('').get('/console/assets/gone-1a2b3c.js', { 'accept-encoding': encoding })
      expect(answer.status).toBe(404)
      expect(answer.body.error.code).toBe('not_found')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('content-encoding')).toBeNull()
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })
})
