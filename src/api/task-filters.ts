import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { toTimestamp } from '../db/instants.ts'
import type { Metadata } from '../domain/records/metadata.ts'
import { FIRST_DATE } from '../domain/time/dates.ts'
import { HijriFilters } from '../http/answers/hijri.ts'
import { MetadataFilter } from '../http/answers/metadata.ts'
import { Day, ExternalIds, OneOf } from '../http/answers/schema.ts'
import { localDay } from '../lib/zoned-time.ts'
import { readBound } from './event-times.ts'
import type { Call } from './gate.ts'

/** The most values of a filter that may be given several times. */
const MOST = 50
const Flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const Moment = (description: string) => Type.Optional(Type.String({ description }))

const SORTS = ['created', '-created', 'due', '-due', 'updated', '-updated'] as const
export type Sort = (typeof SORTS)[number]

export const TaskFilters = {
  assignee_email: Type.Array(Type.String(), {
    maxItems: MOST,
    description: 'Assigned to any of these people; an address that nobody has finds nothing',
  }),
  external_id: ExternalIds(),
  unassigned: Flag('`true`: assigned to nobody; with `assignee_email`, to these people or to nobody'),
  completed: Flag('`true` or `false`; both when left out'),
  due_from: Type.Optional(Day({ description: 'Date, included' })),
  due_to: Type.Optional(Day({ description: 'Date, included' })),
  overdue: Flag('`true`: not completed, and due before today in the company zone'),
  updated_since: Moment('ISO 8601 date or time, included'),
  completed_since: Moment('ISO 8601 date or time, included'),
  ...HijriFilters('due_from', 'due_to', 'updated_since', 'completed_since'),
  metadata: MetadataFilter,
  sort: Type.Optional(
    OneOf(SORTS, { description: 'Default `created`. Tasks without a due date come last either way.' }),
  ),
}
export const ProjectFilters = {
  project: Type.Array(Type.String(), { maxItems: MOST, description: 'In any of these projects: refs or slugs' }),
  include_archived: Flag('Also tasks of archived projects; a project that is named is shown either way'),
}

type Asked = Type.Static<Type.TObject<typeof TaskFilters>>

/** The filters on tasks, parsed. One that was not given is undefined. */
export interface ReadFilters {
  assignee: { emails: string[]; unassigned: boolean } | undefined
  completed: boolean | undefined
  external_id: string[] | undefined
  /** Both included. Tasks without a date are left out. */
  due: { from: string; to: string } | undefined
  /** Tasks that were completed since a moment were also updated since then, and there is an index for that. */
  updated_since: string | undefined
  completed_since: string | undefined
  metadata: Metadata | undefined
  sort: Sort
}

/** Reads what the schema has not refused. Times depend on the zone of the company, which a schema does not know. */
export function readFilters({ company: { time_zone } }: Call, query: Asked): ReadFilters {
  const isOverdue = query.overdue ?? false
  const { assignee_email: emails, sort = 'created' } = query
  const unassigned = query.unassigned ?? false
  // What was completed since a moment is completed, and only open tasks are overdue.
  const implied = isOverdue ? false : query.completed_since === undefined ? undefined : true
  const completed = query.completed ?? implied
  const due = readDue(query, isOverdue ? lastOverdueDay(completed, time_zone) : undefined)
  const since = (field: 'updated_since' | 'completed_since') =>
    query[field] === undefined ? undefined : readBound(field, query[field], time_zone).first
  const updatedSince = since('updated_since')
  const completedSince = since('completed_since')
  const sinces = [updatedSince, completedSince].filter(at => at !== undefined)
  return {
    assignee: emails.length > 0 || unassigned ? { emails, unassigned } : undefined,
    completed,
    external_id: query.external_id.length > 0 ? query.external_id : undefined,
    due,
    updated_since: sinces.length > 0 ? toTimestamp(Math.max(...sinces)) : undefined,
    completed_since: completedSince === undefined ? undefined : toTimestamp(completedSince),
    metadata: query.metadata,
    sort,
  }
}

const DAY_MS = 24 * 3_600_000

/** Yesterday; but of the completed tasks, none is overdue. */
function lastOverdueDay(completed: boolean | undefined, zone: string): string {
  if (completed) return BEFORE_ALL_DATES
  return new Date(Date.parse(localDay(zone, Date.now()).date) - DAY_MS).toISOString().slice(0, FIRST_DATE.length)
}

const BEFORE_ALL_DATES = '-infinity'
const AFTER_ALL_DATES = 'infinity'

function readDue({ due_from, due_to }: Asked, lastOverdue: string | undefined): ReadFilters['due'] {
  const from = due_from && supported(due_from)
  const to = due_to && supported(due_to)
  if ((from ?? to ?? lastOverdue) === undefined) return undefined
  const last = [to, lastOverdue].filter(date => date !== undefined).sort()
  return { from: from ?? BEFORE_ALL_DATES, to: last[0] ?? AFTER_ALL_DATES }
}

/** A date outside the supported years is moved to their edge, as in the period of the event list. */
function supported(date: string): string {
  return date < FIRST_DATE ? FIRST_DATE : date
}

/** The filters that are conditions on a task, by name. External ids are looked up by their index alone. */
export type Filter = Exclude<keyof ReadFilters, 'sort' | 'external_id'>
const FILTERS: Filter[] = ['assignee', 'completed', 'due', 'updated_since', 'completed_since', 'metadata']

export function givenFilters(filters: ReadFilters): Filter[] {
  return FILTERS.filter(name => filters[name] !== undefined)
}

/**
 * The conditions of all filters but those for which an index is used. They are the same text whether a filter was given or
 * not, so that there are few statements; PostgreSQL cannot use an index for them.
 */
export function conditionsExcept(used: Filter[], companyId: number, filters: ReadFilters): Sql[] {
  return FILTERS.filter(name => !used.includes(name)).flatMap(name => CONDITIONS[name](filters, companyId) ?? [])
}

const CONDITIONS: Record<Filter, (filters: ReadFilters, companyId: number) => Sql | undefined> = {
  assignee: ({ assignee }, companyId) => sql`(${!assignee}::boolean
    or k.assignee_id = any (array(select person.id from ${peopleOf(companyId, assignee)} person))
    or (k.assignee_id is null and ${assignee?.unassigned ?? false}::boolean))`,
  completed: ({ completed }) => ifGiven(completed, value => sql`k.completed = ${value}::boolean`),
  due: ({ due }) => ifGiven(due?.from, from => sql`k.due_at between ${from}::date and ${due?.to ?? null}::date`),
  updated_since: ({ updated_since }) => ifGiven(updated_since, at => sql`k.updated_at >= ${at}::timestamptz`),
  completed_since: ({ completed_since }) => ifGiven(completed_since, at => sql`k.completed_at >= ${at}::timestamptz`),
  // Where it was not given there is no condition: no other index has the column, and many are counted from an index alone.
  metadata: ({ metadata }) => metadata && hasMetadata(metadata),
}

function ifGiven<T extends string | boolean>(value: T | undefined, condition: (value: T | null) => Sql): Sql {
  return sql`(${value === undefined}::boolean or ${condition(value ?? null)})`
}

export function hasMetadata(metadata: Metadata): Sql {
  return sql`k.metadata @> ${JSON.stringify(metadata)}::jsonb`
}

/** The ids of the people whom a filter names. */
export function peopleOf(companyId: number, assignee: ReadFilters['assignee']): Sql {
  return sql`(select u.id from users u where u.company_id = ${companyId}
    and lower(u.email) in (select lower(sent) from unnest(${assignee?.emails ?? []}::text[]) sent))`
}
