import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const { dependencies, devDependencies, overrides } = JSON.parse(read('package.json')) as Record<
  string,
  Record<string, string>
>
const [, forUse = '', forDevelopment = '', heldBack = ''] = read('docs/decisions/0010-dependencies.md').split(
  /^\| (?:Package|For development|Held back) \|.*$/m,
)

/** The packages in the first column of a table: whole names, each in its own backquotes. */
function namedIn(table: string): string[] {
  const cells = [...table.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
}

it.each([
  ['is needed to run', forUse, dependencies],
  ['is needed for development', forDevelopment, devDependencies],
])('What %s has its reason in decision 10, and nothing else has', (_, table, packages = {}) => {
  expect(namedIn(table).sort()).toEqual(Object.keys(packages).sort())
})

it('Versions are exact', () => {
  const versions = Object.entries({ ...dependencies, ...devDependencies })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-alpha\.\d+)?$/.test(version))).toEqual([])
})

it('What decision 10 says is held back is at the version that it says', () => {
  const rows = [...heldBack.matchAll(/^\| `([^`]+)`[^|]*\| ([\d.]+) \|/gm)]
  expect(rows).not.toEqual([])
  const versions = { ...dependencies, ...devDependencies, ...overrides }
  for (const [, name = '', version] of rows) expect([name, versions[name]]).toEqual([name, version])
})

it('pg-boss has its tables in the form that nodes of the release before know: see decision 39 before you upgrade it', () => {
  expect(JSON.parse(read('node_modules/pg-boss/version.json'))).toEqual({ schema: 24 })
})
