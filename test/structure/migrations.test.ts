import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CONTRACT_VERSION } from '../../src/contract-version.ts'
import { readMigration } from '../../src/db/migration-files.ts'
import { contractingStatements, lockedTables } from '../support/contracting-statements.ts'

const folder = join(import.meta.dirname, '../../src/db/migrations')
const files = readdirSync(folder).sort()
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')

/** The digest of each file that a release has, by its name. */
const released = new Map(
  readFileSync(join(folder, '../released-migrations.txt'), 'utf8')
    .trim()
    .split('\n')
    .map(line => line.split(/\s+/).reverse() as [string, string]),
)
const unreleased = files.filter(file => !released.has(file))

const isBefore = (release: string, other: string) => release.localeCompare(other, 'en', { numeric: true }) < 0

describe('The migrations', () => {
  it('are numbered without a gap', () => {
    expect(files.map(file => file.slice(0, 5))).toEqual(files.map((_, n) => `${String(n + 1).padStart(4, '0')}_`))
  })

  it('of a release are never edited, removed or preceded by a new one: make a change in a new file', async () => {
    const found = await Promise.all(files.slice(0, released.size).map(file => readMigration(file)))
    expect(found.map(({ name, checksum }) => [name, checksum])).toEqual([...released])
  })

  it.each(unreleased)(
    '%s only adds to the schema, or says which release stopped using what it takes away',
    async file => {
      const before = unreleased.slice(0, unreleased.indexOf(file)).map(textOf)
      const contracting = contractingStatements(textOf(file), before)
      const { isOutside, oldestRelease } = await readMigration(file)
      if (oldestRelease === null) return expect(contracting).toEqual([])
      // If it is interrupted, it begins again.
      if (isOutside)
        expect(contracting.filter(each => !each.startsWith('drop index concurrently if exists '))).toEqual([])
      expect(contracting, 'It takes nothing away: leave out the line "-- contracts:"').not.toEqual([])
      // The release before this one is still running when the file is applied.
      expect([oldestRelease, isBefore(oldestRelease, CONTRACT_VERSION)]).toEqual([oldestRelease, true])
    },
  )

  it.each(unreleased)('%s locks one table of before at most', file => {
    expect(lockedTables(textOf(file)).length).toBeLessThan(2)
  })
})

it('The tables of before that a migration locks are counted, and no others', () => {
  for (const [text, tables] of [
    ['alter table tasks add column a int; alter table projects add column a int', ['tasks', 'projects']],
    ['create or replace trigger a after update on tasks for each row execute function f()', ['tasks']],
    ['drop trigger a on tasks; drop table if exists labels', ['tasks', 'labels']],
    ['create table labels (a bigint references companies, foreign key (b) references lists (id))', ['lists']],
    ['create table labels (id bigint); alter table labels add column name text', []],
    ['create or replace function f() returns int language sql as $$ alter table tasks add column a int $$', []],
  ] as const)
    expect([text, lockedTables(text)]).toEqual([text, tables])
})

const OUTSIDE = '-- outside a transaction\n'

it('A migration may only add without saying so', () => {
  for (const text of [
    'create table labels (id bigint, name text check (name <> $$;drop table x$$)); alter table labels drop column id',
    'alter table tasks add column estimate integer, add column colour text not null default $$red; drop$$',
    'alter table tasks add column a int; alter table tasks add constraint c check (a > 0) not valid; alter table tasks validate constraint c',
    'create or replace function f() returns int language plpgsql as $$ begin drop table x; return 1; end $$',
    "insert into upkeep values ('delete; from')",
    '-- drop table tasks;\ncomment on table tasks is $$ truncate $$',
    `${OUTSIDE}drop index concurrently if exists t;\ncreate index concurrently t on tasks (company_id, title);\n`,
  ])
    expect([text, contractingStatements(text)]).toEqual([text, []])
})

it('A migration may not take away, rewrite or narrow anything without saying so', () => {
  for (const text of [
    'drop table labels',
    'DROP   INDEX tasks_by',
    'alter table tasks add column a int, drop column notes',
    'alter table tasks rename column notes to body',
    'alter table tasks alter column title set data type varchar(10)',
    'alter table tasks alter column notes set not null',
    'alter table tasks add column estimate integer not null',
    'alter table tasks add column estimate integer check (estimate > 0)',
    'alter table tasks add column label_id bigint references labels',
    'alter table tasks add column u uuid default gen_random_uuid()',
    'alter table tasks add constraint c check (title <> $$$$) not valid',
    'alter table tasks disable trigger all',
    'alter function f rename to g',
    'create unique index tasks_by on tasks (company_id, title)',
    'truncate changes',
    'delete from changes',
    'update tasks set notes = null',
    'do $$ begin drop table tasks; end $$',
    `${OUTSIDE}create index concurrently tasks_by on tasks (company_id, title);\n`,
    `${OUTSIDE}drop table tasks;\n`,
  ])
    expect([text, contractingStatements(text).length]).toEqual([text, 1])
  const key = 'alter table labels add constraint labels_task foreign key (task_id) references tasks'
  expect(contractingStatements(key)).toHaveLength(1)
  expect(contractingStatements(key, ['create table labels (task_id bigint)'])).toEqual([])
})

it('The heading of a migration says since when what it takes away is unused, and the database learns it from there', async () => {
  const place = mkdtempSync(join(tmpdir(), 'diwan-migrations-'))
  const oldestIn = async (text: string) => {
    writeFileSync(join(place, 'one.sql'), text)
    return (await readMigration('one.sql', pathToFileURL(`${place}/`))).oldestRelease
  }
  const heading = '-- Notes are in texts now.\n-- contracts: unused since 1.8.0, which reads texts\n'
  expect(await oldestIn(`${heading}alter table tasks drop column notes;\n`)).toBe('1.8.0')
  expect(await oldestIn('select 1;\n-- contracts: unused since 1.8.0\n')).toBeNull()
  rmSync(place, { recursive: true })
})

it('pg-boss has its tables in the form that nodes of the release before know: see decision 39 before you upgrade it', () => {
  expect(JSON.parse(readFileSync('node_modules/pg-boss/version.json', 'utf8'))).toEqual({ schema: 24 })
})
