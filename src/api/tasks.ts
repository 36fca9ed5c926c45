import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { assignments } from '../db/assignments.ts'
import type { Db } from '../db/db.ts'
import type { Author } from '../domain/access/caller.ts'
import { requireRight } from '../domain/access/policy.ts'
import { tasksOfList } from '../domain/counts.ts'
import { notFound, orNotFound } from '../domain/errors.ts'
import { findAndLock, locks } from '../domain/locks.ts'
import { isNamed, newRef, slugFor, slugForRename } from '../domain/refs.ts'
import type { OneStatement } from '../http/endpoint.ts'
import { HijriDates, HijriDay } from '../http/hijri.ts'
import { ascending } from '../http/order.ts'
import { page } from '../http/pagination.ts'
import { Changes, Collection, Day, Deleted, Instant, Name, Nullable, Paging, Single, Text } from '../http/schema.ts'
import { plainText, toRichText } from '../lib/rich-text.ts'
import { type Call, endpoint } from './gate.ts'
import { findAssignee } from './members.ts'
import { findTaskList, isListed, isTaskList, openTaskList, underTaskList } from './task-lists.ts'

export const Task = Type.Object(
  {
    id: Type.String({ description: 'The `tsk-` ref; it never changes' }),
    title: Type.String(),
    notes: Nullable(Type.String()),
    completed: Type.Boolean(),
    completed_at: Nullable(Instant()),
    due_at: Nullable(Day()),
    time_spent_minutes: Nullable(Type.Integer({ description: 'Null when no time has been recorded' })),
    project_slug: Type.String(),
    task_list_slug: Type.String(),
    project_id: Type.String({ description: 'The `prj-` ref' }),
    task_list_id: Type.String({ description: 'The `lst-` ref' }),
    assignee: Nullable(Type.Object({ name: Type.String(), email: Type.String({ format: 'email' }) })),
    created_at: Instant(),
    updated_at: Instant({ description: 'Completing, reopening, moving and stating the time are updates too' }),
    hijri: HijriDates('due_at'),
  },
  {
    title: 'Task',
    examples: [
      {
        id: 'tsk-0q8v5n2jyt',
        title: 'شراء الأثاث المكتبي',
        notes: null,
        completed: false,
        completed_at: null,
        due_at: '2027-02-01',
        time_spent_minutes: 90,
        project_slug: 'riyadh-office-move',
        task_list_slug: 'التجهيزات',
        project_id: 'prj-4k7q2m9x0c',
        task_list_id: 'lst-7m2kq90xcd',
        assignee: { name: 'Layla Haddad', email: 'layla@example.com' },
        created_at: '2026-11-15T08:30:00.000Z',
        updated_at: '2026-11-15T08:30:00.000Z',
      },
    ],
  },
)
export type TaskAnswer = Type.Static<typeof Task>

export const NewTask = Type.Object(
  {
    title: Name(),
    notes: Type.Optional(Nullable(Text({ description: 'Plain text' }))),
    due_at: Type.Optional(Nullable(Day())),
    due_at_hijri: HijriDay(),
    assignee_email: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 254,
          description: 'The e-mail address of somebody who can be assigned in this project; null or "" for nobody',
        }),
      ),
    ),
  },
  { examples: [{ title: 'شراء الأثاث المكتبي', due_at: '2027-02-01', assignee_email: 'layla@example.com' }] },
)

const columns = sql`t.ref as id, t.title, t.notes, t.completed_at is not null as completed, t.completed_at, t.due_at,
  t.time_spent_minutes, p.slug as project_slug, l.slug as task_list_slug, p.ref as project_id, l.ref as task_list_id, t.created_at, t.updated_at,
  case when u.id is not null then json_build_object('name', u.name, 'email', u.email) end as assignee`

// Looked up one by one: for a page of tasks that is less than reading through the people of a company.
const assignee = sql`left join lateral (
  select * from users u where u.company_id = t.company_id and u.id = t.assignee_id limit 1) u on true`
const parents = sql`join task_lists l on l.company_id = t.company_id and l.id = t.task_list_id
  join projects p on p.company_id = t.company_id and p.id = t.project_id`
