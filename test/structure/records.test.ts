import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { noticedChanges, noticedFiles, readNoticed } from '../../build/noticed-changes.ts'
import { RECORDS } from '../../src/domain/records/records.ts'

const schema = readFileSync('src/db/schema.sql', 'utf8')
const declared = Object.entries(RECORDS)
const withSlugs = declared.filter(([, record]) => 'nameless' in record)

/** A function or view of the schema. */
const definitionOf = (name: string) =>
  new RegExp(`^CREATE (?:FUNCTION|VIEW) ${name}\\b[^;]*;`, 'm').exec(schema)?.[0] ?? ''

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
})

it('The database knows every prefix and every kind that has slugs: see 0010_slugs.sql', () => {
  const prefixes = declared.flatMap(([, record]) => ('prefix' in record ? [record.prefix] : []))
  expect(definitionOf('is_like_ref')).toContain(`^(${prefixes.join('|')})-`)
  const kinds = [...definitionOf('taken_slugs').matchAll(/'(\w+)'::text/g)].map(([, kind]) => kind)
  expect(kinds.sort()).toEqual(withSlugs.map(([kind]) => kind).sort())
  const tables = [...schema.matchAll(/^CREATE TRIGGER (\w+)_retire_slug /gm)].map(([, table]) => table)
  expect(tables.sort()).toEqual(withSlugs.map(([, record]) => record.table).sort())
})
