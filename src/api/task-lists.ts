import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import type { Author } from '../domain/access/caller.ts'
import { requireRight } from '../domain/access/policy.ts'
import { isInSight, type Viewer } from '../domain/access/sight.ts'
import { orNotFound } from '../domain/errors.ts'
import { recordAssignments } from '../domain/records/columns.ts'
import { countsOfList, taskListsOfProject, tasksOfList } from '../domain/records/counts.ts'
import { hasExternalId, type Named, requireExternalIdFree } from '../domain/records/external-ids.ts'
import { findAndLock } from '../domain/records/locks.ts'
import { type Metadata, mergedMetadata } from '../domain/records/metadata.ts'
import { isNamed, newRef, slugFor, slugForRename } from '../domain/records/refs.ts'
import { inPieces } from '../http/answers/in-pieces.ts'
import { MetadataChanges, ShownMetadata } from '../http/answers/metadata.ts'
import { page } from '../http/answers/pagination.ts'
import {
  Changes,
  Collection,
  Deleted,
  ExternalId,
  ExternalIds,
  Instant,
  Name,
  Nullable,
  OneOf,
  Paging,
  ShownExternalId,
  Single,
  Text,
} from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { plainText, toRichText } from '../lib/rich-text.ts'
import { type Call, endpoint } from './gate.ts'
import { findProject, isProject, underProject } from './projects.ts'
import { upsert } from './upserts.ts'

const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const

const TaskList = Type.Object(
  {
    id: Type.String({ description: 'The `lst-` ref; it never changes' }),
    title: Type.String(),
    notes: Nullable(Type.String()),
    priority: Nullable(OneOf(PRIORITIES)),
    external_id: ShownExternalId(),
    completed: Type.Boolean({ description: 'True when the list has tasks and all of them are completed' }),
    completed_at: Nullable(Instant({ description: 'When the last task was completed' })),
    tasks_count: Type.Integer(),
    completed_tasks_count: Type.Integer(),
    metadata: ShownMetadata,
    project_slug: Type.String(),
    project_id: Type.String({ description: 'The `prj-` ref' }),
    created_at: Instant(),
    updated_at: Instant({ description: 'Does not move when only the counts change' }),
  },
  {
    title: 'TaskList',
    examples: [
      {
        id: 'lst-7m2kq90xcd',
        title: 'التجهيزات',
        notes: 'Furniture first, then the network',
        priority: 'high',
        external_id: 'crm-31',
        completed: false,
        completed_at: null,
        tasks_count: 3,
        completed_tasks_count: 1,
        metadata: {},
        project_slug: 'riyadh-office-move',
        project_id: 'prj-4k7q2m9x0c',
        created_at: '2026-11-15T08:30:00.000Z',
        updated_at: '2026-11-15T08:30:00.000Z',
      },
    ],
  },
)

const NewTaskList = Type.Object(
  {
    title: Name(),
    notes: Type.Optional(Nullable(Text({ description: 'Plain text' }))),
    priority: Type.Optional(Nullable(OneOf(PRIORITIES))),
    external_id: ExternalId(),
    metadata: MetadataChanges,
  },
  { examples: [{ title: 'التجهيزات', notes: 'Furniture first, then the network', priority: 'high' }] },
)

const columns = sql`l.ref as id, l.title, l.notes, l.priority, l.external_id, l.metadata, counts.tasks_count, counts.completed_tasks_count, l.created_at, l.updated_at,
  counts.tasks_count > 0 and counts.tasks_count = counts.completed_tasks_count as completed,
  case when counts.tasks_count = counts.completed_tasks_count then (
    select max(t.completed_at) from tasks t where t.company_id = l.company_id and t.task_list_id = l.id
  ) end as completed_at,
  p.slug as project_slug, p.ref as project_id`

export const lists = sql`task_lists l join projects p on p.company_id = l.company_id and p.id = l.project_id`

/** The condition that `l` has not been deleted, and that the viewer sees its project `p`. */
export function isListed(viewer: Viewer): Sql {
  return sql`l.deleted_at is null and ${isInSight(viewer)}`
}