const joins = sql`${parents} ${assignee}`
const tasks = sql`tasks t ${joins}`

/** The condition that `t` in `l` in `p` is the task of an address: nested below its list, or flat by its ref. */
function isTask(companyId: number, params: Call['params']): Sql {
  const place = { kind: 'task', as: 't', companyId } as const
  if (params.list === undefined) return sql`${isListed} and ${isNamed(params.task, { ...place, parent: undefined })}`
  return sql`${isTaskList(companyId, params)} and ${isNamed(params.task, { ...place, parent: sql`l.id` })}`
}

/** The task of an address, for what is listed under it. */
export function underTask(companyId: number, params: Call['params'], total: Sql) {
  return {
    from: sql`tasks t ${parents}`,
    where: sql`t.company_id = ${companyId} and ${isTask(companyId, params)}`,
    total,
  }
}

export interface TaskRow {
  id: number
  ref: string
  slug: string
  title: string
  task_list_id: number
  project_id: number
  assignee_id: number | null
  completed_at: string | null
  created_by: number
  archived: boolean
}

export async function findTask(call: Call): Promise<TaskRow> {
  const { company, params } = call
  const query = sql`
    select t.id, t.ref, t.slug, t.title, t.task_list_id, t.project_id, t.assignee_id, t.completed_at, t.created_by, p.archived
    from tasks t ${parents}
    where t.company_id = ${company.id} and ${isTask(company.id, params)}`
  return orNotFound(findAndLock<TaskRow>(call, 't', query))
}

function toAnswer(task: TaskAnswer): TaskAnswer {
  return { ...task, notes: plainText(task.notes) }
}

export { assignee, columns, toAnswer }

export async function showTask({ db, company }: Call, condition: Sql): Promise<TaskAnswer> {
  const task = await orNotFound(
    db.maybe<TaskAnswer>(sql`select ${columns} from ${tasks} where t.company_id = ${company.id} and ${condition}`),
  )
  return toAnswer(task)
}

/** Writes tasks and reads what was written, in one: `statement` goes without its RETURNING. */
function written(statement: Sql): Sql {
  return sql`with t as (${statement} returning *) select ${columns} from t ${joins}`
}

async function writeTask(db: Db, statement: Sql): Promise<TaskAnswer> {
  const [task] = await db.last<TaskAnswer>(written(statement))
  return toAnswer(task as TaskAnswer)
}

export async function writeTasks(db: Db, statement: Sql): Promise<TaskAnswer[]> {
  return (await db.last<TaskAnswer>(sql`${written(statement)} order by t.id`)).map(toAnswer)
}

/**
 * The same where the statement also finds, as `place`, the list and the project that it writes below: what a task shows of them
 * is read from there, because a wait for their locks may have outlasted a change of their names.
 */
function writtenAt(place: Sql, statement: Sql): OneStatement<{ data: TaskAnswer }> {
  return async db => {
    const [task] = await db.alone<TaskAnswer>(
      signed => sql`
        with place as (${place}), t as (${statement} returning tasks.*)
        select ${columns} from ${signed} cross join t
        cross join place l cross join lateral (select l.project_ref as ref, l.project_slug as slug) p ${assignee}`,
    )
    return task && { data: toAnswer(task) }
  }
}

/** Changes the task of an address in one statement, if it stands as the condition says. */
export function changeAtOnce(
  { company, params }: Call,
  changes: Sql,
  condition: Sql,
): OneStatement<{ data: TaskAnswer }> {
  const place = sql`
    select t.id as task_id, l.ref, l.slug, p.ref as project_ref, p.slug as project_slug from tasks t ${parents}
    where t.company_id = ${company.id} and ${isTask(company.id, params)} and not p.archived and ${condition}
    ${locks('t', 'record')}`
  return writtenAt(
    place,
    sql`update tasks set ${changes} from place where tasks.company_id = ${company.id} and tasks.id = place.task_id`,
  )
}

export function changeTask({ db, company }: Call, { id }: TaskRow, changes: Sql): Promise<TaskAnswer> {
  return writeTask(db, sql`update tasks set ${changes} where company_id = ${company.id} and id = ${id}`)
}

