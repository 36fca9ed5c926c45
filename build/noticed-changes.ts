import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CHANGED_KINDS, type ChangedKind, RECORDS } from '../src/domain/records/records.ts'

const MIGRATIONS = join(import.meta.dirname, '../src/db/migrations')
const RELEASED = join(MIGRATIONS, '../released-migrations.txt')
/**
 * The migrations whose triggers follow from the declarations of records, one for each table: it is locked while its triggers are
 * replaced. They are committed, and a test fails when they are stale.
 */
const ENDING = '_noticed_changes.sql'

const HEADING = `-- Which columns of a record move its \`updated_at\` and leave an entry in the feed, and which fields that entry names.
-- A column that is not here, such as a count or a slug, changes without either. So does an external id
-- that a deleted record loses to another (see 0020_external_ids.sql).
--
-- Written by \`npm run schema\` from src/domain/records/records.ts. Change the declarations there, not this file.
`

const IS_NOT_FREEING = "current_setting('diwan.frees_external_ids', true) is distinct from 'yes'"

/** What the files of releases lack, by kind, each in whole: what there was before is replaced. */
export function noticedChanges(released: string[]): Map<ChangedKind, string> {
  const before = released.join('\n')
  const stale = CHANGED_KINDS.filter(kind => !isLastIn(before, triggersOf(kind)))
  const replacing = (kind: ChangedKind) =>
    triggersOf(kind).replace(/^create (?=function|trigger)/gm, 'create or replace ')
  return new Map(stale.map(kind => [kind, `${HEADING}\n${replacing(kind)}`]))
}

/** Whether nothing later in the files says otherwise of the same kind. */
function isLastIn(before: string, triggers: string): boolean {
  const asCreated = before.replaceAll('create or replace ', 'create ')
  const [first] = /^create trigger \w+/m.exec(triggers) ?? []
  const place = asCreated.lastIndexOf(triggers)
  return place !== -1 && asCreated.lastIndexOf(`${first} `) < place + triggers.length
}

function triggersOf(kind: ChangedKind): string {
  const { table, deletion, feed } = RECORDS[kind]
  const columns: string[] = [...Object.values(feed.fields), ...feed.states]
  const isMarked = deletion === 'marked' || deletion === 'to the trash'
  // A deleted record whose external id is taken over by another has not been changed by anybody.
  const unlessFreed = columns.includes('external_id') ? `\n    and ${IS_NOT_FREEING}` : ''
  const when = (name: string, time: 'before' | 'after', noticed: string[], run: string) =>
    `create trigger ${table}_${name} ${time} update on ${table} for each row\n  when (${differ(noticed)}${unlessFreed})\n  execute function ${run}();\n`
  return [
    fieldsOf(kind),
    feed.showsUpdatedAt ? when('set_updated_at', 'before', columns, 'set_updated_at') : '',
    when('record_changed', 'after', isMarked ? [...columns, 'deleted_at'] : columns, `record_${kind}_change`),
  ].join('')
}

function differ(columns: string[]): string {
  const of = (row: string) => `(${columns.map(column => `${row}.${column}`).join(', ')})`
  return `${of('old')}\n    is distinct from ${of('new')}`
}

/** One expression, which PostgreSQL puts in the place of the call. The parentheses let it name a column that does not exist. */
function fieldsOf(kind: ChangedKind): string {
  const { table, feed } = RECORDS[kind]
  const cases = Object.entries(feed.fields).map(
    ([field, column]) => `  case when (new).${column} is distinct from (old).${column} then '${field}' end`,
  )
  if (cases.length === 0) return ''
  return `create function changed_${kind}_fields(old ${table}, new ${table}) returns text[] language sql immutable as $$
select array_remove(array[\n${cases.join(',\n')}], null)
$$;\n`
}

/** The files of releases, those that this release has, and the number of the last of the others, whose columns they name. */
export function noticedFiles(): { released: string[]; own: string[]; last: number } {
  const inRelease = readFileSync(RELEASED, 'utf8')
  const all = readdirSync(MIGRATIONS).sort()
  const [released, own] = [true, false].map(isReleased =>
    all.filter(file => file.endsWith(ENDING) && inRelease.includes(file) === isReleased),
  ) as [string[], string[]]
  const last = all.filter(file => !own.includes(file)).at(-1) ?? ''
  return { released, own, last: Number(last.slice(0, 4)) }
}

export const readNoticed = (file: string) => readFileSync(join(MIGRATIONS, file), 'utf8')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { released, own, last } = noticedFiles()
  for (const file of own) rmSync(join(MIGRATIONS, file))
  let number = last
  for (const [kind, text] of noticedChanges(released.map(readNoticed)))
    writeFileSync(join(MIGRATIONS, `${String(++number).padStart(4, '0')}_${kind}${ENDING}`), text)
}
