import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { noticedChanges, noticedFiles, readNoticed } from '../../build/noticed-changes.ts'
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
  const { released, own } = noticedFiles()
  expect(own.map(readNoticed)).toEqual([...noticedChanges(released.map(readNoticed)).values()])
})

it('What a release has is replaced by new files, one for each kind that differs', () => {
  const now = [...noticedChanges([]).values()].join('\n')
  expect(noticedChanges([now]).size).toBe(0)
  const before = now.replaceAll('create or replace ', 'create ').replace(/old\.metadata/, 'old.name')
  const news = noticedChanges([before])
  expect([...news.keys()]).toEqual(['project'])
  const text = news.get('project') as string
  expect(text).toContain('create or replace trigger projects_record_changed ')
  expect(noticedChanges([before, text]).size).toBe(0)
  expect(noticedChanges([before, text, before])).toEqual(news)
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
