import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { CONTRACT_VERSION } from '../../src/contract-version.ts'
import { describeApi } from '../../src/descriptions.ts'

it('The contract version is the same in the packages, the documents and wherever the server is shipped', () => {
  const docs = readdirSync('docs').flatMap(name => (name.endsWith('.md') ? [`docs/${name}`] : []))
  const deployed = readdirSync('deploy', { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
  const places = ['README.md', 'CONTRIBUTING.md', 'client/README.md', 'clients/python/README.md', ...docs, ...deployed]
  const named = places.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/(?:contract version |\bdiwan[:@])(\d+\.\d+\.\d+)/g)].map(
      ([, version]) => `${file}: ${version}`,
    ),
  )
  for (const file of ['package.json', 'client/package.json'])
    named.push(`${file}: ${JSON.parse(readFileSync(file, 'utf8')).version}`)
  expect(named).toContain(`docs/api.md: ${CONTRACT_VERSION}`)
  expect(named.filter(each => !each.endsWith(`: ${CONTRACT_VERSION}`))).toEqual([])
  expect(readFileSync('clients/python/src/diwan/_version.py', 'utf8')).toBe(`__version__ = "${CONTRACT_VERSION}"\n`)
})

it('Every field of a record and every endpoint is in docs/api.md, but for the feed, which has a page of its own', () => {
  const reference = readFileSync('docs/api.md', 'utf8')
  const { schemas } = describeApi().components as { schemas: Record<string, { properties?: object }> }
  const fields = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    ['Error', 'BurstError', 'Change'].includes(name) ? [] : Object.keys(properties),
  )
  expect(fields).toContain('due_at')
  expect(fields.filter(field => !reference.includes(`\`${field}\``))).toEqual([])

  const nameless = (address: string) => address.replace(/\{\w+\}|:\w+/g, '{}')
  const rows = [...reference.matchAll(/^\| ([A-Z]+) \| (.*)$/gm)].flatMap(([, method, cells = '']) =>
    [...cells.matchAll(/`([/…][^`]*)`/g)].map(([, address = '']) => ({ method, address: nameless(address) })),
  )
  /** `…` at the beginning of an address stands for the parents. */
  const isRow = (address: string, written: string) =>
    written.startsWith('…') ? address.endsWith(written.slice(1)) : address === written
  const missing = apiEndpoints.filter(
    ({ method, at }) =>
      !at.map(nameless).some(address => rows.some(row => row.method === method && isRow(address, row.address))),
  )
  expect(missing.map(({ name }) => name)).toEqual(['list_changes'])
})
