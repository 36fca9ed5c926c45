import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { matches, rankOf, shapeOf } from './matches.ts'
import { NEWEST_PER_HIT, NEWEST_PER_HIT_WIDER, type Step } from './plan.ts'
import { INSIDE, type Query, WORDS, worst } from './ranks.ts'
import { type HitType, SOURCES, TYPES } from './sources.ts'
import { type Asked, type Given, writtenOnce } from './written.ts'

// The statements of a search. Each takes a step, for one kind or for any of the six, and gives the hits of all of them.

/** Steps that look alike are taken by the same statement: how many records each kind looks through is told when it is sent. */
export function lookOf({ where, rank, settles }: Step): string {
  if (where === 'few' || where === 'first') return 'best'
  return where === 'all' ? `all ${rank} ${settles}` : `back ${rank}`
}

/** One text for each kind alone, and one for several: which of the six they are is told when it is sent. */
export function statementOf(asked: Asked): Sql {
  const [[type, step]] = [...asked.steps] as [[HitType, Step]]
  const kinds = asked.steps.size === 1 ? [type] : TYPES
  const shape = [lookOf(step), shapeOf(asked.query), kinds].join('; ')
  return writtenOnce(shape, asked, () => sql`with ${deleted} ${look(asked.query, kinds, step)}`)
}

function look(query: Query, kinds: readonly HitType[], { where, rank, settles }: Step): Sql {
  if (where === 'few' || where === 'first') return bestOfNewest(query, kinds)
  if (where !== 'all') return backFromNewest(query, kinds, rank)
  return rank === INSIDE && settles > rank ? amongAllSpellings(query, kinds, settles) : amongAll(query, kinds, rank)
}

const companyId: Given = asked => asked.companyId
const companyText: Given = asked => String(asked.companyId)
const types: Given = asked => [...asked.steps.keys()]
const limit: Given = asked => asked.limit
const counts: Given = ({ steps, limit }) => TYPES.map(type => countOf(steps.get(type)?.where, limit))

/** How many of the newest records a kind looks through. */
function countOf(where: Step['where'] | undefined, limit: number): number {
  if (where === 'first') return NEWEST_PER_HIT * limit
  if (where === 'newest') return NEWEST_PER_HIT_WIDER * limit
  return where ? EVERYTHING : 0
}

/** More than there can be. A limit all the same: it keeps the records in the order of the primary key. */
const EVERYTHING = 1e15

/** The best hits among so many of the newest records. */
function bestOfNewest(query: Query, kinds: readonly HitType[]): Sql {
  return ofEach(
    kinds,
    type => sql`
      ${ranked(type, query)} from (${newest(type)}) n
      where ${matches(worst(query), query)} and ${isListed(type)}
      order by rank, id desc limit ${limit}`,
  )
}

/** The newest hits of a rank or a better one: as many as are wanted, among so many of the newest records. */
function backFromNewest(query: Query, kinds: readonly HitType[], rank: number): Sql {
  return ofEach(
    kinds,
    type => sql`
      ${ranked(type, query)} from (${newest(type)}) n
      where ${matches(rank, query)} and ${isListed(type)}
      order by id desc limit ${limit}`,
  )
}

/** Records of one kind, from the newest on. PostgreSQL leaves a table alone of which none are wanted. */
function newest(type: HitType): Sql {
  const { table, alive = empty } = SOURCES[type]
  const count = sql`(${counts}::bigint[])[${raw(String(TYPES.indexOf(type) + 1))}]`
  return sql`
    select ${named(type)} from ${raw(table)} n where n.company_id = ${companyId} ${alive} order by n.id desc limit ${count}`
}

/** The hits of the spelling that was asked for; and should they be too few, those of any spelling. */
function amongAllSpellings(query: Query, kinds: readonly HitType[], rank: number): Sql {
  const areTooFew = (type: HitType) => sql`and (select count(*) from written where type = ${literal(type)}) < ${limit}`
  return sql`,
    written as materialized (${amongAll(query, kinds, INSIDE)})
    select * from written union all ${amongAll(query, kinds, rank, areTooFew)}`
}

/** The best hits of a rank or a better one among all records: by the order of names, or by the trigrams of words. */
function amongAll(
  query: Query,
  kinds: readonly HitType[],
  rank: number,
  isAsked: (type: HitType) => Sql = () => empty,
): Sql {
  const ofCompany = rank >= WORDS ? sql`n.company_id::text = ${companyText}` : sql`n.company_id = ${companyId}`
  return ofEach(kinds, type => {
    const { table, alive = empty } = SOURCES[type]
    return sql`
      ${ranked(type, query)}
      from (
        select ${named(type)} from ${raw(table)} n
        where ${ofCompany} ${alive} and ${matches(rank, query)} and ${isWanted(type)} ${isAsked(type)}) n
      where ${isListed(type)}
      order by rank, id desc limit ${limit}`
  })
}

const ranked = (type: HitType, query: Query) => sql`select ${literal(type)} as type, id, ${rankOf(query)} as rank`

/** What has to be known of a record, to tell whether it is a hit. */
function named(type: HitType): Sql {
  const { project = 'project_id', inDeletedLists } = SOURCES[type]
  return sql`n.id, n.${raw(project)} as project_id, n.search_name ${inDeletedLists ? sql`, n.task_list_id` : empty}`
}

/** What these contain is there until it is removed, and is not found. */
const deleted = sql`
    deleted_projects as materialized (
      select id from projects where company_id = ${companyId} and deleted_at is not null),
    deleted_lists as materialized (
      select id from task_lists where company_id = ${companyId} and deleted_at is not null)`

function isListed(type: HitType): Sql {
  const isInList = SOURCES[type].inDeletedLists
  return sql`n.project_id not in (select id from deleted_projects)
    ${isInList ? sql`and n.task_list_id not in (select id from deleted_lists)` : empty}`
}

/** It compares no column: PostgreSQL asks it once, and leaves a table alone whose kind is not wanted. */
const isWanted = (type: HitType) => sql`${literal(type)} = any(${types}::text[])`

const literal = (type: HitType) => raw(`'${type}'::text`)

function ofEach(kinds: readonly HitType[], select: (type: HitType) => Sql): Sql {
  return join(
    kinds.map(type => sql`(${select(type)})`),
    ' union all ',
  )
}
