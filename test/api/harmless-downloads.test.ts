import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'

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