/** The columns behind the fields that were sent. */
async function toColumns(
  call: Call,
  fields: Partial<Type.Static<typeof NewTask>>,
  task: Pick<TaskRow, 'project_id' | 'assignee_id'>,
) {
  const { assignee_email: email } = fields
  const { project_id, assignee_id: current } = task
  const assignee_id = email
    ? await findAssignee(call, project_id, email, current)
    : email === undefined
      ? undefined
      : null
  return { ...plainColumns(fields), assignee_id }
}

/** Those for which nothing has to be looked up. */
function plainColumns<Fields extends Partial<Type.Static<typeof NewTask>>>({
  assignee_email,
  notes,
  ...rest
}: Fields): Omit<Fields, 'assignee_email' | 'notes'> & { notes: string | null | undefined } {
  return { ...rest, notes: notes && toRichText(notes) }
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
  async run({ db, company, params, query }) {
    const { data, meta } = await page<TaskAnswer>(db, query, {
      under: underTaskList(company.id, params, tasksOfList),
      columns,
      from: sql`tasks t where t.company_id = ${company.id} and t.task_list_id = l.id`,
      joined: { as: sql`t`, to: assignee },
      order: [ascending(sql`t.id`)],
    })
    return { data: data.map(toAnswer), meta }
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
    if (call.body.assignee_email) return undefined
    const place = { id: sql`place.id`, project_id: sql`place.project_id` }
    const row = newTask(call, place, plainColumns(call.body))
    return writtenAt(openTaskList(call), insertTasks(sql`select ${row} from place`))
  },
  async run(call, list) {
    const { title } = call.body
    const columns = await toColumns(call, call.body, { ...list, assignee_id: null })
    return { data: await addTask(call, list, { ...columns, title }) }
  },
})

export interface NewTaskColumns {
  title: string
  notes?: string | null | undefined
  due_at?: string | null | undefined
  assignee_id?: number | null | undefined
  isCompleted?: boolean
}

export function addTask(
  author: Author,
  list: { id: number; project_id: number },
  columns: NewTaskColumns,
  ref?: string,
): Promise<TaskAnswer> {
  return writeTask(author.db, insertTasks(sql`values (${newTask(author, list, columns, ref)})`))
}

/** The values of a new task, in the order of `insertTasks`. */
function newTask(
  { company, signature }: Author,
  list: { id: number | Sql; project_id: number | Sql },
  { title, notes = null, due_at = null, assignee_id = null, isCompleted = false }: NewTaskColumns,
  ref = newRef('task'),
): Sql {
  return sql`${company.id}, ${list.project_id}, ${list.id}, ${ref}, ${slugFor('task', company.id, list.id, title)},
    ${title}, ${notes}, ${due_at}, ${isCompleted ? sql`now()` : null}, ${assignee_id}, ${signature.id}`
}

/** What adds tasks: `rows` are their VALUES, or a SELECT. */
export function insertTasks(rows: Sql): Sql {
  return sql`
    insert into tasks (company_id, project_id, task_list_id, ref, slug, title, notes, due_at, completed_at, assignee_id, created_by)
    ${rows}`
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
  run: async call => ({ data: await showTask(call, isTask(call.company.id, call.params)) }),
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
  async run(call, task) {
    const { company, body } = call
    const slug = slugForRename('task', company.id, task.task_list_id, { ...task, name: task.title }, body.title)
    const changes = assignments({ ...(await toColumns(call, body, task)), slug })
    return { data: await (changes ? changeTask(call, task, changes) : showTask(call, sql`t.id = ${task.id}`)) }
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
  policy(call, task) {
    if (task.created_by !== call.signature.id) requireRight(call, 'delete_any_task_or_list')
  },
  returns: Deleted({ task: Type.Object({ title: Type.String(), id: Type.String(), slug: Type.String() }) }),
  async run({ db, company, audit }, { id, ref, title, slug }) {
    const deleted = await db.run(sql`delete from tasks where company_id = ${company.id} and id = ${id}`)
    if (deleted === 0) throw notFound()
    audit({ target: { type: 'task', id: ref, name: title } })
    return { data: { deleted: true, task: { title, id: ref, slug } } }
  },
})
