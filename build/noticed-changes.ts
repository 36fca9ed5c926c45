import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CHANGED_KINDS, type ChangedKind, RECORDS } from '../src/domain/records/records.ts'

/** The migration whose triggers follow from the declarations of records. It is committed, and a test fails when it is stale. */
export const NOTICED_CHANGES = join(import.meta.dirname, '../src/db/migrations/0019_noticed_changes.sql')

const HEADING = `-- Which columns of a record move its \`updated_at\` and leave an entry in the feed, and which fields that entry names.
-- A column that is not here, such as a count or a slug, changes without either. So does an external id
-- that a deleted record loses to another (see 0020_external_ids.sql).
--
-- Written by \`npm run schema\` from src/domain/records/records.ts. Change the declarations there, not this file.
`

const IS_NOT_FREEING = "current_setting('diwan.frees_external_ids', true) is distinct from 'yes'"

export function noticedChanges(): string {
  return [HEADING, ...CHANGED_KINDS.map(triggersOf)].join('\n')
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(NOTICED_CHANGES, noticedChanges())
