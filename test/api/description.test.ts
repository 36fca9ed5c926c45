import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { expectDescribed, ROUTES, type Route } from '../support/contract.ts'
import type { TestCompany } from '../support/diwan.ts'
import { requestText, sendRaw } from '../support/raw-http.ts'

const app = useApp()
let company: TestCompany
beforeAll(async () => {
  company = await app.diwan.company({ daily_calls: 3 })
})

it('The description tells of the headers of a link that is followed, and of a spent allowance', async () => {
  const { id } = await app.diwan.project(company)
  const link = { name: 'Plan', external_url: 'https://example.com/' }
  const { ref } = (await company.api.post(`/projects/${id}/links`, link)).body.data
  const at = `/projects/${id}/files/${ref}/download`
  const route = ROUTES.find(({ endpoint }) => endpoint.name === 'download_file') as Route
  for (const status of [302, 429]) {
    const answer = await company.api.get(at)
    expect(answer.status).toBe(status)
    expectDescribed(route, answer)
  }
})

describe.each(['/openapi.json', '/admin/openapi.json'])('%s', path => {
  it('is the same for every host that a caller names, whom it leaves to the caller', async () => {
    const tags = new Set<string | null>()
    for (const host of ['diwan.example.com', 'a";rm', '$(id)']) {
      const { status, body, headers } = await sendRaw(app.url, requestText('GET', path, { host }))
      expect(status).toBe(200)
      expect(JSON.stringify(body).includes('curl \\"$DIWAN_URL/a')).toBe(path === '/openapi.json')
      expect(body.servers[0].url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/(api|admin)\/v1$/)
      tags.add(headers.get('etag'))
    }
    expect(tags.size).toBe(1)
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
