import sql, { join, raw, type Sql } from 'sql-template-tag'
import type Type from 'typebox'
import type { Db } from '../db/db.ts'
import type { Author } from '../domain/access/caller.ts'
import { recordAssignments } from '../domain/records/columns.ts'
import { locks } from '../domain/records/locks.ts'
import { MOST_KEYS } from '../domain/records/metadata.ts'
import { isRef, newRef, wantedSlug } from '../domain/records/refs.ts'
import { inPieces } from '../http/answers/in-pieces.ts'
import type { OneStatement } from '../http/endpoints/endpoint.ts'
import type { Call } from './gate.ts'
import { isListed, isTaskList, lists } from './task-lists.ts'
import {
  assignee,
  columns,
  isTask,
  type NewTask,
  parents,
  type ReadTask,
  type TaskAnswer,
  type TaskRow,
  toAnswer,
} from './task-record.ts'

/** Writes tasks and reads what was written, in one statement. `statement` is given without its RETURNING. */
async function writeTasks(db: Db, statement: Sql): Promise<TaskAnswer[]> {
  // Looked up row by row: without statistics PostgreSQL would look through all lists of the company for each.
  const one = (table: Sql, id: Sql) =>
    sql`cross join lateral (select ref, slug from ${table} r where r.company_id = t.company_id and r.id = ${id} limit 1)`
  const written = sql`with t as (${statement} returning *) select ${columns}
    from t ${one(sql`task_lists`, sql`t.task_list_id`)} l ${one(sql`projects`, sql`t.project_id`)} p ${assignee} order by t.id`
  return inPieces('a write', await db.last<ReadTask>(written), toAnswer)
}

async function writeTask(db: Db, statement: Sql): Promise<TaskAnswer> {
  const [task] = await writeTasks(db, statement)
  return task as TaskAnswer
}

export function changeTask({ db, company }: Call, { id }: TaskRow, changes: Sql): Promise<TaskAnswer> {
  return writeTask(db, sql`update tasks set ${changes} where company_id = ${company.id} and id = ${id}`)
}

/** What can be sent with a new task, as it is stored. */
type Stored = Omit<Type.Static<typeof NewTask>, 'assignee_email' | 'metadata' | `${string}_hijri`> & {
  assignee_id: number | null
  /** As JSON. */
  metadata: string
}

/** The type of each of these columns. */
const COLUMNS: Record<keyof Stored, string> = {
  title: 'text',
  notes: 'text',
  due_at: 'date',
  external_id: 'text',
  assignee_id: 'bigint',
  metadata: 'jsonb',
}
/** What is stored where nothing was sent, if that is not null. */
const DEFAULTS: Partial<Record<keyof Stored, string>> = { metadata: '{}' }
const NAMES = Object.keys(COLUMNS) as (keyof Stored)[]
const names = raw(NAMES.join(', '))
const sentColumns = raw(NAMES.map(name => `sent.${name}`).join(', '))

