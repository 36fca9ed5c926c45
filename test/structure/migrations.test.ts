import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../../src/db/migrations')
const files = readdirSync(folder).sort()

/** The names that follow certain words of SQL, ignoring comments. */
function named(file: string, words: string): string[] {
  const statements = readFileSync(join(folder, file), 'utf8').replace(/^ *--.*$/gm, '')
  return [...statements.matchAll(new RegExp(`^${words} (\\w+)`, 'gm'))].map(([, name]) => name as string)
}

// Until the first release a change goes into the file that creates the table: the history of a schema that nobody uses is noise.
describe('The migrations', () => {
  it('are numbered without a gap', () => {
    expect(files.map(file => file.slice(0, 5))).toEqual(files.map((_, n) => `${String(n + 1).padStart(4, '0')}_`))
  })

  it('make each table once, and change it nowhere else', () => {
    const made = files.flatMap(file => named(file, 'create table'))
    expect(made).toContain('companies')
    expect(made.filter((name, n) => made.indexOf(name) !== n)).toEqual([])
    for (const file of files)
      expect([file, named(file, 'alter table').filter(name => !named(file, 'create table').includes(name))]).toEqual([
        file,
        [],
      ])
  })

  it('replace and drop nothing', () => {
    for (const file of files) expect([file, named(file, '(?:create or replace|drop)')]).toEqual([file, []])
  })
})