/** The condition that `l` in `p` is the task list that the URL names: below its project, or by its ref alone. */
export function isTaskList(viewer: Viewer, params: Call['params']): Sql {
  const { project, list } = params
  const place = { kind: 'task_list', as: 'l', companyId: viewer.company.id } as const
  if (project === undefined) return sql`${isListed(viewer)} and ${isNamed(list, { ...place, parent: undefined })}`
  return sql`${isProject(viewer, project)} and l.deleted_at is null and ${isNamed(list, { ...place, parent: sql`p.id` })}`
}

/** The task list that the URL names, for what is listed under it. */
export function underTaskList(viewer: Viewer, params: Call['params'], total: Sql) {
  return { from: lists, where: sql`l.company_id = ${viewer.company.id} and ${isTaskList(viewer, params)}`, total }
}

export interface TaskListRow {
  id: number
  ref: string
  slug: string
  title: string
  external_id: string | null
  project_id: number
  metadata: Metadata
  archived: boolean
}

export async function findTaskList(call: Call): Promise<TaskListRow> {
  const { company, params } = call
  const query = sql`
    select l.id, l.ref, l.slug, l.title, l.external_id, l.project_id, l.metadata, p.archived from ${lists}
    where l.company_id = ${company.id} and ${isTaskList(call, params)}`
  return orNotFound(findAndLock<TaskListRow>(call, 'l', query))
}

type TaskListAnswer = Type.Static<typeof TaskList>

function toAnswer(list: TaskListAnswer): TaskListAnswer {
  return { ...list, notes: plainText(list.notes) }
}

async function showTaskList({ db, company }: Call, condition: Sql): Promise<TaskListAnswer> {
  const list = await orNotFound(
    db.maybe<TaskListAnswer>(
      sql`select ${columns} from ${lists} ${countsOfList('l')} where l.company_id = ${company.id} and ${condition}`,
    ),
  )
  return toAnswer(list)
}

function toColumns({ notes, metadata, ...fields }: Partial<Type.Static<typeof NewTaskList>>, stored?: Metadata) {
  return { ...fields, notes: notes && toRichText(notes), metadata: mergedMetadata(metadata, stored) }
}

export const listTaskLists = endpoint({
  name: 'list_task_lists',
  tool: 'list_task_lists',
  since: '1.2.0',
  operation: 'task_lists:read',
  summary: 'List the task lists of a project',
  method: 'GET',
  at: ['/projects/:project/lists'],
  query: Type.Object({ external_id: ExternalIds(), ...Paging }),
  returns: Collection(TaskList),
  async run(call) {
    const { db, company, params, query } = call
    const ofProject = sql`l.company_id = ${company.id} and l.project_id = p.id and l.deleted_at is null
      ${hasExternalId('l', query.external_id)}`
    const isFiltered = query.external_id.length > 0
    const total = isFiltered ? sql`(select count(*) from task_lists l where ${ofProject})` : taskListsOfProject
    const { data, meta } = await page<TaskListAnswer>(db, query, {
      under: underProject(call, params.project, total),
      columns,
      from: sql`task_lists l where ${ofProject}`,
      joined: { as: sql`l`, to: countsOfList('l') },
      order: [ascending(sql`l.id`)],
    })
    return { data: await inPieces(company.id, data, toAnswer), meta }
  },
})

export const createTaskList = endpoint({
  name: 'create_task_list',
  tool: 'create_task_list',
  since: '1.2.0',
  operation: 'task_lists:write',
  summary: 'Create a task list',
  method: 'POST',
  at: ['/projects/:project/lists'],
  find: findProject,
  body: NewTaskList,
  status: 201,
  returns: Single(TaskList),
  run: async (call, project) => ({ data: await createdTaskList(call, project, call.body) }),
})

async function createdTaskList(
  call: Call,
  project: { id: number },
  list: Type.Static<typeof NewTaskList>,
  claimed?: Named,
): Promise<TaskListAnswer> {
  await requireExternalIdFree(call, 'task_list', list.external_id, claimed)
  const id = await addTaskList(call, project.id, list)
  return showTaskList(call, sql`l.id = ${id}`)
}

