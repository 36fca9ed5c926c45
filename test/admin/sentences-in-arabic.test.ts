import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'

const app = useApp()
const ARABIC = { 'accept-language': 'ar' }
let company: TestCompany
beforeAll(async () => {
  company = await app.diwan.company()
})

const arabic = async (path: string) => {
  const { status, headers, body } = await company.admin.get(path, ARABIC)
  expect([status, headers.get('content-language')], JSON.stringify(body)).toEqual([200, 'ar'])
  expect(headers.get('vary')).toMatch(/(^|, )Accept-Language(,|$)/)
  return body.data
}

it('What was stored in English is told in the language of the reader why a call was denied, in the audit, in its CSV file and with the key', async () => {
  const key = await app.diwan.key(company.id, { access: 'read', operations: ['tasks:read'] })
  expect((await app.diwan.api(key).post('/projects', { name: 'x' })).status).toBe(403)
  const told = 'مستوى وصول المفتاح \u2068read\u2069، وهو لا يسمح بالعملية \u2068projects:write\u2069.'
  expect(await arabic('/audit?outcome=denied')).toMatchObject([{ reason: told }])
  const csv = await company.admin.get('/audit?outcome=denied', { ...ARABIC, accept: 'text/csv' })
  const plain = told.replaceAll(/[\u2068\u2069]/g, '')
  expect([csv.body, csv.headers.get('content-language')]).toEqual([expect.stringContaining(plain), 'ar'])
  const { body } = await company.admin.get('/audit?outcome=denied')
  expect(body.data[0].reason).toBe('The key has read access, which does not permit projects:write.')
  const [{ id }] = (await company.admin.get('/keys')).body.data.filter(
    (each: { access: string }) => each.access === 'read',
  )
  expect(await arabic(`/keys/${id}/usage`)).toMatchObject({ denials: [{ reason: told }] })
})
