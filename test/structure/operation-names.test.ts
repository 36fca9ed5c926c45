import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { CONTRACT_VERSION } from '../../src/contract-version.ts'
import { describeAdmin, describeApi } from '../../src/descriptions.ts'
import type { EndpointFacts } from '../../src/http/endpoints/endpoint.ts'

type Operations = Record<string, Record<string, { operationId: string; 'x-since': string }>>

const VERBS =
  'accept add archive change close complete connect create delete disconnect download end enter get invite list move read remove reopen replay rescan restore retry revoke rotate search set test unarchive update upload upsert'
/** The version of the specification before any of it was built: the changelog describes its history in prose. */
const SPECIFIED = '1.2.0'
/** What the changelog says about each version. */
const sections = new Map(
  readFileSync('CHANGELOG.md', 'utf8')
    .split(/^## /m)
    .map(section => [section.match(/^[\d.]+/)?.[0], section]),
)

/** As the changelog writes it, where dots stand for the company; the `records` endpoints are named as a whole. */
function written({ method }: EndpointFacts, address: string): string {
  if (address.startsWith('/companies/:company/records/')) return `\`${method} …/records/…\``
  return `\`${method} ${address.replace(/:(\w+)/g, '{$1}').replace(/^\/companies\/\{company\}(?=\/)/, '…')}\``
}

const isNewer = (version: string, than: string) => version.localeCompare(than, 'en', { numeric: true }) > 0

it.each([
  { surface: 'API', endpoints: apiEndpoints, description: describeApi() },
  { surface: 'administration', endpoints: [...adminEndpoints, ...workEndpoints], description: describeAdmin() },
])(
  'Every operation of the $surface has a name in snake_case that begins with a verb, and is described by it since its version',
  ({ endpoints, description }) => {
    const names = endpoints.map(({ name }) => name)
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([])
    expect(names.filter(name => !/^[a-z]+(?:_[a-z]+)*$/.test(name))).toEqual([])
    expect(names.filter(name => !VERBS.split(' ').includes(name.split('_', 1)[0] as string))).toEqual([])
    for (const endpoint of endpoints) {
      const { name, method, at, since } = endpoint
      const id = name.replace(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase())
      const described = at.map(address => {
        const path = (description.paths as Operations)[address.replace(/:(\w+)/g, '{$1}')]
        return [path?.[method.toLowerCase()]?.operationId, path?.[method.toLowerCase()]?.['x-since']]
      })
      const ids = at.length === 1 ? [id] : [`${id}InProject`, id]
      expect(described).toEqual(ids.map(each => [each, since]))
      if (at.length > 1) expect(at[0]).toMatch(/^(\/companies\/:company\/records)?\/projects\/:project\//)
      expect([name, sections.has(since), isNewer(since, CONTRACT_VERSION)]).toEqual([name, true, false])
      const isTold = at.some(address => sections.get(since)?.includes(written(endpoint, address)))
      if (isNewer(since, SPECIFIED)) expect([name, isTold]).toEqual([name, true])
    }
  },
)
