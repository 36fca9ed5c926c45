import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { CONTRACT_VERSION } from '../../src/contract-version.ts'
import { describeAdmin, describeApi } from '../../src/descriptions.ts'
import type { EndpointFacts } from '../../src/http/endpoints/endpoint.ts'

const [apiDescription, adminDescription] = [describeApi(), describeAdmin()]

type Operations = Record<string, Record<string, { operationId: string; 'x-since': string }>>

const SURFACES = [
  { surface: 'API', endpoints: apiEndpoints, description: apiDescription },
  { surface: 'administration', endpoints: [...adminEndpoints, ...workEndpoints], description: adminDescription },
]
/** The version of the specification before any of it was built: the changelog describes its history in prose. */
const SPECIFIED = '1.2.0'
const VERBS =
  'accept add archive change close complete connect create delete disconnect download end enter get invite list move read remove reopen replay rescan restore retry revoke rotate search set test unarchive update upload upsert'

const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
/** What the changelog says about each version. */
const sections = new Map(
  changelog
    .split(/^## /m)
    .slice(1)
    .map(section => [section.match(/^[\d.]+/)?.[0], section]),
)

/**
 * As the changelog writes it: `GET …/users/{user}`, where the dots stand for the company. The `records` endpoints, which
 * mirror operations of the API, are named as a whole.
 */
function written({ method }: EndpointFacts, address: string): string {
  if (address.startsWith('/companies/:company/records/')) return `\`${method} …/records/…\``
  return `\`${method} ${address.replace(/:(\w+)/g, '{$1}').replace(/^\/companies\/\{company\}(?=\/)/, '…')}\``
}

function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0
}

describe.each(SURFACES)('Every operation of the $surface', ({ endpoints, description }) => {
  const paths = description.paths as Operations

  it('has a name that no other has: words in snake_case, the first of them a verb', () => {
    const names = endpoints.map(({ name }) => name)
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([])
    expect(names.filter(name => !/^[a-z]+(?:_[a-z]+)*$/.test(name))).toEqual([])
    expect(names.filter(name => !VERBS.split(' ').includes(name.split('_', 1)[0] as string))).toEqual([])
  })

  it('is described by that name at its only or flat address, and by the same with InProject at a nested one', () => {
    for (const { name, method, at } of endpoints) {
      const id = name.replace(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase())
      const ids = at.map(address => {
        const path = address.replace(/:(\w+)/g, '{$1}')
        return paths[path]?.[method.toLowerCase()]?.operationId
      })
      expect(ids).toEqual(at.length === 1 ? [id] : [`${id}InProject`, id])
      if (at.length > 1) expect(at[0]).toMatch(/^(\/companies\/:company\/records)?\/projects\/:project\//)
    }
  })

  it('says since which version it exists: one that the changelog tells of, and not a later one than ours', () => {
    expect(sections.has(CONTRACT_VERSION)).toBe(true)
    for (const { name, since, method, at } of endpoints) {
      expect([name, sections.has(since), isNewer(since, CONTRACT_VERSION)]).toEqual([name, true, false])
      for (const address of at) {
        const described = paths[address.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
        expect([name, described?.['x-since']]).toEqual([name, since])
      }
    }
  })

  it('that came after the first specification is named in the changelog of its version', () => {
    const added = endpoints.filter(({ since }) => isNewer(since, SPECIFIED))
    expect(added).not.toEqual([])
    const unnamed = added.filter(endpoint => {
      const section = sections.get(endpoint.since) ?? ''
      return !endpoint.at.some(address => section.includes(written(endpoint, address)))
    })
    expect(unnamed.map(({ name }) => name)).toEqual([])
  })
})
