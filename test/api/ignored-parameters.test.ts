import { beforeAll, describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useApp } from '../support/app.ts'
import type { Answer, TestCompany } from '../support/diwan.ts'

const app = useApp()
let company: TestCompany
let ref: string
beforeAll(async () => {
  company = await app.diwan.company()
  ref = (await app.diwan.project(company)).id
})

const ignored = ({ headers }: Answer) => headers.get('x-ignored-parameters')?.split(', ').map(decodeURIComponent)

interface Addressed {
  method: string
  at: string[]
}
const addressesOf = (endpoints: Addressed[]) =>
  endpoints.flatMap(({ method, at }) => at.map(path => ({ method, path })))

describe('Unknown query parameters are named', () => {
  it.each(addressesOf(apiEndpoints))('by $method $path, whatever it answers', async ({ method, path }) => {
    const answer = await company.api.send(method, `${path.replace(/:\w+/g, 'missing')}?limitt=5`)
    expect(answer.status).toBeLessThan(500)
    expect(ignored(answer)).toEqual(['limitt'])
  })

  it.each([...addressesOf(adminEndpoints), ...addressesOf(workEndpoints)])(
    'by administration $method $path',
    async ({ method, path }) => {
      const filled = path.replace(':company', String(company.id)).replace(/:\w+/g, 'missing')
      // Most of the administration is for the operator; work, and the way into a sandbox, are for people.
      const isForPeople = /\/records\/|\/sandbox\/enter$/.test(path)
      const caller = isForPeople ? app.diwan.client('/admin/v1', company.ownerToken) : app.diwan.operator
      const answer = await caller.send(method, `${filled}?limitt=5`)
      expect(answer.status).toBeLessThan(500)
      expect(ignored(answer)).toEqual(['limitt'])
    },
  )

  it('beside those that are known, each once, and only those that are not', async () => {
    const answer = await company.api.get('/projects?limit=5&Limit=1&x=1&x=2&offset=0&__proto__=1&toString=2')
    expect([answer.status, answer.body.meta.limit]).toEqual([200, 5])
    expect(ignored(answer)).toEqual(['Limit', 'x', '__proto__', 'toString'])
    expect(ignored(await company.api.get('/projects?limit=5&offset=0'))).toBeUndefined()
    expect(ignored(await company.api.get('/projects?&&==='))).toBeUndefined()
  })

  it('on a 304, a 404, a 422 and a repeated POST', async () => {
    const { headers } = await company.api.get(`/projects/${ref}?expand=1`)
    const same = await company.api.get(`/projects/${ref}?expand=1`, { 'if-none-match': headers.get('etag') as string })
    expect([same.status, ignored(same)]).toEqual([304, ['expand']])
    const missing = await company.api.get('/projects/missing?expand=1')
    expect([missing.status, ignored(missing)]).toEqual([404, ['expand']])
    const refused = await company.api.post('/projects?notify=1', {})
    expect([refused.status, ignored(refused)]).toEqual([422, ['notify']])
    for (const replayed of [null, 'true']) {
      const answer = await company.api.post('/projects?notify=1', { name: 'Once' }, { 'idempotency-key': 'once' })
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, replayed])
      expect(ignored(answer)).toEqual(['notify'])
    }
  })

  it('as far as a header can carry them: 20 names of 20 characters, percent-encoded', async () => {
    const names = [
      'مهم',
      'a, b',
      '🚀'.repeat(30),
      'a\u0000\r\nSet-Cookie: b',
      ...Array.from({ length: 100 }, (_, n) => `p${n}`),
    ]
    const answer = await company.api.get(`/me?${names.map(name => `${encodeURIComponent(name)}=1`).join('&')}`)
    expect(answer.status).toBe(200)
    expect(ignored(answer)).toHaveLength(20)
    expect(ignored(answer)?.slice(0, 4)).toEqual(['مهم', 'a, b', '🚀'.repeat(20), 'a\u0000\r\nSet-Cookie: b'])
  })

  it('only to those whom the gate lets in', async () => {
    const answer = await app.diwan.api().get('/projects?limitt=5')
    expect([answer.status, ignored(answer)]).toEqual([401, undefined])
  })
})
