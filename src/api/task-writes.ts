import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import type { Author } from '../domain/access/caller.ts'
import { locks } from '../domain/locks.ts'
import { newRef, slugFor } from '../domain/refs.ts'
import type { OneStatement } from '../http/endpoint.ts'
import type { Call } from './gate.ts'
import { openTaskList } from './task-lists.ts'
import { assignee, columns, isTask, joins, parents, type TaskAnswer, type TaskRow, toAnswer } from './task-record.ts'

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

/** Adds a task to the list of an address in one statement, if that is open. */
export function addAtOnce(call: Call, columns: NewTaskColumns): OneStatement<{ data: TaskAnswer }> {
  const row = newTask(call, { id: sql`place.id`, project_id: sql`place.project_id` }, columns)
  return writtenAt(openTaskList(call), insertTasks(sql`select ${row} from place`))
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
