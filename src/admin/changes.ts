import sql, { join, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { isProject } from '../api/projects.ts'
import { everythingIn } from '../domain/access/sight.ts'
import { PARENT_KINDS, type Parent, parentOf } from '../domain/feed/entry.ts'
import { isRef } from '../domain/records/refs.ts'
import { BoundedCollection, Id, Instant, Nullable, OneOf, Paging } from '../http/answers/schema.ts'
import { pageOfChanges } from './change-pages.ts'
import { titleOf } from './change-titles.ts'
import { isWithin, readSpan, type Span, SpanFilters } from './filters.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { ChangedKind, ChangeName, KeyKind } from './vocabulary.ts'

const RecordedChange = Type.Object(
  {
    id: Id(),
    at: Instant(),
    kind: ChangedKind(),
    change: ChangeName(),
    record: Type.Object({
      type: ChangedKind(),
      id: Type.Unsafe<string | number>({
        type: ['string', 'integer'],
        description: 'The ref of the record, or its number where it has none',
      }),
      title: Nullable(
        Type.String({
          description:
            'As it is now; null if the record no longer exists. For a comment, the title of what it is about.',
        }),
      ),
    }),
    project: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
    parent_id: Type.Unsafe<string | number | null>({
      type: ['string', 'integer', 'null'],
      description:
        'The list of a task, the record that a comment is on, or the folder that a file or folder is in; otherwise null',
    }),
    parent_kind: Nullable(OneOf(PARENT_KINDS, { description: 'What `parent_id` names; null if that is null' })),
    actor: Nullable(
      Type.String({
        description:
          'The name of the person behind it: the creator of the key, or the person; null if the service did it',
      }),
    ),
    key: Nullable(
      Type.Object(
        { id: Id(), name: Type.String(), kind: KeyKind() },
        { description: 'The key it was done with; null without one' },
      ),
    ),
    fields: Nullable(
      Type.Array(Type.String(), { description: 'The fields that an update changed; null for other changes' }),
    ),
  },
  {
    title: 'RecordedChange',
    examples: [
      {
        id: 731,
        at: '2026-11-15T08:30:00.000Z',
        kind: 'task',
        change: 'updated',
        record: { type: 'task', id: 'tsk-0q8v5n2jyt', title: 'طلب المكاتب' },
        project: { id: 'prj-4k7q2m9x0c', name: 'Riyadh office move' },
        parent_id: 'lst-7m2kq90xcd',
        parent_kind: 'task_list',
        actor: 'Layla Haddad',
        key: { id: 3, name: 'Reporting', kind: 'key' },
        fields: ['due_at', 'assignee'],
      },
    ],
  },
)

const Filters = {
  key_id: Type.Optional(Id({ description: 'The id of the key it was done with' })),
  kind: Type.Optional(ChangedKind({ notBlank: true })),
  project: Type.Optional(
    Type.String({ notBlank: true, description: 'The ref of a project, or the slug of one that still exists' }),
  ),
  ...SpanFilters,
}

/** A ref, or a number where there is none. */
const recordId = sql`case when c.record_id ~ '^[0-9]+$' then to_json(c.record_id::bigint) else to_json(c.record_id) end`

/** The parent of a record is read as it is stored; `parentOf` says what it is. */
type ReadChange = Omit<Type.Static<typeof RecordedChange>, keyof Parent> & { parent_id: string | null }

const columns = sql`c.id, c.at, c.kind, c.change, c.actor, c.fields, c.parent_id,
  json_build_object('type', c.kind, 'title', ${titleOf()}, 'id', ${recordId}) as record,
  (select json_build_object('id', p.ref, 'name', p.name) from projects p
   where p.company_id = c.company_id and p.ref = c.project_id) as project,
  (select json_build_object('id', k.id, 'name', k.name, 'kind', k.kind) from api_keys k
   where k.company_id = c.company_id and k.id = c.key_id) as key`

export const listRecordedChanges = adminEndpoint({
  name: 'list_changes',
  since: '1.6.0',
  operation: 'changes:read',
  who: 'leaders',
  summary: 'See who changed what, and with which key',
  description:
    'Everything that was created, changed or deleted in the last 30 days, newest first. A filter that cannot be read is 422. `meta.total` counts among the newest 10,000 changes; with more than these, `meta.total_is_lower_bound` is true. A page looks at 10,000 changes at most: with a filter it may have fewer than `limit`, or none, and still a `next_cursor`.',
  method: 'GET',
  at: ['/companies/:company/changes'],
  query: Type.Object({ ...Filters, ...Paging }),
  refusesQuery: true,
  returns: BoundedCollection(RecordedChange),
  async run(call) {
    const { db, companyId, query } = call
    const span = await readSpan(call)
    const { data, meta } = await pageOfChanges<ReadChange>(db, query, {
      columns,
      companyId,
      ...placeOf(companyId, span),
      filter: join([sql`true`, ...narrowing(call), ...isWithin(span, sql`c.at`)], ' and '),
    })
    return { data: data.map(change => ({ ...change, ...parentOf(change) })), meta }
  },
})

function narrowing({ companyId, query }: AdminCall & { query: Type.Static<Type.TObject<typeof Filters>> }): Sql[] {
  const { key_id, kind, project } = query
  const conditions: Sql[] = []
  if (key_id !== undefined) conditions.push(sql`c.key_id = ${key_id}`)
  if (kind !== undefined) conditions.push(sql`c.kind = ${kind}`)
  if (project !== undefined) conditions.push(sql`c.project_id = ${refOf(companyId, project)}`)
  return conditions
}

/**
 * A transaction gets its number when it first writes, soon after it begins. So numbers follow time to within a few minutes, and
 * entries further outside a span need not be examined.
 */
function placeOf(companyId: number, { from, before }: Span): { begin: Sql; reach: Sql } {
  const soonAfter = sql`${before}::timestamptz + interval '10 minutes'`
  return {
    begin: before === null ? sql`true` : sql`c.tx < (select first_change_since(${companyId}, ${soonAfter}))`,
    reach: from === null ? sql`true` : sql`c.at >= ${from}::timestamptz - interval '10 minutes'`,
  }
}

/** A ref is compared as it is, so it also finds the changes of a project that is gone. */
function refOf(companyId: number, project: string): Sql {
  if (isRef(project)) return sql`${project}`
  return sql`(select p.ref from projects p where p.company_id = ${companyId} and ${isProject(everythingIn(companyId), project)})`
}
