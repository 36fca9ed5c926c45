import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LOCKS } from '../../src/db/advisory-locks.ts'

// What a layer does not know, where the imports alone do not show it.

const root = join(import.meta.dirname, '../../src')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
const read = (file: string) => readFileSync(join(root, file), 'utf8')
/** The files in a folder that contain something. */
function within(folder: string, pattern: RegExp): string[] {
  const inFolder = files.filter(file => file.startsWith(`${folder}/`) && file.endsWith('.ts'))
  expect(inFolder.length).toBeGreaterThan(5)
  return inFolder.filter(file => pattern.test(read(file)))
}

describe('Layers', () => {
  it('http does not learn from db what an error means', () => {
    expect(within('http', /from '[./]+db\/failures\.ts'/)).toEqual([])
  })

  it('a port speaks of data and not of SQL', () => {
    expect(within('domain/ports', /sql-template-tag|\bSql\b/)).toEqual([])
  })

  it('an adapter has errors of its own, and does not answer calls', () => {
    expect(within('adapters', /from '[./]+domain\/errors\.ts'/)).toEqual([])
  })

  it('lib knows nothing of Diwan', () => {
    expect(within('lib', /diwan|compan(?:y|ies)|\b(?:tasks?|projects?|discussions?|webhooks?)\b/i)).toEqual([])
  })
})

/** The key and the file of each lock that the list says is taken by a function of the database. */
const TAKEN = [...read('db/advisory-locks.ts').matchAll(/^\/\/ (\w+(?: %s)+) .* (\d{4}_\w+\.sql) /gm)].map(
  ([, ...found]) => found,
)

describe('Advisory locks', () => {
  it('are taken by one file of code', () => {
    const code = files.filter(file => file.endsWith('.ts') && /pg_(?:try_)?advisory/.test(read(file)))
    expect(code).toEqual(['db/advisory-locks.ts'])
  })

  it('that functions of the database take are listed with their keys, and are only tried, except for those with an order of their own', () => {
    const migrations = files.filter(file => /^db\/migrations\/.*\.sql$/.test(file))
    const taken = migrations.flatMap(file => {
      const text = read(file)
      const names = text.match(/pg_\w*advisory\w*/g) ?? []
      const waits = file.endsWith('_external_ids.sql')
      expect(names.filter(name => name !== (waits ? 'pg_advisory_xact_lock' : 'pg_try_advisory_xact_lock'))).toEqual([])
      const keys = [...text.matchAll(/hashtextextended\(format\('([^']+)'/g)]
      if (names.length > 0) expect(keys.length).toBeGreaterThan(0)
      return keys.map(([, key]) => [key, file.replace('db/migrations/', '')])
    })
    // Two functions may take the same.
    const different = [...new Map(taken.map(each => [String(each), each])).values()]
    expect(different.sort()).toEqual(TAKEN.sort())
  })

  it('have keys that differ', () => {
    const own = Object.values(LOCKS).map(lock => (typeof lock === 'number' ? String(lock) : lock(1, 'x' as never)))
    const first = [...own, ...TAKEN.map(([key]) => key)].map(key => key?.split(' ')[0])
    expect(new Set(first).size).toBe(first.length)
  })
})
