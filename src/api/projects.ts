import sql, { empty, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import type { Author, Scope } from '../domain/access/caller.ts'
import { isInSight, type Viewer } from '../domain/access/sight.ts'
import { orNotFound, unprocessable } from '../domain/errors.ts'
import { recordAssignments } from '../domain/records/columns.ts'
import { taskListsOfProject, tasksOfProject } from '../domain/records/counts.ts'
import { hasExternalId, type Named, requireExternalIdFree } from '../domain/records/external-ids.ts'
import { findAndLock } from '../domain/records/locks.ts'
import { type Metadata, mergedMetadata } from '../domain/records/metadata.ts'
import { isNamed, newRef, slugFor, slugForRename } from '../domain/records/refs.ts'
import { HijriDates, HijriDay } from '../http/answers/hijri.ts'
import { MetadataChanges, ShownMetadata } from '../http/answers/metadata.ts'
import { page } from '../http/answers/pagination.ts'
import {
  Changes,
  Collection,
  Day,
  Deleted,
  ExternalId,
  ExternalIds,
  Instant,
  Name,
  Nullable,
  Paging,
  ShownExternalId,
  Single,
  Text,
  True,
} from '../http/answers/schema.ts'
import { descending } from '../http/requests/order.ts'
import { type Call, endpoint } from './gate.ts'
import { upsert } from './upserts.ts'

const Listed = {
  id: Type.String({ description: 'The `prj-` ref; it never changes' }),
  name: Type.String(),
  description: Nullable(Type.String()),
  is_public: Type.Boolean(),
  archived: Type.Boolean(),
  start_date: Nullable(Day()),
  end_date: Nullable(Day()),
  external_id: ShownExternalId(),
  task_lists_count: Type.Integer(),
  tasks_count: Type.Integer(),
  metadata: ShownMetadata,
  created_at: Instant(),
  updated_at: Instant(),
  hijri: HijriDates('start_date', 'end_date'),
}

const example = {
  id: 'prj-4k7q2m9x0c',
  name: 'Riyadh office move',
  description: 'Everything until the keys are handed over',
  is_public: true,
  archived: false,
  start_date: '2026-11-01',
  end_date: '2027-02-28',
  external_id: 'crm-12',
  task_lists_count: 3,
  tasks_count: 24,
  metadata: { stage: 'planning' },
  created_at: '2026-11-15T08:30:00.000Z',
  updated_at: '2026-11-15T08:30:00.000Z',
}

const ListedProject = Type.Object(Listed, { title: 'ListedProject', examples: [example] })
export const Project = Type.Object(
  { ...Listed, slug: Type.String() },
  { title: 'Project', examples: [{ ...example, slug: 'riyadh-office-move' }] },
)

type ProjectAnswer = Type.Static<typeof Project>

const NewProject = Type.Object(
  {
    name: Name(),
    description: Type.Optional(Nullable(Text())),
    is_public: Type.Optional(Type.Boolean({ description: 'Default true' })),
    start_date: Type.Optional(Nullable(Day())),
    end_date: Type.Optional(Nullable(Day({ description: 'Not before start_date' }))),
    external_id: ExternalId(),
    metadata: MetadataChanges,
    start_date_hijri: HijriDay(),
    end_date_hijri: HijriDay(),
  },
  { examples: [{ name: 'Riyadh office move', start_date: '2026-11-01', end_date: '2027-02-28' }] },
)

const listedColumns = sql`p.ref as id, p.name, p.description, p.is_public, p.archived, p.start_date, p.end_date, p.external_id, p.metadata,
  ${taskListsOfProject} as task_lists_count, ${tasksOfProject} as tasks_count, p.created_at, p.updated_at`
export const projectColumns = sql`${listedColumns}, p.slug`

export interface ProjectRow {
  id: number
  ref: string
  slug: string
  name: string
  archived: boolean
  start_date: string | null
  end_date: string | null
  external_id: string | null
  metadata: Metadata
}

/** The condition that `p` is the project that the URL names, and that the viewer sees it. */
export function isProject(viewer: Viewer, handle: string | undefined): Sql {
  const place = { kind: 'project', as: 'p', companyId: viewer.company.id, parent: 0 } as const
  return sql`${isInSight(viewer)} and ${isNamed(handle, place)}`
}

export async function findProject(call: Call): Promise<ProjectRow> {
  const { company, params } = call
  const query = sql`
    select p.id, p.ref, p.slug, p.name, p.archived, p.start_date, p.end_date, p.external_id, p.metadata
    from projects p
    where p.company_id = ${company.id} and ${isProject(call, params.project)}`
  return orNotFound(findAndLock<ProjectRow>(call, 'p', query))
}

/** The project that the URL names, for what is listed under it. `total` counts that, where it is needed. */
export function underProject(viewer: Viewer, handle: string | undefined, total: Sql = empty) {
  return {
    from: sql`projects p`,
    where: sql`p.company_id = ${viewer.company.id} and ${isProject(viewer, handle)}`,
    total,
  }
}

export function showProject({ db, company }: Scope, condition: Sql): Promise<ProjectAnswer> {
  return orNotFound(
    db.maybe(sql`select ${projectColumns} from projects p where p.company_id = ${company.id} and ${condition}`),
  )
}

function requireOrder(start: string | null | undefined, end: string | null | undefined): void {
  if (start && end && end < start) throw unprocessable('end_date', "can't be before start_date")
}

export const listProjects = endpoint({
  name: 'list_projects',
  tool: 'list_projects',
  since: '1.2.0',
  operation: 'projects:read',
  summary: 'List projects',
  description: 'Newest first. Archived projects are left out unless `include_archived` is true.',
  method: 'GET',
  at: ['/projects'],
  query: Type.Object({ include_archived: Type.Boolean({ default: false }), external_id: ExternalIds(), ...Paging }),
  returns: Collection(ListedProject),
  run: call => {
    const { db, company, query } = call
    return page(db, query, {
      columns: listedColumns,
      from: sql`projects p where p.company_id = ${company.id} and ${isInSight(call)}
                ${query.include_archived ? empty : sql`and not p.archived`} ${hasExternalId('p', query.external_id)}`,
      order: [descending(sql`p.id`)],
    })
  },
})

export const createProject = endpoint({
  name: 'create_project',
  tool: 'create_project',
  since: '1.2.0',
  operation: 'projects:write',
  summary: 'Create a project',
  method: 'POST',
  at: ['/projects'],
  body: NewProject,
  status: 201,
  returns: Single(Project),
  run: async call => ({ data: await createdProject(call, call.body) }),
})

async function createdProject(
  call: Call,
  project: Type.Static<typeof NewProject>,
  claimed?: Named,
): Promise<ProjectAnswer> {
  requireOrder(project.start_date, project.end_date)
  await requireExternalIdFree(call, 'project', project.external_id, claimed)
  return addProject(call, project)
}

/** The creator of a project is its first member. */
export function addProject(
  { db, company, signer }: Author,
  project: Type.Static<typeof NewProject>,
  ref = newRef('project'),
): Promise<ProjectAnswer & { project_id: number }> {
  const { name, description = null, is_public = true, start_date = null, end_date = null, external_id = null } = project
  const metadata = mergedMetadata(project.metadata) ?? '{}'
  return db.one(sql`
    with p as (
      insert into projects (company_id, ref, slug, name, description, is_public, start_date, end_date, external_id, metadata, created_by)
      values (${company.id}, ${ref}, ${slugFor('project', company.id, 0, name)}, ${name}, ${description},
              ${is_public}, ${start_date}, ${end_date}, ${external_id}, ${metadata}, ${signer.id})
      returning *
    ), member as (
      insert into project_members (company_id, project_id, user_id) select company_id, id, created_by from p
    )
    select ${projectColumns}, p.id as project_id from p`)
}

export const getProject = endpoint({
  name: 'get_project',
  tool: 'get_project',
  since: '1.3.0',
  operation: 'projects:read',
  summary: 'Get a project',
  method: 'GET',
  at: ['/projects/:project'],
  returns: Single(Project),
  run: async call => ({ data: await showProject(call, isProject(call, call.params.project)) }),
})

export const updateProject = endpoint({
  name: 'update_project',
  tool: 'update_project',
  since: '1.3.0',
  operation: 'projects:write',
  summary: 'Update a project',
  description: 'Only the fields sent change. A new name makes a new slug; the old one still resolves.',
  method: 'PATCH',
  at: ['/projects/:project'],
  find: findProject,
  body: Changes(NewProject),
  returns: Single(Project),
  run: async (call, project) => ({ data: await changedProject(call, project, call.body) }),
})

async function changedProject(
  call: Call,
  project: ProjectRow,
  fields: Partial<Type.Static<typeof NewProject>>,
): Promise<ProjectAnswer> {
  const { db, company } = call
  const dates = { ...project, ...fields }
  requireOrder(dates.start_date, dates.end_date)
  await requireExternalIdFree(call, 'project', fields.external_id, project)
  const slug = slugForRename('project', company.id, 0, project, fields.name)
  const changes = recordAssignments('project', {
    ...fields,
    metadata: mergedMetadata(fields.metadata, project.metadata),
    slug,
  })
  if (changes) await db.run(sql`update projects set ${changes} where company_id = ${company.id} and id = ${project.id}`)
  return showProject(call, sql`p.id = ${project.id}`)
}

export const upsertProject = upsert({
  kind: 'project',
  operation: 'projects:write',
  at: '/projects/ext::external_id',
  findParent: async () => undefined,
  find: findProject,
  body: NewProject,
  shows: Project,
  create: (call, _company, project, claimed) => createdProject(call, project, claimed),
  change: changedProject,
})

export const deleteProject = endpoint({
  name: 'delete_project',
  since: '1.3.0',
  operation: 'projects:destructive',
  summary: 'Delete a project',
  description: 'It disappears from every read at once. An administrator can restore it.',
  method: 'DELETE',
  at: ['/projects/:project'],
  find: findProject,
  returns: Deleted({
    recoverable: True,
    project: Type.Object({ name: Type.String(), id: Type.String(), slug: Type.String() }),
  }),
  async run({ db, company, signer, audit }, { id, ref, name, slug }) {
    await db.run(sql`update projects set deleted_at = now(), deleted_by = ${signer.id}
                     where company_id = ${company.id} and id = ${id}`)
    audit({ target: { type: 'project', id: ref, name } })
    return { data: { deleted: true, recoverable: true, project: { name, id: ref, slug } } }
  },
})

function archiving(action: 'archive' | 'unarchive', summary: string) {
  const archived = action === 'archive'
  return endpoint({
    name: `${action}_project`,
    since: '1.3.0',
    operation: 'projects:write',
    summary,
    description: 'No body. Doing it again changes nothing.',
    method: 'POST',
    at: [`/projects/:project/${action}`],
    find: findProject,
    worksOnArchived: true,
    returns: Single(Project),
    async run(call, project) {
      const { db, company } = call
      await db.run(sql`update projects set archived = ${archived}
                       where company_id = ${company.id} and id = ${project.id} and archived <> ${archived}`)
      return { data: await showProject(call, sql`p.id = ${project.id}`) }
    },
  })
}

export const archiveProject = archiving('archive', 'Archive a project')
export const unarchiveProject = archiving('unarchive', 'Unarchive a project')
