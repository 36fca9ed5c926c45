// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { exampleOf } from '../../src/http/description/schemas.ts'
import { useApp } from '../support/app.ts'
import type { Answer, Client } from '../support/diwan.ts'
import { furnishEveryRecord } from '../support/every-record.ts'

const app = useApp()
let api: Client
let owner: Client
let fill: (address: string) => string
beforeAll(async () => {
  const every = await furnishEveryRecord(app.diwan)
  api = every.company.api
  owner = app.diwan.client('/admin/v1', every.company.ownerToken)
  fill = every.fill
})

const LONG = 'ل'.repeat(450_000)
const LONG_IN_URL = 'x'.repeat(10_000)
const MOST_BYTES = 4_096

function bytesOf({ body, headers }: Answer): number {
  return Buffer.byteLength(JSON.stringify(body ?? '')) + [...headers].join('\r\n').length
}

type Fields = Record<string, unknown>
interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
}

/** The body with something long in one field after another: in its text, in its entries, in the fields of its entries. */
function bodiesWithLong(schema: Schema, example: Fields): Fields[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const within = (values: Fields[]) => values.map(value => ({ ...example, [name]: value }))
    if (field.properties) return within(bodiesWithLong(field, (example[name] ?? {}) as Fields))
    const { items } = field
    if (!items) return [{ ...example, [name]: LONG }]
    const [entry = {}] = [example[name]].flat() as Fields[]
    const entries = items.properties ? [...bodiesWithLong(items, entry), { ...entry, [LONG]: 1 }] : [LONG]
    return [...entries.map(each => ({ ...example, [name]: [each] })), { ...example, [name]: LONG }]
  })
}

const surfaces = [
  ['API', apiEndpoints, () => api] as const,
  ['administration', adminEndpoints, () => app.diwan.operator] as const,
  ['work', workEndpoints, () => owner] as const,
]
const endpoints = surfaces.flatMap(([surface, all, client]) =>
  all.map(({ method, at, body, query }) => ({ surface, method, path: at[0] as string, body, query, client })),
)

describe('A refusal is short, however much was sent', () => {
  it.each(endpoints.filter(({ body }) => body))('in a body: $surface $method $path', async each => {
    const { method, path, client } = each
    const schema = each.body as Schema
    const example = exampleOf(each.body as object) as Fields
    const bodies = [...bodiesWithLong(schema, example), { [LONG]: example }, { ...example, [LONG]: 1 }]
    const texts = [
      ...bodies.map(body => JSON.stringify(body)),
      `{"${LONG.slice(0, 200_000)}":1,"${LONG.slice(0, 200_000)}":2}`,
    ]
    for (const body of texts) {
      const answer = await client().send(method, fill(path), { body, headers: { 'content-type': 'application/json' } })
      expect(answer.status).not.toBe(500)
      if (answer.status >= 400) expect(bytesOf(answer)).toBeLessThan(MOST_BYTES)
    }
  })

  it.each(endpoints.filter(({ method }) => method === 'GET'))('in a query: $surface $path', async each => {
    const { path, query, client } = each
    for (const name of [...Object.keys(query?.properties ?? {}), LONG_IN_URL]) {
      const answer = await client().get(`${fill(path)}?${name}=${LONG_IN_URL}`)
      expect(answer.status).not.toBe(500)
      if (answer.status >= 400) expect(bytesOf(answer)).toBeLessThan(MOST_BYTES)
    }
  })

  it('in a path, whose beginning is repeated', async () => {
    for (const client of [api, app.diwan.operator]) {
      const { status, body, headers } = await client.get(`/${LONG_IN_URL}`)
      expect(status).toBe(404)
      expect(bytesOf({ status, body, headers })).toBeLessThan(MOST_BYTES)
      expect(body.error.path).toMatch(/^[/a-z0-9]{2048}…$/)
      expect(body.error.message).toMatch(/^No endpoint answers [A-Z]+ [/a-z0-9]{100}…\.$/)
    }
    const short = (await api.get(`/${'x'.repeat(2_000)}`)).body.error
    expect(short.path).toBe(`/api/v1/${'x'.repeat(2_000)}`)
  })
})
