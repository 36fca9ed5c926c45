import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CONTRACT_VERSION, describeAdmin, describeApi } from '../../src/descriptions.ts'

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'client/README.md',
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
