import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'

const app = useApp()
const NAME = 'تقرير "نهائي".txt'
let company: TestCompany
let files: string
let path: string
beforeAll(async () => {
  company = await app.diwan.company()
  files = `/projects/${(await app.diwan.project(company)).id}/files`
  const { id } = (await company.api.post(files, { name: NAME, content: '0123456789' })).body.data
  await app.database.pool.query(`update files set scan_state = 'clean' where company_id = $1`, [company.id])
  path = `${files}/${id}/download`
})

const ask = (method: string, headers: Record<string, string> = {}) => company.api.send(method, path, { headers })

describe('A download', () => {
  it('is an attachment with its name and type, whole or in part', async () => {
    const whole = await ask('GET')
    expect([whole.status, whole.body]).toEqual([200, '0123456789'])
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-disposition': `attachment; filename="tqryr _nhayy_.txt"; filename*=UTF-8''${encodeURIComponent(NAME)}`,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': expect.stringContaining('private'),
    })
    for (const [range, status, text, contentRange] of [
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=8-', 206, '89', 'bytes 8-9/10'],
      ['bytes=5-2', 200, '0123456789', null],
      ['lines=1-2', 200, '0123456789', null],
      ['bytes=0-1,3-4', 200, '0123456789', null],
    ] as const) {
      const part = await ask('GET', { range })
      expect([range, part.status, part.body, part.headers.get('content-range')]).toEqual([
        range,
        status,
        text,
        contentRange,
      ])
    }
  })

  it('is 304 for a list that names it, a weak tag and *, and HEAD answers as GET does', async () => {
    const tag = (await ask('GET')).headers.get('etag') as string
    for (const method of ['GET', 'HEAD']) {
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, `"other" ,W/${tag}`, '*']) {
        const { status, headers, body } = await ask(method, { 'if-none-match': known })
        expect([status, headers.get('etag'), body], `${method} ${known}`).toEqual([304, tag, ''])
      }
      const { status, headers } = await ask(method, { 'if-none-match': '"other"' })
      expect([status, headers.get('content-length')], method).toEqual([200, '10'])
    }
  })

  it('of bytes that are lost is 500, and good again when somebody uploads the same', async () => {
    const content = 'The bytes that get lost'
    const { id } = (await company.api.post(files, { name: 'lost.txt', content })).body.data
    const { rows } = await app.database.pool.query(
      `update files set scan_state = 'clean' where company_id = $1 and id = $2 returning digest`,
      [company.id, id],
    )
    await app.blobs.remove(company.id, rows[0].digest)
    const lost = await company.api.get(`${files}/${id}/download`)
    expect([lost.status, lost.body.error.code]).toEqual([500, 'internal_error'])
    expect((await company.api.post(files, { name: 'again.txt', content })).status).toBe(201)
    expect((await company.api.get(`${files}/${id}/download`)).body).toBe(content)
  })
})
