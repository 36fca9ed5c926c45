import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { CONTRACT_VERSION } from '../../src/contract-version.ts'
import { describeAdmin, describeApi } from '../../src/descriptions.ts'

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'client/README.md',
  'clients/python/README.md',
  ...readdirSync('docs').flatMap(name => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]
const texts = [
  ...PAGES.map(file => [file, readFileSync(file, 'utf8')] as const),
  ['openapi.json', JSON.stringify(describeApi())] as const,
  ['openapi-admin.json', JSON.stringify(describeAdmin())] as const,
]

it('Every page names the contract version of today, in the documents and wherever the server is shipped', () => {
  const named = PAGES.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/contract version (\d+\.\d+\.\d+)/g)].map(([, version]) => [file, version]),
  )
  expect(named).toContainEqual(['docs/api.md', CONTRACT_VERSION])
  expect(named.filter(([, version]) => version !== CONTRACT_VERSION)).toEqual([])
  const shipped = readdirSync('deploy', { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const text = readFileSync(`${parentPath}/${name}`, 'utf8')
      return [...text.matchAll(/\bdiwan[:@](\d+\.\d+\.\d+)/g)].map(([, version]) => version)
    })
  expect([...new Set(shipped)]).toEqual([CONTRACT_VERSION])
  for (const file of ['package.json', 'client/package.json'])
    expect(JSON.parse(readFileSync(file, 'utf8')).version).toBe(CONTRACT_VERSION)
  expect(readFileSync('clients/python/src/diwan/_version.py', 'utf8')).toBe(`__version__ = "${CONTRACT_VERSION}"\n`)
})

it('Every example takes the API key from DIWAN_KEY, as the command line does', () => {
  const credentials = texts.flatMap(([file, text]) =>
    [...text.matchAll(/(?:\$\{?(?:env:)?|process\.env\.|environ\[')(\w*(?:KEY|TOKEN))\b/g)].map(
      ([, name]) => `${file}: ${name}`,
    ),
  )
  const others = credentials.filter(each => !/: (?:DIWAN_KEY|DIWAN_TOKEN|OWNER_TOKEN|OPERATOR_TOKEN)$/.test(each))
  expect(credentials).toEqual(expect.arrayContaining(['README.md: DIWAN_KEY', 'openapi.json: DIWAN_KEY']))
  expect(others).toEqual([])
  expect(credentials).not.toContain('openapi.json: DIWAN_TOKEN')
})

const reference = readFileSync('docs/api.md', 'utf8')
/** They are explained elsewhere: errors by their shapes, the feed on a page of its own. */
const NOT_RECORDS = ['Error', 'BurstError', 'Change']

it('Every field of a record is named in docs/api.md', () => {
  const { schemas } = describeApi().components as { schemas: Record<string, { properties?: object }> }
  const fields = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    NOT_RECORDS.includes(name) ? [] : Object.keys(properties).map(field => ({ name, field })),
  )
  expect(fields).toContainEqual({ name: 'Task', field: 'due_at' })
  expect(fields.filter(({ field }) => !reference.includes(`\`${field}\``))).toEqual([])
})

it('Every endpoint of the API has a row in docs/api.md, except the feed, which has its own page', () => {
  const nameless = (address: string) => address.replace(/\{\w+\}|:\w+/g, '{}')
  const rows = [...reference.matchAll(/^\| ([A-Z]+) \| (.*)$/gm)].flatMap(([, method, cells = '']) =>
    [...cells.matchAll(/`([/…][^`]*)`/g)].map(([, address = '']) => ({ method, address: nameless(address) })),
  )
  /** `…` at the beginning of an address stands for the parents. */
  const isRow = (address: string, written: string) =>
    written.startsWith('…') ? address.endsWith(written.slice(1)) : address === written
  const isDocumented = ({ method, at }: (typeof apiEndpoints)[number]) =>
    at.map(nameless).some(address => rows.some(row => row.method === method && isRow(address, row.address)))
  expect(apiEndpoints.filter(endpoint => !isDocumented(endpoint)).map(({ name }) => name)).toEqual(['list_changes'])
})
