import { beforeAll, describe, expect, it } from 'vitest'
import apiDescription from '../../openapi.json' with { type: 'json' }
import { useApp } from '../support/app.ts'

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
  info: { schema: string }
  auth: unknown
  variable: Setting[]
  item: { name: string; item: Item[] }[]
}

const app = useApp()
let collection: Collection
let items: Item[]
beforeAll(async () => {
  collection = (await (await fetch(`${app.url}/postman.json`)).json()) as Collection
  items = collection.item.flatMap(folder => folder.item)
})

const isOn = ({ disabled }: Setting) => !disabled

describe('The collection for Postman', () => {
  it('has every operation once, with the address and the key in variables and nothing optional', () => {
    const operations = Object.values(apiDescription.paths).flatMap(methods => Object.values(methods))
    const names = operations.map(({ operationId }) => operationId).filter(id => !id.endsWith('InProject'))
    expect(items).toHaveLength(names.length)
    expect(new Set(items.map(({ request }) => `${request.method} ${request.url.raw}`)).size).toBe(items.length)
    expect(collection.item.every(folder => folder.item.length > 0)).toBe(true)
    const variables = { address: 'http://127.0.0.1:3000', key: '' }
    expect(Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]))).toEqual(variables)
    expect(JSON.stringify(collection.auth)).toContain('{{key}}')
    for (const { request } of items) {
      const { raw, path, query, variable } = request.url
      const segments = path.filter(segment => segment.startsWith(':')).map(segment => segment.slice(1))
      expect([raw, segments]).toEqual([raw, variable.map(({ key }) => key)])
      expect(raw.startsWith('{{address}}/api/v1/')).toBe(true)
      expect(JSON.stringify(path)).not.toMatch(/[{}]/)
      const headers = request.header.filter(isOn).map(({ key }) => key)
      expect([raw, headers, query.filter(isOn)]).toEqual([raw, request.body ? ['Content-Type'] : [], []])
    }
  })

  it('sends requests that the API understands as they are', async () => {
    const company = await app.diwan.company()
    // An example invites him.
    await app.diwan.person(company.id, { email: 'omar@example.com' })
    for (const { name, request } of items) {
      const { path, variable } = request.url
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
})
