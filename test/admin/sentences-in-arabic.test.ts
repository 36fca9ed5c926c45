import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'

const app = useApp()
const ARABIC = { 'accept-language': 'ar' }
const LOCKED = 'is locked with a password, so it could not be looked into'
const LOCKED_IN_ARABIC = 'محمي بكلمة مرور، فتعذّر فحص محتواه'

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

describe('What was stored in English is told in the language of the reader', () => {
  it('why a file cannot be downloaded, in the list of scans and in the work', async () => {
    const project = await app.diwan.project(company)
    const { body } = await company.api.post(`/projects/${project.id}/files`, { name: 'a.txt', content: 'x' })
    const { ref } = body.data
    await app.database.db.run(sql`
      update files set scan_state = 'failed', scan_finding = 'Archive.Encrypted', scan_message = ${LOCKED} where ref = ${ref}`)
    expect(await arabic('/files')).toMatchObject([{ ref, scan_message: LOCKED_IN_ARABIC, name: 'a.txt' }])
    expect(await arabic(`/records/projects/${project.id}/files/${ref}`)).toMatchObject({
      scan_message: LOCKED_IN_ARABIC,
    })
    expect((await company.admin.get('/files')).body.data[0].scan_message).toBe(LOCKED)
    const inApi = await company.api.get(`/projects/${project.id}/files/${ref}`, ARABIC)
    expect([inApi.body.data.scan_message, inApi.headers.get('content-language')]).toEqual([LOCKED, null])
  })

  it('why a call was denied, in the audit, in its CSV file and with the key', async () => {
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
})

it('An answer without sentences of ours is the same for everybody', async () => {
  const { headers } = await company.admin.get('/keys', ARABIC)
  expect([headers.get('content-language'), headers.get('vary') ?? '']).toEqual([
    null,
    expect.not.stringMatching(/Accept-Language/),
  ])
})
