import sql, { join, raw, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { Discussion, showDiscussion } from '../api/discussions.ts'
import { Project, showProject } from '../api/projects.ts'
import type { Scope } from '../domain/access/caller.ts'
import { orNotFound, unprocessable } from '../domain/errors.ts'
import { findAndLock } from '../domain/records/locks.ts'
import { type KindWith, RECORD_KINDS, RECORDS } from '../domain/records/records.ts'
import { requireRef } from '../domain/records/refs.ts'
import { say } from '../domain/sentences/sentences.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Instant, Nullable, OneOf, Paging } from '../http/answers/schema.ts'
import { ascending, descending } from '../http/requests/order.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'

type TrashedKind = KindWith<{ deletion: 'to the trash' }>
const TRASHED_KINDS = RECORD_KINDS.filter((kind): kind is TrashedKind => RECORDS[kind].deletion === 'to the trash')

const Trashed = Type.Object(
  {
    type: OneOf(TRASHED_KINDS),
    id: Type.String({ description: 'The ref' }),
    title: Type.String(),
    deleted_at: Instant(),
    deleted_by: Nullable(Type.String()),
  },
  {
    title: 'Trashed',
    examples: [
      {
        type: 'project',
        id: 'prj-4k7q2m9x0c',
        title: 'Riyadh office move',
        deleted_at: '2026-11-15T08:30:00.000Z',
        deleted_by: 'Layla Haddad',
      },
    ],
  },
)

interface TrashedRow {
  type: TrashedKind
  record_id: number
  ref: string
  title: string
  /** For a discussion: its project exists and is archived. */
  archived?: boolean
  /** For a discussion: its project, if that was deleted too. */
  deleted_project?: string | null
}

function trash(companyId: number): Sql {
  const ofEach = TRASHED_KINDS.map(kind => {
    const { table, title } = RECORDS[kind]
    return sql`select ${raw(`'${kind}'`)} as type, ref, ${raw(title)} as title, deleted_at, deleted_by, company_id
      from ${raw(table)} where company_id = ${companyId} and deleted_at is not null`
  })
  return sql`(${join(ofEach, ' union all ')}) t left join users u on u.company_id = t.company_id and u.id = t.deleted_by`
}

export const listTrash = adminEndpoint({
  name: 'list_trash',
  since: '1.3.0',
  operation: 'trash:read',
  who: 'leaders',
  summary: 'List what can be restored',
  description: 'Most recently deleted first.',
  method: 'GET',
  at: ['/companies/:company/trash'],
  query: Type.Object(Paging),
  returns: Collection(Trashed),
  run: ({ db, companyId, query }) =>
    page(db, query, {
      columns: sql`t.type, t.ref as id, t.title, t.deleted_at, u.name as deleted_by`,
      from: sql`${trash(companyId)} where true`,
      order: [descending(sql`t.deleted_at`, 'timestamptz'), ascending(sql`t.ref`, 'text')],
    }),
})

async function findTrashed(call: AdminCall): Promise<TrashedRow> {
  const { db, companyId, params } = call
  const ref = requireRef(params.ref)
  const project = await db.maybe<TrashedRow>(sql`
    select 'project' as type, id as record_id, ref, name as title from projects
    where company_id = ${companyId} and ref = ${ref} and deleted_at is not null for update`)
  return project ?? orNotFound(findTrashedDiscussion(call, ref))
}

/** Locked together with its project, so that nothing is restored into one that was archived or deleted a moment ago. */
function findTrashedDiscussion(call: AdminCall, ref: string): Promise<TrashedRow | undefined> {
  const query = sql`
    select 'discussion' as type, d.id as record_id, d.ref, d.title, p.archived and p.deleted_at is null as archived,
           case when p.deleted_at is not null then p.name || ' (' || p.ref || ')' end as deleted_project
    from discussions d join projects p on p.company_id = d.company_id and p.id = d.project_id
    where d.company_id = ${call.companyId} and d.ref = ${ref} and d.deleted_at is not null`
  return findAndLock<TrashedRow>(call, 'd', query)
}

const SHOW: Record<TrashedKind, (scope: Scope, id: number) => Promise<object>> = {
  project: (scope, id) => showProject(scope, sql`p.id = ${id}`),
  discussion: (scope, id) => showDiscussion(scope, sql`d.id = ${id}`),
}

export const restore = adminEndpoint({
  name: 'restore_record',
  since: '1.3.0',
  operation: 'trash:write',
  who: 'leaders',
  audited: true,
  summary: 'Restore a deleted record',
  description:
    'The record returns with its ref, its slugs and everything below it. Restoring a discussion is 422 while its project is deleted, and 403 while its project is archived.',
  method: 'POST',
  at: ['/companies/:company/trash/:ref/restore'],
  find: findTrashed,
  returns: Type.Object({ data: Type.Unsafe<object>({ anyOf: [Project, Discussion] }) }),
  async run({ db, companyId, audit }, { type, record_id: id, ref, title, deleted_project }) {
    const scope = { db, company: { id: companyId } }
    if (deleted_project)
      throw unprocessable('project', say('{project} is deleted: restore it first', { project: deleted_project }))
    audit({ target: { type, id: ref, name: title }, changes: { deleted_at: null } })
    await db.run(sql`
      update ${raw(RECORDS[type].table)} set deleted_at = null, deleted_by = null where company_id = ${companyId} and id = ${id}`)
    return { data: await SHOW[type](scope, id) }
  },
})
