import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { matches, rankOf, shapeOf } from './matches.ts'
import type { Step } from './plan.ts'
import { BEGINNING, INSIDE, type Query, WHOLE, WORDS, worst } from './ranks.ts'
import { type HitType, SOURCES, TYPES } from './sources.ts'
import { type Asked, type Given, writtenOnce } from './written.ts'

// The statements of a search. Each takes a step, for one kind or for any of the six, and gives the hits of all of them.

/** Steps that look alike are taken by the same statement: how many records each kind looks through is told when it is sent. */
export function lookOf({ where, rank, settles }: Step): string {
  if (where === 'few' || where === 'first') return 'best'
  if (where === 'all' && rank < WORDS) return 'beginning'
  return where === 'all' ? `all ${rank} ${settles}` : `back ${rank}`
}

/** One text for each kind alone, and one for several: which of the six they are is told when it is sent. */
export function statementOf(asked: Asked): Sql {
  const [[type, step]] = [...asked.steps] as [[HitType, Step]]
  const kinds = asked.steps.size === 1 ? [type] : TYPES
  const areFew = [...asked.steps.values()].every(({ where }) => where === 'few')
  const shape = [lookOf(step), areFew, shapeOf(asked.query), kinds].join('; ')
  return writtenOnce(shape, asked, () => sql`with ${deleted} ${look(asked.query, kinds, step, areFew)}`)
}

function look(query: Query, kinds: readonly HitType[], { where, rank, settles }: Step, areFew: boolean): Sql {
  if (areFew) return bestOfNewest(query, kinds)
  if (where === 'few' || where === 'first')
    return sql`${bestOfNewest(query, kinds)} union all ${amongAll(query, kinds, byName)}`
  if (where !== 'all') return backFromNewest(query, kinds, rank)
  if (rank < WORDS) return amongAll(query, kinds, byName)
  return rank === INSIDE && settles > rank
    ? amongAllSpellings(query, kinds, settles)
    : amongAll(query, kinds, byWords(rank, query))
}

const companyId: Given = asked => asked.companyId
const companyText: Given = asked => String(asked.companyId)
const types: Given = asked => [...asked.steps.keys()]
const limit: Given = asked => asked.limit
const counts: Given = ({ steps }) => TYPES.map(type => steps.get(type)?.count ?? 0)

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
  const count = sql`(${counts}::bigint[])${place(type)}`
  return sql`
    select ${named(type)} from ${raw(table)} n where n.company_id = ${companyId} ${alive} order by n.id desc limit ${count}`
}

/** The hits of the spelling that was asked for; and should they be too few, those of any spelling. */
function amongAllSpellings(query: Query, kinds: readonly HitType[], rank: number): Sql {
  const areTooFew = (type: HitType) => sql`and (select count(*) from written where type = ${literal(type)}) < ${limit}`
  return sql`,
    written as materialized (${amongAll(query, kinds, byWords(INSIDE, query))})
    select * from written union all ${amongAll(query, kinds, byWords(rank, query), areTooFew)}`
}

/** What the trigrams of words have. */
function byWords(rank: number, query: Query): () => Sql {
  return () => sql`n.company_id::text = ${companyText} and ${matches(rank, query)}`
}

/** What the order of names has: those that begin with the query, or are no longer than it. */
function byName(type: HitType): Sql {
  return sql`n.company_id = ${companyId} and n.search_name >= ${beginning} and n.search_name < (${ends}::text[])${place(type)}`
}

const beginning: Given = ({ query }) => ` ${query.name}`
const ends: Given = ({ steps, query }) => TYPES.map(type => endOf(steps.get(type), query))

/** Before which name to end: after the last that begins with the query, or after the query itself. Null finds none. */
function endOf(step: Step | undefined, { name }: Query): string | null {
  const rank = step?.where === 'few' ? undefined : step?.settles
  if (rank === BEGINNING) return ` ${name}\u{10ffff}`
  return rank === WHOLE ? ` ${name}\u0001` : null
}

/** The best hits among all records that an index finds. */
function amongAll(
  query: Query,
  kinds: readonly HitType[],
  isFound: (type: HitType) => Sql,
  isAsked: (type: HitType) => Sql = () => empty,
): Sql {
  return ofEach(kinds, type => {
    const { table, alive = empty } = SOURCES[type]
    return sql`
      ${ranked(type, query)}
      from (
        select ${named(type)} from ${raw(table)} n
        where ${isFound(type)} ${alive} and ${isWanted(type)} ${isAsked(type)}) n
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

/** Of what is given for each kind, what is given for this one. */
const place = (type: HitType) => raw(`[${TYPES.indexOf(type) + 1}]`)

const literal = (type: HitType) => raw(`'${type}'::text`)

function ofEach(kinds: readonly HitType[], select: (type: HitType) => Sql): Sql {
  return join(
    kinds.map(type => sql`(${select(type)})`),
    ' union all ',
  )
}
