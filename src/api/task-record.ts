import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { andSeen, type Viewer } from '../domain/access/sight.ts'
import { orNotFound } from '../domain/errors.ts'
import { findAndLock } from '../domain/records/locks.ts'
import type { Metadata } from '../domain/records/metadata.ts'
import { isNamed } from '../domain/records/refs.ts'
import { HijriDates, HijriDay } from '../http/answers/hijri.ts'
import { inPieces } from '../http/answers/in-pieces.ts'
import { MetadataChanges, ShownMetadata } from '../http/answers/metadata.ts'
import { Day, ExternalId, Instant, Name, Nullable, ShownExternalId, Text } from '../http/answers/schema.ts'
import { plainText } from '../lib/rich-text.ts'
import type { Call } from './gate.ts'
import { isListed, isTaskList } from './task-lists.ts'

export const Task = Type.Object(
  {
    id: Type.String({ description: 'The `tsk-` ref; it never changes' }),
    title: Type.String(),
    notes: Nullable(Type.String()),
    completed: Type.Boolean(),
    completed_at: Nullable(Instant()),
    due_at: Nullable(Day()),
    time_spent_minutes: Nullable(Type.Integer({ description: 'Null when no time has been recorded' })),
    external_id: ShownExternalId(),
    project_slug: Type.String(),
    task_list_slug: Type.String(),
    project_id: Type.String({ description: 'The `prj-` ref' }),
    task_list_id: Type.String({ description: 'The `lst-` ref' }),
    assignee: Nullable(Type.Object({ name: Type.String(), email: Type.String({ format: 'email' }) })),
    metadata: ShownMetadata,
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
        external_id: 'crm-77',
        project_slug: 'riyadh-office-move',
        task_list_slug: 'التجهيزات',
        project_id: 'prj-4k7q2m9x0c',
        task_list_id: 'lst-7m2kq90xcd',
        assignee: { name: 'Layla Haddad', email: 'layla@example.com' },
        metadata: { stage: 'review' },
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
    external_id: ExternalId(),
    assignee_email: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 254,
          description: 'The e-mail address of somebody who can be assigned in this project; null or "" for nobody',
        }),
      ),
    ),
    metadata: MetadataChanges,
  },
  { examples: [{ title: 'شراء الأثاث المكتبي', due_at: '2027-02-01', assignee_email: 'layla@example.com' }] },
)

export const columns = sql`t.ref as id, t.title, t.notes, t.completed_at is not null as completed, t.completed_at, t.due_at,
  t.time_spent_minutes, t.external_id, p.slug as project_slug, l.slug as task_list_slug, p.ref as project_id, l.ref as task_list_id, t.metadata, t.created_at, t.updated_at,
  u.email as assignee, u.name as assignee_name`

/**
 * What `columns` returns for a task: the assignee's address, and the name. If PostgreSQL built JSON for each task of a page, it
 * would have to be parsed again here. V8 is slow with rows that gain a field, so the address is stored where the person will
 * be.
 */
export type ReadTask = Omit<TaskAnswer, 'assignee'> & { assignee: string | null; assignee_name: string | null }

// Looked up row by row: for a page of tasks that is cheaper than scanning the people of a company.
export const assignee = sql`left join lateral (
  select * from users u where u.company_id = t.company_id and u.id = t.assignee_id limit 1) u on true`
export const parents = sql`join task_lists l on l.company_id = t.company_id and l.id = t.task_list_id
  join projects p on p.company_id = t.company_id and p.id = t.project_id`
const tasks = sql`tasks t ${parents} ${assignee}`

/** Joins the task with an id, and what it shows. Looked up row by row: these are few, and their parents have many others. */
export function tasksOf(id: Sql, companyId: number): Sql {
  const one = (table: Sql, isOne: Sql) =>
    sql`cross join lateral (select * from ${table} where company_id = ${companyId} and id = ${isOne} limit 1)`
  return sql`${one(sql`tasks`, id)} t ${one(sql`task_lists`, sql`t.task_list_id`)} l
    ${one(sql`projects`, sql`t.project_id`)} p ${assignee}`
}

/** The condition that `t` in `l` in `p` is the task that the URL names: below its list, or by its ref alone. */
export function isTask(viewer: Viewer, params: Call['params']): Sql {
  const place = { kind: 'task', as: 't', companyId: viewer.company.id } as const
  if (params.list === undefined)
    return sql`${isListed(viewer)} and ${isNamed(params.task, { ...place, parent: undefined })}`
  return sql`${isTaskList(viewer, params)} and ${isNamed(params.task, { ...place, parent: sql`l.id` })}`
}

/** The task that the URL names, for what is listed under it. */
export function underTask(viewer: Viewer, params: Call['params'], total: Sql) {
  return {
    from: sql`tasks t ${parents}`,
    where: sql`t.company_id = ${viewer.company.id} and ${isTask(viewer, params)}`,
    total,
  }
}

export interface TaskRow {
  id: number
  ref: string
  slug: string
  title: string
  external_id: string | null
  task_list_id: number
  project_id: number
  assignee_id: number | null
  completed_at: string | null
  metadata: Metadata
  created_by: number
  archived: boolean
}

export async function findTask(call: Call): Promise<TaskRow> {
  const { company, params } = call
  const query = sql`
    select t.id, t.ref, t.slug, t.title, t.external_id, t.task_list_id, t.project_id, t.assignee_id, t.completed_at, t.metadata, t.created_by, p.archived
    from tasks t ${parents}
    where t.company_id = ${company.id} and ${isTask(call, params)}`
  return orNotFound(findAndLock<TaskRow>(call, 't', query))
}

/**
 * Locks tasks until the commit, before they are found one by one. Whoever locks several does it in the order of their refs, so
 * that two cannot deadlock. Their parents are left out, against the usual order: a task that is moved during the wait would no
 * longer be joined to its list, and not be locked. Nobody who keeps others from a parent waits for a task below it. Members wait for
 * no task that they do not see.
 */
export async function lockTasks(call: Call, refs: string[]): Promise<void> {
  const { db, company } = call
  await db.run(sql`
    select from (select ref from unnest(${refs}::text[]) ref order by ref) sent cross join lateral (
      select from tasks t where t.company_id = ${company.id} and t.ref = sent.ref ${andSeen(call, 't')} limit 1 for update) locked`)
}

export function toAnswer(task: ReadTask): TaskAnswer {
  const { notes, assignee: email, assignee_name: name } = task
  return { ...task, notes: plainText(notes), assignee: email === null || name === null ? null : { name, email } }
}

export async function showTask({ db, company }: Call, condition: Sql): Promise<TaskAnswer> {
  const task = await orNotFound(
    db.maybe<ReadTask>(sql`select ${columns} from ${tasks} where t.company_id = ${company.id} and ${condition}`),
  )
  return toAnswer(task)
}

/** The tasks with these ids, in this order. */
export async function showTasks({ db, company }: Call, ids: number[]): Promise<TaskAnswer[]> {
  const tasks = await db.last<ReadTask>(sql`
    select ${columns} from unnest(${ids}::bigint[]) with ordinality named (id, n) ${tasksOf(sql`named.id`, company.id)}
    order by named.n`)
  return inPieces('a write', tasks, toAnswer)
}
