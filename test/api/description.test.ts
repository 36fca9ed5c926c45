import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { describeAdmin, describeApi } from '../../src/descriptions.ts'
import { useApp } from '../support/app.ts'
import type { Answer, TestCompany } from '../support/diwan.ts'
import { requestText, sendRaw } from '../support/raw-http.ts'

const app = useApp()
let company: TestCompany
beforeAll(async () => {
  company = await app.diwan.company()
})

interface Response {
  $ref?: string
  headers?: Record<string, unknown>
}
interface Description {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  components: { headers: Record<string, unknown>; responses: Record<string, Response> }
}
const api = describeApi() as unknown as Description
const admin = describeAdmin() as unknown as Description

const sample = (path: string) => path.replace(/:(\w+)/g, '{$1}')
const addressesOf = (endpoints: { method: string; at: string[] }[]) =>
  endpoints.flatMap(({ method, at }) => at.map(path => ({ method, path })))

/** The headers of an answer that are documented somewhere, but not for this answer. */
function untold({ paths, components }: Description, method: string, path: string, { status, headers }: Answer) {
  const response = paths[sample(path)]?.[method.toLowerCase()]?.responses[status]
  expect(response, `${method} ${path} ${status}`).toBeDefined()
  const name = response?.$ref?.split('/').at(-1)
  const told = (name ? components.responses[name] : response)?.headers ?? {}
  const known = Object.keys({ ...api.components.headers, ...admin.components.headers })
  return known.filter(header => headers.has(header) && !(header in told))
}

describe('The description tells of every header', () => {
  const json = { 'content-type': 'application/json' }
  const write = (method: string) => (method === 'GET' ? {} : { body: '{"unknown":1}', headers: json })

  it.each(addressesOf(apiEndpoints))('that $method $path answers with', async ({ method, path }) => {
    const missing = path.replace(/:\w+/g, 'missing')
    const answer = await company.api.send(method, `${missing}?unknown=1`, write(method))
    expect(untold(api, method, path, answer)).toEqual([])
    const stranger = await app.diwan.api().send(method, missing)
    expect([stranger.status, untold(api, method, path, stranger)]).toEqual([401, []])
  })

  it.each(addressesOf([...adminEndpoints, ...workEndpoints]))(
    'that administration $method $path answers with',
    async ({ method, path }) => {
      const filled = path.replace(':company', String(company.id)).replace(/:\w+/g, 'missing')
      const owner = app.diwan.client('/admin/v1', company.ownerToken)
      const caller = path.includes('/records/') ? owner : app.diwan.operator
      const answer = await caller.send(method, `${filled}?unknown=1`, write(method))
      expect(untold(admin, method, path, answer)).toEqual([])
    },
  )

  it('of a success, a repeat, an unchanged read, a link and a spent allowance', async () => {
    const other = await app.diwan.company({ plan: 'enterprise', daily_calls: 6 })
    const named = { 'idempotency-key': 'described' }
    const create = () => other.api.post('/projects?unknown=1', { name: 'Described', unknown: 1 }, named)
    const [created, repeated] = [await create(), await create()]
    expect([created.status, repeated.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    const at = `/projects/${created.body.data.id}`
    const read = await other.api.get(at)
    const unchanged = await other.api.get(at, { 'if-none-match': read.headers.get('etag') as string })
    const link = await other.api.post(`${at}/links`, { name: 'Plan', external_url: 'https://example.com/' })
    const followed = await other.api.get(`${at}/files/${link.body.data.ref}/download`)
    const spent = await other.api.get(at)
    expect([read, unchanged, link, followed, spent].map(({ status }) => status)).toEqual([200, 304, 201, 302, 429])
    for (const [method, path, answer] of [
      ['POST', '/projects', created],
      ['POST', '/projects', repeated],
      ['GET', '/projects/:project', read],
      ['GET', '/projects/:project', unchanged],
      ['POST', '/projects/:project/links', link],
      ['GET', '/projects/:project/files/:file/download', followed],
      ['GET', '/projects/:project', spent],
    ] as const)
      expect([path, answer.status, untold(api, method, path, answer)]).toEqual([path, answer.status, []])
  })
})

describe.each(['/openapi.json', '/admin/openapi.json'])('%s', path => {
  const MANY = 25
  const cpuOf = async (hostOf: (n: number) => string) => {
    const before = process.cpuUsage()
    const tags = new Set<string>()
    for (let n = 0; n < MANY; n++) {
      const headers = { host: hostOf(n), 'accept-encoding': 'gzip' }
      const [answer] = (await once(request(`${app.url}${path}`, { headers }).end(), 'response')) as [IncomingMessage]
      await once(answer.resume(), 'end')
      tags.add(answer.headers.etag as string)
    }
    const { user, system } = process.cpuUsage(before)
    return { tags, cpu: user + system }
  }

  it('is the same for every host that a caller names, and compressed once for all of them', async () => {
    await cpuOf(() => 'diwan.example.com')
    const ratios: number[] = []
    // Something else may use the processor meanwhile, but hardly five times in a row.
    for (let n = 0; n < 5; n++) {
      const same = await cpuOf(() => 'diwan.example.com')
      const others = await cpuOf(m => `host-${n}-${m}.example.com`)
      expect([same.tags.size, others.tags]).toEqual([1, same.tags])
      ratios.push(others.cpu / same.cpu)
    }
    expect(Math.min(...ratios)).toBeLessThan(2)
  })

  it.each(['diwan.example.com', 'a";rm', '$(id)'])('leaves the host to the caller, who sent %s', async host => {
    const { status, body } = await sendRaw(app.url, requestText('GET', path, { host }))
    expect(status).toBe(200)
    expect(JSON.stringify(body).includes('curl \\"$DIWAN_URL/a')).toBe(path === '/openapi.json')
    expect(body.servers[0].url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/(api|admin)\/v1$/)
  })
})

describe('Where the public URL is known', () => {
  const known = useApp({ publicUrl: 'https://diwan.example.com/pm' })

  it('/openapi.json has samples for it', async () => {
    const text = await (await fetch(`${known.url}/openapi.json`)).text()
    expect(text).toContain('curl \\"https://diwan.example.com/pm/a')
    expect(text).not.toContain('$DIWAN_URL')
  })
})
