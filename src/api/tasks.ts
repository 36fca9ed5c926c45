import sql from 'sql-template-tag'
import Type from 'typebox'
import { requireMayDelete } from '../domain/access/policy.ts'
import { notFound } from '../domain/errors.ts'
import { recordAssignments } from '../domain/records/columns.ts'
import { tasksOfList } from '../domain/records/counts.ts'
import { type Named, requireExternalIdFree } from '../domain/records/external-ids.ts'
import { type Metadata, mergedMetadata } from '../domain/records/metadata.ts'
import { slugForRename } from '../domain/records/refs.ts'
import { inPieces } from '../http/answers/in-pieces.ts'
import { page } from '../http/answers/pagination.ts'
import { Changes, Collection, Deleted, Paging, Single } from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { toRichText } from '../lib/rich-text.ts'
import { type Call, endpoint } from './gate.ts'
import { findAssignee } from './members.ts'
import { findTaskList, type TaskListRow, underTaskList } from './task-lists.ts'
import {
  assignee,
  columns,
  findTask,
  isTask,
  NewTask,
  type ReadTask,
  showTask,
  Task,
  type TaskAnswer,
  type TaskRow,
  toAnswer,
} from './task-record.ts'
import { addAtOnce, addTask, changeTask, upsertAtOnce } from './task-writes.ts'
import { upsert } from './upserts.ts'

/** The columns behind the fields that were sent. */
async function toColumns(
  call: Call,
  fields: Partial<Type.Static<typeof NewTask>>,
  task: Pick<TaskRow, 'project_id' | 'assignee_id'> & { metadata?: Metadata },
) {
  const { assignee_email: email } = fields
  const { project_id, assignee_id: current } = task
  const assignee_id = email
    ? await findAssignee(call, project_id, email, current)
    : email === undefined
      ? undefined
      : null
  return { ...plainColumns(fields, task.metadata), assignee_id }
}

/** The columns for which nothing has to be looked up. */
function plainColumns<Fields extends Partial<Type.Static<typeof NewTask>>>(
  { assignee_email, notes, metadata, ...rest }: Fields,
  stored?: Metadata,
): Omit<Fields, 'assignee_email' | 'notes' | 'metadata'> & {
  notes: string | null | undefined
  metadata: string | undefined
} {
  return { ...rest, notes: notes && toRichText(notes), metadata: mergedMetadata(metadata, stored) }
}

export const listTasks = endpoint({
  name: 'list_tasks',
  tool: 'list_tasks',
  since: '1.2.0',
  operation: 'tasks:read',
  summary: 'List the tasks of a task list',
  method: 'GET',
  at: ['/projects/:project/lists/:list/tasks', '/lists/:list/tasks'],
  query: Type.Object(Paging),
  returns: Collection(Task),
  async run(call) {
    const { db, company, params, query } = call
    const { data, meta } = await page<ReadTask>(db, query, {
      under: underTaskList(call, params, tasksOfList),
      columns,
      from: sql`tasks t where t.company_id = ${company.id} and t.task_list_id = l.id`,
      joined: { as: sql`t`, to: assignee },
      order: [ascending(sql`t.id`)],
    })
    return { data: await inPieces(company.id, data, toAnswer), meta }
  },
})

export const createTask = endpoint({
  name: 'create_task',
  tool: 'create_task',
  since: '1.2.0',
  operation: 'tasks:write',
  summary: 'Create a task',
  method: 'POST',
  at: ['/projects/:project/lists/:list/tasks', '/lists/:list/tasks'],
  find: findTaskList,
  body: NewTask,
  status: 201,
  returns: Single(Task),
  atOnce(call) {
    return call.body.assignee_email ? undefined : addAtOnce(call, plainColumns(call.body))
  },
  run: async (call, list) => ({ data: await createdTask(call, list, call.body) }),
})

async function createdTask(
  call: Call,
  list: TaskListRow,
  task: Type.Static<typeof NewTask>,
  claimed?: Named,
): Promise<TaskAnswer> {
  const columns = await toColumns(call, task, { project_id: list.project_id, assignee_id: null })
  await requireExternalIdFree(call, 'task', task.external_id, claimed)
  return addTask(call, list, { ...columns, title: task.title })
}

const ADDRESSES = ['/projects/:project/lists/:list/tasks/:task', '/tasks/:task']

export const getTask = endpoint({
  name: 'get_task',
  tool: 'get_task',
  since: '1.3.0',
  operation: 'tasks:read',
  summary: 'Get a task',
  method: 'GET',
  at: ADDRESSES,
  returns: Single(Task),
  run: async call => ({ data: await showTask(call, isTask(call, call.params)) }),
})

export const updateTask = endpoint({
  name: 'update_task',
  tool: 'update_task',
  since: '1.3.0',
  operation: 'tasks:write',
  summary: 'Update a task',
  method: 'PATCH',
  at: ADDRESSES,
  find: findTask,
  body: Changes(NewTask),
  returns: Single(Task),
  run: async (call, task) => ({ data: await changedTask(call, task, call.body) }),
})

export async function changedTask(
  call: Call,
  task: TaskRow,
  fields: Partial<Type.Static<typeof NewTask>>,
): Promise<TaskAnswer> {
  const slug = slugForRename('task', call.company.id, task.task_list_id, { ...task, name: task.title }, fields.title)
  const changes = recordAssignments('task', { ...(await toColumns(call, fields, task)), slug })
  if (!changes) return showTask(call, sql`t.id = ${task.id}`)
  await requireExternalIdFree(call, 'task', fields.external_id, task)
  return changeTask(call, task, changes)
}

export const upsertTask = upsert({
  kind: 'task',
  operation: 'tasks:write',
  at: '/lists/:list/tasks/ext::external_id',
  findParent: findTaskList,
  find: findTask,
  body: NewTask,
  shows: Task,
  create: createdTask,
  change: changedTask,
  atOnce(call, fields, external_id) {
    const { title, assignee_email, metadata } = fields
    const removesKeys = metadata === null || Object.values(metadata ?? {}).includes(null)
    if (title === undefined || assignee_email !== undefined || removesKeys) return undefined
    return upsertAtOnce(call, { ...plainColumns({ ...fields, title }), external_id })
  },
})

export const deleteTask = endpoint({
  name: 'delete_task',
  tool: 'delete_task',
  since: '1.3.0',
  operation: 'tasks:destructive',
  summary: 'Delete a task',
  description: 'Permanent. Deleting a task that somebody else created needs the right `delete_any_task_or_list`.',
  method: 'DELETE',
  at: ADDRESSES,
  find: findTask,
  policy: (call, task) => requireMayDelete(call, 'task', task.created_by),
  returns: Deleted({ task: Type.Object({ title: Type.String(), id: Type.String(), slug: Type.String() }) }),
  async run({ db, company, audit }, { id, ref, title, slug }) {
    const deleted = await db.run(sql`delete from tasks where company_id = ${company.id} and id = ${id}`)
    if (deleted === 0) throw notFound()
    audit({ target: { type: 'task', id: ref, name: title } })
    return { data: { deleted: true, task: { title, id: ref, slug } } }
  },
})
