import sql, { type Sql } from 'sql-template-tag'
import type { Db, SharedWrite } from '../db/db.ts'
import type { Author } from '../domain/access/caller.ts'
import { locks } from '../domain/locks.ts'
import { freeSlug, newRef, wantedSlug } from '../domain/refs.ts'
import type { OneStatement } from '../http/endpoint.ts'
import type { Call } from './gate.ts'
import { isListed, isTaskList, lists } from './task-lists.ts'
import {
  assignee,
  columns,
  isTask,
  joins,
  parents,
  type ReadTask,
  type TaskAnswer,
  type TaskRow,
  toAnswer,
} from './task-record.ts'

/** Writes tasks and reads what was written, in one: `statement` goes without its RETURNING. */
async function writeTasks(db: Db, statement: Sql): Promise<TaskAnswer[]> {
  const written = sql`with t as (${statement} returning *) select ${columns} from t ${joins} order by t.id`
  return (await db.last<ReadTask>(written)).map(toAnswer)
}

async function writeTask(db: Db, statement: Sql): Promise<TaskAnswer> {
  const [task] = await writeTasks(db, statement)
  return task as TaskAnswer
}

export function changeTask({ db, company }: Call, { id }: TaskRow, changes: Sql): Promise<TaskAnswer> {
  return writeTask(db, sql`update tasks set ${changes} where company_id = ${company.id} and id = ${id}`)
}

export interface NewTaskColumns {
  title: string
  notes?: string | null | undefined
  due_at?: string | null | undefined
  assignee_id?: number | null | undefined
  isCompleted?: boolean
  ref?: string | undefined
}

interface Place {
  id: number
  project_id: number
}

export async function addTask(author: Author, list: Place, task: NewTaskColumns): Promise<TaskAnswer> {
  return writeTask(author.db, insertTasks(author, list, sent([task])))
}

/** In their order, in one statement. */
export function addTasks(author: Author, list: Place, tasks: NewTaskColumns[]): Promise<TaskAnswer[]> {
  return writeTasks(author.db, insertTasks(author, list, sent(tasks)))
}

interface SentTask extends NewTaskColumns {
  /** The ref of its list, where each has its own. */
  list?: string | undefined
}

/** Tasks as the rows of `sent`, each with its number. */
function sent(tasks: SentTask[]): Sql {
  return sql`unnest(
      ${tasks.map(({ list }) => list ?? null)}::text[],
      ${tasks.map(({ ref }) => ref ?? newRef('task'))}::text[],
      ${tasks.map(({ title }) => wantedSlug('task', title))}::text[],
      ${tasks.map(({ title }) => title)}::text[],
      ${tasks.map(({ notes }) => notes ?? null)}::text[],
      ${tasks.map(({ due_at }) => due_at ?? null)}::date[],
      ${tasks.map(({ isCompleted }) => isCompleted ?? false)}::boolean[],
      ${tasks.map(({ assignee_id }) => assignee_id ?? null)}::bigint[]
    ) with ordinality sent (list, ref, wanted_slug, title, notes, due_at, is_completed, assignee_id, n)`
}

/**
 * Adds the tasks that were sent. Every slug is free of those that the statement has given out before it, because PostgreSQL shows
 * `free_slug`, which is volatile, the rows that are there already.
 */
function insertTasks({ company, signature }: Author, list: Record<keyof Place, number | Sql>, from: Sql): Sql {
  return sql`
    insert into tasks (company_id, project_id, task_list_id, ref, slug, title, notes, due_at, completed_at, assignee_id, created_by)
    select ${company.id}, ${list.project_id}, ${list.id}, sent.ref, ${freeSlug('task', company.id, list.id, sql`sent.wanted_slug`)},
      sent.title, sent.notes, sent.due_at, case when sent.is_completed then now() end, sent.assignee_id, ${signature.id}
    from ${from} order by sent.n`
}

/** What a statement that finds the list and the project of a task by itself keeps of them to show. */
const shown = sql`l.ref as list_ref, l.slug as list_slug, p.ref as project_ref, p.slug as project_slug`

/**
 * Writes below what was found in `place`, a row for each that was sent: what tasks show of their list and project is read from there,
 * because a wait for their locks may have outlasted a change of their names. `isOf` tells which row of it became a task `t`.
 */
function writtenAt(place: Sql, statement: Sql, isOf: Sql, signed: Sql): Sql {
  return sql`
    with place as (${place}), t as (${statement} returning tasks.*)
    select place.n, ${columns} from ${signed} cross join t join place on ${isOf}
    cross join lateral (select place.list_ref as ref, place.list_slug as slug) l
    cross join lateral (select place.project_ref as ref, place.project_slug as slug) p ${assignee}`
}

/** A write of one task, which may share its statement with others. */
function atOnce<Row>(write: SharedWrite<Row>, row: Row): OneStatement<{ data: TaskAnswer }> {
  return async db => {
    const task = await db.together<Row, ReadTask>(write, row)
    return task && { data: toAnswer(task) }
  }
}

// Flat addresses differ in the ref that is sent. What has another address is written together with the very same address only.

/** Adds a task to the list of an address in one statement, if that is open. */
export function addAtOnce(call: Call, task: NewTaskColumns): OneStatement<{ data: TaskAnswer }> {
  const { company, params, signature } = call
  const isPlace = isTaskList(company.id, params)
  const isFlat = params.project === undefined
  const place = (tasks: SentTask[]) => sql`
    select sent.*, l.id as list_id, l.project_id, ${shown} from ${sent(tasks)} cross join ${lists}
    where l.company_id = ${company.id} and ${isFlat ? sql`${isListed} and l.ref = sent.list` : isPlace} and not p.archived
    ${locks('l', 'parent')}`
  const added = insertTasks(call, { id: sql`sent.list_id`, project_id: sql`sent.project_id` }, sql`place sent`)
  return atOnce(
    {
      name: JSON.stringify(['add', signature.id, isFlat || params]),
      statement: (tasks: SentTask[], signed) => writtenAt(place(tasks), added, sql`place.ref = t.ref`, signed),
    },
    { ...task, list: params.list, ref: newRef('task') },
  )
}

/** Changes the task of an address in one statement, if it stands as the condition says. */
export function changeAtOnce(
  { company, params }: Call,
  changes: Sql,
  condition: Sql,
): OneStatement<{ data: TaskAnswer }> {
  const isPlace = isTask(company.id, params)
  const isFlat = params.list === undefined
  const place = (refs: (string | undefined)[]) => sql`
    select sent.n, t.id as task_id, ${shown}
    from unnest(${refs}::text[]) with ordinality sent (task, n) cross join tasks t ${parents}
    where t.company_id = ${company.id} and ${isFlat ? sql`${isListed} and t.ref = sent.task` : isPlace} and not p.archived and ${condition}
    order by t.id ${locks('t', 'record')}`
  const changed = sql`update tasks set ${changes} from place where tasks.company_id = ${company.id} and tasks.id = place.task_id`
  return atOnce(
    {
      name: JSON.stringify([changes.text, isFlat || params]),
      statement: (refs: (string | undefined)[], signed) =>
        writtenAt(place(refs), changed, sql`place.task_id = t.id`, signed),
    },
    params.task,
  )
}
