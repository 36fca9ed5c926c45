import sql, { join, raw, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { toTimestamp } from '../db/instants.ts'
import { FIRST_DATE, FIRST_YEAR } from '../domain/dates.ts'
import { unprocessable } from '../domain/errors.ts'
import { OneOf } from '../http/schema.ts'
import { westernDigits } from '../lib/digits.ts'
import { parseIso } from '../lib/iso-8601.ts'
import { localDay } from '../lib/zoned-time.ts'
import { readBound } from './event-times.ts'
import type { Call } from './gate.ts'

/** The most values of a filter that may be given several times. */
const MOST = 50
const FLAGS = ['true', 'false', '1', '0'] as const
const Flag = (description: string) => Type.Optional(OneOf(FLAGS, { description }))
const Moment = (description: string) => Type.Optional(Type.String({ description }))

const SORTS = ['created', '-created', 'due', '-due', 'updated', '-updated'] as const
export type Sort = (typeof SORTS)[number]

export const TaskFilters = {
  assignee_email: Type.Array(Type.String(), {
    maxItems: MOST,
    description: 'Assigned to any of these people; an address that nobody has finds nothing',
  }),
  unassigned: Flag('`true`: assigned to nobody; with `assignee_email`, to these people or to nobody'),
  completed: Flag('`true` or `false`; both when left out'),
  due_from: Moment('Date, included'),
  due_to: Moment('Date, included'),
  overdue: Flag('`true`: not completed, and due before today in the company zone'),
  updated_since: Moment('ISO 8601 date or time, included'),
  completed_since: Moment('ISO 8601 date or time, included'),
  sort: Type.Optional(
    OneOf(SORTS, { description: 'Default `created`. Tasks without a due date come last either way.' }),
  ),
}
export const ProjectFilters = {
  project: Type.Array(Type.String(), { maxItems: MOST, description: 'In any of these projects: refs or slugs' }),
  include_archived: Flag('Also tasks of archived projects; a project that is named is shown either way'),
}

type Asked = Type.Static<Type.TObject<typeof TaskFilters>>

/** The filters on tasks, parsed. */
export interface ReadFilters {
  emails: string[]
  unassigned: boolean
  completed: boolean | undefined
  due_from: string | undefined
  due_to: string | undefined
  /** Tasks that were due before this day are overdue. */
  overdueOn: string | undefined
  updated_since: string | undefined
  completed_since: string | undefined
  sort: Sort
}

/** A filter that cannot be parsed is refused: without it the answer would be about something else. */
export function readFilters({ company: { time_zone } }: Call, query: Asked): ReadFilters {
  const since = (field: 'updated_since' | 'completed_since') =>
    query[field] === undefined ? undefined : toTimestamp(readBound(field, query[field], time_zone).first)
  const isOverdue = readFlag('overdue', query.overdue) ?? false
  return {
    emails: severalOf('assignee_email', query.assignee_email),
    unassigned: readFlag('unassigned', query.unassigned) ?? false,
    completed: readFlag('completed', query.completed) ?? (isOverdue ? false : undefined),
    due_from: readDate('due_from', query.due_from),
    due_to: readDate('due_to', query.due_to),
    overdueOn: isOverdue ? localDay(time_zone, Date.now()).date : undefined,
    updated_since: since('updated_since'),
    completed_since: since('completed_since'),
    sort: readSort(query.sort),
  }
}

export function readFlag(field: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (!FLAGS.some(flag => flag === text)) throw unprocessable(field, 'must be true or false')
  return text === 'true' || text === '1'
}

/** The values of a filter that may be given several times. */
export function severalOf(field: string, sent: string[]): string[] {
  if (sent.length > MOST) throw unprocessable(field, `must not be given more than ${MOST} times`)
  if (sent.some(text => text.trim() === '')) throw unprocessable(field, "can't be blank")
  return sent
}

/** A date outside the supported years is moved to their edge, as in the window of the event list. */
function readDate(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const date = text.length > 2 * FIRST_DATE.length ? '' : westernDigits(text).trim()
  const written = /^\d{4}-\d\d-\d\d$/.test(date) ? parseIso(date) : undefined
  if (!written) throw unprocessable(field, 'must be a date that exists, written YYYY-MM-DD')
  return written.clock.year < FIRST_YEAR ? FIRST_DATE : date
}

function readSort(text = 'created'): Sort {
  const sort = SORTS.find(each => each === text)
  if (!sort) throw unprocessable('sort', `must be one of ${SORTS.join(', ')}`)
  return sort
}

/** The columns by which an index finds or orders tasks. */
type Column = 'assignee_id' | 'project_id' | 'due_at' | 'updated_at'
/** How a condition names a column of the task `k`. */
export type Naming = (column: Column) => Sql

/** Lets PostgreSQL use an index for the column. */
export const plain: Naming = column => raw(`k.${column}`)
/** Keeps PostgreSQL from using an index for the column: tasks are read in another order, and each is compared. */
export const unindexed: Naming = column =>
  raw(column === 'updated_at' ? `(k.updated_at + interval '0')` : `(k.${column} + 0)`)

export function conditionsOf(companyId: number, filters: ReadFilters, name: Naming): Sql[] {
  const { completed, due_from, due_to, overdueOn, updated_since, completed_since } = filters
  const conditions = assigneeOf(companyId, filters, name('assignee_id'))
  if (completed !== undefined) conditions.push(completed ? sql`k.completed` : sql`not k.completed`)
  if (due_from !== undefined) conditions.push(sql`${name('due_at')} >= ${due_from}::date`)
  if (due_to !== undefined) conditions.push(sql`${name('due_at')} <= ${due_to}::date`)
  if (overdueOn !== undefined) conditions.push(sql`not k.completed and ${name('due_at')} < ${overdueOn}::date`)
  if (updated_since !== undefined) conditions.push(isSince(name('updated_at'), updated_since))
  if (completed_since !== undefined) {
    // Tasks completed since then were also updated since then, and there is an index for that.
    const completedAt = sql`(k.completed_at + interval '0')`
    conditions.push(
      sql`${completedAt} >= ${completed_since}::timestamptz`,
      isSince(name('updated_at'), completed_since),
    )
  }
  return conditions
}

/** With two bounds, PostgreSQL expects few matches and uses the index. */
function isSince(column: Sql, at: string): Sql {
  return sql`${column} >= ${at}::timestamptz and ${column} <= 'infinity'::timestamptz`
}

function assigneeOf(companyId: number, { emails, unassigned }: ReadFilters, column: Sql): Sql[] {
  const any: Sql[] = []
  const people = sql`select u.id from users u where u.company_id = ${companyId}`
  if (emails.length === 1) any.push(sql`${column} = (${people} and lower(u.email) = lower(${emails[0]}))`)
  if (emails.length > 1) {
    const sent = sql`select lower(sent) from unnest(${emails}::text[]) sent`
    any.push(sql`${column} = any (array(${people} and lower(u.email) in (${sent})))`)
  }
  if (unassigned) any.push(sql`${column} is null`)
  return any.length > 1 ? [sql`(${join(any, ' or ')})`] : any
}
