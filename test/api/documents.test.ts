import { beforeAll, describe, expect, it } from 'vitest'
import apiDescription from '../../openapi.json' with { type: 'json' }
import adminDescription from '../../openapi-admin.json' with { type: 'json' }
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

interface Setting {
  key: string
  value: string
  disabled?: boolean
}

interface Item {
  name: string
  request: {
    method: string
    header: Setting[]
    body?: { mode: string; raw: string }
    url: { raw: string; path: string[]; query: Setting[]; variable: Setting[] }
  }
}

interface Collection {
  item: { item: Item[] }[]
}

const isOn = ({ disabled }: Setting) => !disabled

it('The collection for Postman has every operation once, as a request that the API understands as it is', async () => {
  const { item } = (await (await fetch(`${app.url}/postman.json`)).json()) as Collection
  const items = item.flatMap(folder => folder.item)
  const operations = Object.values(apiDescription.paths).flatMap(methods => Object.values(methods))
  expect(items).toHaveLength(operations.filter(({ operationId }) => !operationId.endsWith('InProject')).length)
  expect(new Set(items.map(({ request }) => `${request.method} ${request.url.raw}`)).size).toBe(items.length)
  const company = await app.diwan.company()
  // An example invites him.
  await app.diwan.person(company.id, { email: 'omar@example.com' })
  for (const { name, request } of items) {
    const { raw, path, query, variable } = request.url
    expect([raw, query.filter(isOn)]).toEqual([expect.stringMatching(/^\{\{address\}\}\/api\/v1\//), []])
    const filled = path.map(segment => variable.find(({ key }) => segment === `:${key}`)?.value ?? segment)
    const headers = Object.fromEntries(request.header.filter(isOn).map(({ key, value }) => [key, value]))
    const body = request.body?.raw
    const answer = await company.api.send(request.method, `/${filled.slice(2).map(encodeURIComponent).join('/')}`, {
      headers,
      ...(body !== undefined && { body }),
    })
    // The company is empty, so most records of the examples are missing.
    expect([200, 201, 404], `${name}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
    if (answer.status === 404) expect(answer.body.error.code, name).toBe('not_found')
  }
})

async function text(path: string): Promise<string> {
  const response = await fetch(app.url + path)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  return response.text()
}

const flat = Object.entries(apiDescription.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => !operationId.endsWith('InProject'))
    .map(([method]) => `\`${method.toUpperCase()} ${path}\``),
)

it('/llms.txt links to every endpoint; /llms-full.txt has what each takes and answers, and every field', async () => {
  const short = await text('/llms.txt')
  expect(short).toMatch(/^# Diwan API \d+\.\d+\.\d+\n\n> \S/)
  for (const endpoint of flat) expect(short.split(endpoint)).toHaveLength(2)
  for (const [, address = ''] of short.matchAll(/\]\(http:\/\/127\.0\.0\.1:3000(\/[^)]*)\)/g))
    expect([address, (await fetch(app.url + address)).status]).toEqual([address, 200])
  const full = await text('/llms-full.txt')
  for (const endpoint of flat) expect(full).toContain(`\n${endpoint}\n`)
  for (const [name, { properties }] of Object.entries(apiDescription.components.schemas)) {
    const record = full.split(`\n### ${name}\n`)[1]?.split('\n### ')[0]
    for (const field of Object.keys(properties))
      expect([name, record]).toEqual([name, expect.stringContaining(`- \`${field}\` (`)])
  }
  expect(full).toContain('- `assignee_email` (string or null): ')
  expect(full).toContain('Answers 201 with {data: Task}.')
  expect(full).not.toMatch(/undefined|\[object/)
})

const get = (path: string, acceptLanguage?: string) =>
  fetch(app.url + path, { headers: acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage } })

it('The pages are in the language of their address, or else of the browser, and lead to the other', async () => {
  for (const [path, accepted, language] of [
    ['/', 'ar', 'ar'],
    ['/?lang=ar', 'en', 'ar'],
    ['/docs?lang=ar', 'en', 'ar'],
    ['/docs', 'ar-SA, en;q=0.8', 'ar'],
    ['/docs', 'en, ar;q=0.8', 'en'],
    ['/docs?lang=fr', 'ar', 'ar'],
    ['/docs?lang=ar&lang=en', 'en', 'en'],
    ['/docs?lang=%3Cscript%3E', 'en', 'en'],
  ] as const) {
    const { status, headers, text } = await get(path, accepted).then(async answer => ({
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
    }))
    expect([path, status, headers.get('content-language')]).toEqual([path, 200, language])
    expect(text).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    const vary = /lang=(ar|en)$/.test(path) && !path.includes('&') ? null : 'Accept-Language'
    expect([path, headers.get('vary')]).toEqual([path, vary])
    const [page, other] = [path.split('?')[0], language === 'ar' ? 'en' : 'ar']
    expect(text).toContain(`<a href="${page}?lang=${other}" lang="${other}" hreflang="${other}">`)
    const policy = headers.get('content-security-policy')
    if (page === '/docs') expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/=]+')+;/)
  }
})

it.each([
  ['/openapi.json', apiDescription, 'API ديوان', 'المشاريع'],
  ['/admin/openapi.json', adminDescription, 'إدارة ديوان', 'الشركات'],
])(
  '%s is the same for every program, and in Arabic when its address asks for that',
  async (path, committed, title, group) => {
    for (const query of ['', '?lang=en', '?lang=fr', '?lang=ar&lang=ar'])
      expect(await (await get(path + query, 'ar')).json()).toEqual(committed)
    const answer = await get(`${path}?lang=ar`, 'en')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    const { info, tags } = (await answer.json()) as typeof apiDescription
    expect(info.title).toBe(title)
    expect(tags).toContainEqual(expect.objectContaining({ 'x-displayName': group }))
    expect(answer.headers.get('etag')).not.toBe((await get(path)).headers.get('etag'))
  },
)