export type NewTaskColumns = { [Name in keyof Stored]?: Stored[Name] | undefined } & {
  title: string
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

/** Adds tasks in their order, in one statement. */
export function addTasks(author: Author, list: Place, tasks: NewTaskColumns[]): Promise<TaskAnswer[]> {
  return writeTasks(author.db, insertTasks(author, list, sent(tasks)))
}

interface SentTask extends NewTaskColumns {
  /** The ref of the task's list, where each task has its own. */
  list?: string | undefined
}

/** Tasks as the rows of `sent`, each numbered. */
function sent(tasks: SentTask[]): Sql {
  return sql`unnest(
      ${tasks.map(({ list }) => list ?? null)}::text[],
      ${tasks.map(({ ref }) => ref ?? newRef('task'))}::text[],
      ${tasks.map(({ title }) => wantedSlug('task', title))}::text[],
      ${tasks.map(({ isCompleted }) => isCompleted ?? false)}::boolean[],
      ${join(NAMES.map(name => sql`${tasks.map(task => task[name] ?? DEFAULTS[name] ?? null)}::${raw(COLUMNS[name])}[]`))}
    ) with ordinality sent (list, ref, wanted_slug, is_completed, ${names}, n)`
}

/** Adds the tasks that were sent. Their slugs are given to all of them in one step. */
function insertTasks({ company, signer }: Author, list: Record<keyof Place, number | Sql>, from: Sql): Sql {
  return sql`
    with sent as (select *, ${list.id}::bigint as in_list from ${from}), named as materialized (
      select unnest(numbers) as n, unnest(free_task_slugs(${company.id}, lists, wanted)) as slug
      from (select array_agg(n) as numbers, array_agg(in_list) as lists, array_agg(wanted_slug) as wanted
        from (select * from sent order by n) in_order) all_sent)
    insert into tasks (company_id, project_id, task_list_id, created_by, ref, slug, completed_at, ${names})
    select ${company.id}, ${list.project_id}, ${list.id}, ${signer.id}, sent.ref, named.slug,
      case when sent.is_completed then now() end, ${sentColumns}
    from sent join named on named.n = sent.n order by sent.n`
}

/** What a statement that itself finds the list and the project of a task returns of them. */
const shown = sql`l.ref as list_ref, l.slug as list_slug, p.ref as project_ref, p.slug as project_slug`

/**
 * Writes to the places found in `place`, one row for each task sent. The list and project that tasks show are read from there,
 * because their names may have changed while the statement waited for locks. `isOf` tells which of its rows became a task `t`.
 */
function writtenAt(place: Sql, statement: Sql, isOf: Sql, signed: Sql): Sql {
  return answered(sql`place as (${place}), t as (${statement} returning tasks.*)`, isOf, columns, signed)
}

function answered(written: Sql, isOf: Sql, shows: Sql, signed: Sql): Sql {
  return sql`
    with ${written}
    select place.n, ${shows} from ${signed} cross join t join place on ${isOf}
    cross join lateral (select place.list_ref as ref, place.list_slug as slug) l
    cross join lateral (select place.project_ref as ref, place.project_slug as slug) p ${assignee}`
}

type TaskStatement<Row> = OneStatement<{ data: TaskAnswer }, Row, ReadTask>

const answer = (task: ReadTask) => ({ data: toAnswer(task) })

// The place of each row is looked up by itself (LIMIT 1): one join for all of them would read every list or task of the company
// where PostgreSQL has no statistics. Tasks are locked in the order of their refs, so that two statements cannot deadlock.
//
// Flat URLs with a ref differ only in that. Writes to other URLs share a statement only with writes to the very same URL.

/**
 * Those of the sent tasks whose external ids nobody has. Of two that want the same, the second goes step by step, and finds the
 * first.
 */
function unnamed({ company }: Call, tasks: SentTask[]): Sql {
  const ids = tasks.map(({ external_id }) => external_id ?? null)
  return sql`(
    with held as materialized (select external_id from claim_external_ids(${company.id}, 'task', ${ids}::text[]))
    select * from (select *, row_number() over (partition by external_id order by n) as turn from ${sent(tasks)}) sent
    where turn = 1 and external_id not in (select external_id from held)) sent`
}

/** Adds a task to the list that the URL names in one statement, if the list is open and nothing else has its external id. */
export function addAtOnce(call: Call, task: NewTaskColumns): TaskStatement<SentTask> {
  const { params, signer } = call
  const isFlat = isFlatList(params)
  const isToBeNamed = typeof task.external_id === 'string'
  const place = (tasks: SentTask[]) => sql`
    select * from ${isToBeNamed ? unnamed(call, tasks) : sent(tasks)} cross join lateral (${openList(call)}) place`
  const added = insertTasks(call, { id: sql`sent.list_id`, project_id: sql`sent.project_id` }, sql`place sent`)
  return {
    name: JSON.stringify(['add', signer.id, isToBeNamed, isFlat || params]),
    row: { ...task, list: params.list, ref: newRef('task') },
    statement: (tasks, signed) => writtenAt(place(tasks), added, sql`place.ref = t.ref`, signed),
    answer,
  }
}

function isFlatList({ project, list = '' }: Call['params']): boolean {
  return project === undefined && isRef(list)
}

/** The list to which `sent` is to be added, locked, if its project is open. */
function openList(call: Call): Sql {
  const { company, params } = call
  const isPlace = isFlatList(params) ? sql`${isListed(call)} and l.ref = sent.list` : isTaskList(call, params)
  return sql`
    select l.id as list_id, l.project_id, ${shown} from ${lists}
    where l.company_id = ${company.id} and ${isPlace} and not p.archived limit 1 ${locks('l', 'parent')}`
}

type Upserted = ReadTask & { is_new: boolean }

/**
 * Adds a task to the list that the URL names, or changes the one that has its external id, in one statement. It does nothing for
 * one that is renamed, because that needs another slug.
 */
export function upsertAtOnce(
  call: Call,
  task: NewTaskColumns & { external_id: string },
): OneStatement<{ data: TaskAnswer }, SentTask, Upserted> {
  const { company, params, signer } = call
  const ifSent = (name: keyof Stored, value: Sql) => (task[name] === undefined ? undefined : value)
  const changes = recordAssignments('task', {
    title: sql`place.title`,
    notes: ifSent('notes', sql`place.notes`),
    due_at: ifSent('due_at', sql`place.due_at`),
    metadata: ifSent('metadata', sql`tasks.metadata || place.metadata`),
  }) as Sql
  const place = (tasks: SentTask[]) => sql`
    with held as materialized (
      select * from claim_external_ids(${company.id}, 'task', ${tasks.map(({ external_id }) => external_id)}::text[]))
    select sent.*, list_id, project_id, task_id, coalesce(there.list_ref, here.list_ref) as list_ref,
      coalesce(there.list_slug, here.list_slug) as list_slug, coalesce(there.project_ref, here.project_ref) as project_ref,
      coalesce(there.project_slug, here.project_slug) as project_slug
    from (
      select sent.*, held.record_id
      from (select *, row_number() over (partition by external_id order by n) as turn from ${sent(tasks)}) sent
      left join held on held.external_id = sent.external_id where turn = 1 order by held.ref) sent
    cross join lateral (${openList(call)}) here
    left join lateral (
      select t.id as task_id, ${shown} from tasks t ${parents}
      where t.company_id = ${company.id} and t.id = sent.record_id and t.external_id = sent.external_id and t.title = sent.title
        and ${isListed(call)} and not p.archived
        and (select count(*) from jsonb_object_keys(t.metadata || sent.metadata)) <= ${MOST_KEYS}
      limit 1 ${locks('t', 'record')}) there on true
    where sent.record_id is null or task_id is not null`
  const added = insertTasks(
    call,
    { id: sql`sent.list_id`, project_id: sql`sent.project_id` },
    sql`(select * from place where task_id is null) sent`,
  )
  const changed = sql`update tasks set ${changes} from place where tasks.company_id = ${company.id} and tasks.id = place.task_id`
  const written = (tasks: SentTask[]) => sql`place as (${place(tasks)}), added as (${added} returning tasks.*),
    changed as (${changed} returning tasks.*), t as (select * from added union all select * from changed)`
  const isOf = sql`t.id = place.task_id or t.ref = place.ref`
  return {
    name: JSON.stringify(['upsert', signer.id, changes.text, isFlatList(params) || params.list]),
    row: { ...task, list: params.list, ref: newRef('task') },
    statement: (tasks, signed) =>
      answered(written(tasks), isOf, sql`${columns}, place.task_id is null as is_new`, signed),
    answer: ({ is_new, ...read }) => answer(read),
    isNew: ({ is_new }) => is_new,
  }
}

/** Changes the task that the URL names in one statement, if it meets the condition. */
export function changeAtOnce(call: Call, changes: Sql, condition: Sql): TaskStatement<string | undefined> {
  const { company, params } = call
  const isPlace = isTask(call, params)
  const isFlat = params.list === undefined && isRef(params.task ?? '')
  const place = (refs: (string | undefined)[]) => sql`
    select * from (select * from unnest(${refs}::text[]) with ordinality sent (task, n) order by task) sent cross join lateral (
      select t.id as task_id, ${shown} from tasks t ${parents}
      where t.company_id = ${company.id} and ${isFlat ? sql`${isListed(call)} and t.ref = sent.task` : isPlace} and not p.archived and ${condition}
      limit 1 ${locks('t', 'record')}) place`
  const changed = sql`update tasks set ${changes} from place where tasks.company_id = ${company.id} and tasks.id = place.task_id`
  return {
    name: JSON.stringify([changes.text, isFlat || params]),
    row: params.task,
    statement: (refs, signed) => writtenAt(place(refs), changed, sql`place.task_id = t.id`, signed),
    answer,
  }
}