export async function addTaskList(
  { db, company, signer }: Author,
  projectId: number,
  list: Type.Static<typeof NewTaskList>,
  ref = newRef('task_list'),
): Promise<number> {
  const { title } = list
  const { notes = null, priority = null, external_id = null, metadata = '{}' } = toColumns(list)
  const { id } = await db.one<{ id: number }>(sql`
    insert into task_lists (company_id, project_id, ref, slug, title, notes, priority, external_id, metadata, created_by)
    values (${company.id}, ${projectId}, ${ref}, ${slugFor('task_list', company.id, projectId, title)},
            ${title}, ${notes}, ${priority}, ${external_id}, ${metadata}, ${signer.id}) returning id`)
  return id
}

export const getTaskList = endpoint({
  name: 'get_task_list',
  since: '1.2.0',
  operation: 'task_lists:read',
  summary: 'Get a task list',
  method: 'GET',
  at: ['/projects/:project/lists/:list', '/lists/:list'],
  returns: Single(TaskList),
  run: async call => ({ data: await showTaskList(call, isTaskList(call, call.params)) }),
})

export const updateTaskList = endpoint({
  name: 'update_task_list',
  since: '1.2.0',
  operation: 'task_lists:write',
  summary: 'Update a task list',
  method: 'PATCH',
  at: ['/projects/:project/lists/:list', '/lists/:list'],
  find: findTaskList,
  body: Changes(NewTaskList),
  returns: Single(TaskList),
  run: async (call, list) => ({ data: await changedTaskList(call, list, call.body) }),
})

async function changedTaskList(
  call: Call,
  list: TaskListRow,
  fields: Partial<Type.Static<typeof NewTaskList>>,
): Promise<TaskListAnswer> {
  const { db, company } = call
  await requireExternalIdFree(call, 'task_list', fields.external_id, list)
  const slug = slugForRename('task_list', company.id, list.project_id, { ...list, name: list.title }, fields.title)
  const changes = recordAssignments('task_list', { ...toColumns(fields, list.metadata), slug })
  if (changes) await db.run(sql`update task_lists set ${changes} where company_id = ${company.id} and id = ${list.id}`)
  return showTaskList(call, sql`l.id = ${list.id}`)
}

export const upsertTaskList = upsert({
  kind: 'task_list',
  operation: 'task_lists:write',
  at: '/projects/:project/lists/ext::external_id',
  findParent: findProject,
  find: findTaskList,
  body: NewTaskList,
  shows: TaskList,
  create: createdTaskList,
  change: changedTaskList,
})

export const deleteTaskList = endpoint({
  name: 'delete_task_list',
  since: '1.2.0',
  operation: 'task_lists:destructive',
  summary: 'Delete a task list',
  description:
    'Permanent, and deletes all its tasks. Needs the right `delete_any_task_or_list`, even for the list’s creator.',
  method: 'DELETE',
  at: ['/projects/:project/lists/:list', '/lists/:list'],
  find: findTaskList,
  policy: call => requireRight(call, 'delete_any_task_or_list'),
  returns: Deleted({
    task_list: Type.Object({ title: Type.String(), id: Type.String(), slug: Type.String() }),
    deleted_tasks: Type.Integer(),
  }),
  async run({ db, company, enqueue, audit }, { id, ref, title, slug }) {
    // Waits for transactions that are adding tasks; later ones find no list. So the count is exact.
    const { tasks_count } = await db.one<{ tasks_count: number }>(sql`
      update task_lists l set deleted_at = now(), slug = ref where company_id = ${company.id} and id = ${id} returning ${tasksOfList} as tasks_count`)
    audit({ target: { type: 'task_list', id: ref, name: title } })
    await enqueue(db, 'remove-list', [{ company_id: company.id, task_list_id: id }])
    return { data: { deleted: true, task_list: { title, id: ref, slug }, deleted_tasks: tasks_count } }
  },
})
