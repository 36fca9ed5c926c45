import sql from 'sql-template-tag'
import Type from 'typebox'
import { Project, projectColumns } from '../api/projects.ts'
import { notFound } from '../domain/errors.ts'
import { page } from '../http/page.ts'
import { Collection, Instant, Nullable, OneOf, Paging, Single } from '../http/schema.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'

const Trashed = Type.Object(
  {
    type: OneOf(['project']),
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

export const listTrash = adminEndpoint({
  operation: 'trash:read',
  who: 'leaders',
  summary: 'List what can be restored',
  method: 'GET',
  at: ['/companies/:company/trash'],
  query: Type.Object(Paging),
  returns: Collection(Trashed),
  run: ({ db, companyId, query }) =>
    page(db, query, {
      columns: sql`'project' as type, p.ref as id, p.name as title, p.deleted_at, u.name as deleted_by`,
      from: sql`projects p left join users u on u.company_id = p.company_id and u.id = p.deleted_by
                where p.company_id = ${companyId} and p.deleted_at is not null`,
      order: sql`p.deleted_at desc, p.id desc`,
    }),
})

async function findTrashed({ db, companyId, params }: AdminCall): Promise<{ id: number }> {
  const project = await db.maybe<{ id: number }>(sql`
    select id from projects where company_id = ${companyId} and ref = ${params.ref} and deleted_at is not null`)
  if (!project) throw notFound()
  return project
}

export const restore = adminEndpoint({
  operation: 'trash:write',
  who: 'leaders',
  audited: true,
  summary: 'Restore a deleted record',
  description: 'It comes back with its ref, its slugs and everything under it.',
  method: 'POST',
  at: ['/companies/:company/trash/:ref/restore'],
  find: findTrashed,
  returns: Single(Project),
  async run({ db, companyId }, { id }) {
    const project = await db.one<Type.Static<typeof Project>>(sql`
      update projects p set deleted_at = null, deleted_by = null
      where p.company_id = ${companyId} and p.id = ${id} returning ${projectColumns}`)
    return { data: project }
  },
})
