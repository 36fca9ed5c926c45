import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NOTICED_CHANGES, noticedChanges } from '../../build/noticed-changes.ts'
import { RECORDS } from '../../src/domain/records/records.ts'

const schema = readFileSync('src/db/schema.sql', 'utf8')
const declared = Object.entries(RECORDS)

/** What a function or view of the schema says. */
function definitionOf(name: string): string {
  const [found] = new RegExp(`^CREATE (?:FUNCTION|VIEW) ${name}\\b[^;]*;`, 'm').exec(schema) ?? []
  if (!found) throw new Error(`src/db/schema.sql has no ${name}`)
  return found
}

it('The triggers that notice changes follow from src/domain/records/records.ts: npm run schema writes them', () => {
  expect(readFileSync(NOTICED_CHANGES, 'utf8')).toBe(noticedChanges())
})

it('The database knows the prefixes of all refs: is_like_ref in 0010_slugs.sql', () => {
  const prefixes = declared.flatMap(([, record]) => ('prefix' in record ? [record.prefix] : []))
  expect(definitionOf('is_like_ref')).toContain(`^(${prefixes.join('|')})-`)
})

it('The slugs of every kind that has some are known to be taken: taken_slugs in 0010_slugs.sql', () => {
  const kinds = [...definitionOf('taken_slugs').matchAll(/'(\w+)'::text/g)].map(([, kind]) => kind)
  expect(kinds.sort()).toEqual(declared.flatMap(([kind, record]) => ('nameless' in record ? [kind] : [])).sort())
})

it('A slug that changes is retired in every table that has slugs: …_retire_slug in 0010_slugs.sql', () => {
  const tables = [...schema.matchAll(/^CREATE TRIGGER (\w+)_retire_slug /gm)].map(([, table]) => table)
  expect(tables.sort()).toEqual(declared.flatMap(([, record]) => ('nameless' in record ? [record.table] : [])).sort())
})
