import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { RECORDS } from '../../domain/records/records.ts'
import { matches, rankOf, shapeOf } from './matches.ts'
import { askedOfIndexes, NOTHING, type Step } from './plan.ts'
import { BEGINNING, INSIDE, type Query, WHOLE, WORDS, worst } from './ranks.ts'
import { type HitType, SOURCES, TYPES } from './sources.ts'
import { type Asked, type Given, writtenOnce } from './written.ts'

// The statements of a search. Each returns the hits of a step, for one kind or for any of the six. It has a part for each way
// of looking that the step needs; its parameters say which kinds look that way, and how far.

const WAYS = {
  best: bestOfNewest,
  back: backFromNewest,
  names: amongNames,
  words: amongWords,
  spellings: amongSpellings,
}

interface Part {
  way: keyof typeof WAYS
  rank: number
}

function partsOf(step: Step): [Part, ...Part[]] {
  const { where, rank, settles } = step
  if (where === 'newest' || where === 'back') return [{ way: 'back', rank }]
  if (where === 'all' && rank === INSIDE && settles > rank) return [{ way: 'spellings', rank: settles }]
  const asked = askedOfIndexes(step)
  // The order of names does not depend on the rank, and each kind says how far it looks.
  const index: Part = asked < WORDS ? { way: 'names', rank: BEGINNING } : { way: 'words', rank: asked }
  if (where === 'all') return [index]
  return asked === NOTHING ? [{ way: 'best', rank }] : [{ way: 'best', rank }, index]
}

const keyOf = ({ way, rank }: Part) => `${way} ${rank}`

/** Steps that begin alike share a statement. The trigrams can be asked for one rank only. */
export function lookOf(step: Step): string {
  const [first, ...others] = partsOf(step)
  return [first, ...others.filter(({ rank }) => rank > WORDS)].map(keyOf).join()
}

/** One statement text for each single kind, and one for several kinds. */
export function statementOf(asked: Asked): Sql {
  const kinds = asked.steps.size === 1 ? [...asked.steps.keys()] : TYPES
  const parts = new Map([...asked.steps.values()].flatMap(partsOf).map(part => [keyOf(part), part]))
  const shape = [...[...parts.keys()].sort(), shapeOf(asked.query), kinds].join('; ')
  return writtenOnce(shape, asked, () => {
    const looks = [...parts.values()].map(({ way, rank }) => WAYS[way](asked.query, kinds, rank))
    return sql`with ${deleted} ${join(looks, ' union all ')}`
  })
}

const companyId: Given = asked => asked.companyId
const companyText: Given = asked => String(asked.companyId)
const limit: Given = asked => asked.limit

/** The best hits among the newest records, up to the step's count. */
function bestOfNewest(query: Query, kinds: readonly HitType[]): Sql {
  return ofEach(
    kinds,
    type => sql`
      ${ranked(type, query)} from (${newest(type)}) n
      where ${matches(worst(query), query)} and ${isListed(type)}
      order by rank, id desc limit ${limit}`,
  )
}

/** The newest hits of a rank or a better one: as many as are wanted, among the newest records up to the step's count. */
function backFromNewest(query: Query, kinds: readonly HitType[], rank: number): Sql {
  return ofEach(
    kinds,
    type => sql`
      ${ranked(type, query)} from (${newest(type)}) n
      where ${matches(rank, query)} and ${isListed(type)}
      order by id desc limit ${limit}`,
  )
}

/** Records of one kind, newest first. PostgreSQL does not touch a table from which none are wanted. */
function newest(type: HitType): Sql {
  const { alive = empty } = SOURCES[type]
  return sql`
    select ${named(type)} from ${raw(RECORDS[type].table)} n where n.company_id = ${companyId} ${alive}
    order by n.id desc limit (${counts}::bigint[])${place(type)}`
}

const counts: Given = ({ steps }) => TYPES.map(type => steps.get(type)?.count ?? 0)

/** The best hits that the order of names yields. */
function amongNames(query: Query, kinds: readonly HitType[]): Sql {
  return amongAll(
    query,
    kinds,
    type => sql`
      n.company_id = ${companyId} and n.search_name >= ${beginning} and n.search_name < (${ends}::text[])${place(type)}`,
  )
}

const beginning: Given = ({ query }) => ` ${query.name}`
const ends: Given = ({ steps, query }) => TYPES.map(type => endOf(steps.get(type), query))

/** The end of the range of names that a kind looks for: all that begin with the query, or the whole name only. Null: no names. */
function endOf(step: Step | undefined, { name }: Query): string | null {
  const rank = step && askedOfIndexes(step)
  if (rank === BEGINNING) return ` ${name}\u{10ffff}`
  return rank === WHOLE ? ` ${name}\u0001` : null
}

/** The best hits that the trigrams of words yield. */
function amongWords(query: Query, kinds: readonly HitType[], rank: number): Sql {
  return amongAll(
    query,
    kinds,
    type => sql`n.company_id::text = ${companyText} and ${matches(rank, query)} and ${asksForWords(type)}`,
  )
}

/** The hits of the requested spelling and, if they are too few, those of any spelling. */
function amongSpellings(query: Query, kinds: readonly HitType[], rank: number): Sql {
  const any = amongAll(
    query,
    kinds,
    type => sql`
      n.company_id::text = ${companyText} and ${matches(rank, query)} and ${asksForWords(type)}
      and (select count(*) from written where type = ${literal(type)}) < ${limit}`,
  )
  return sql`select * from (
    with written as materialized (${amongWords(query, kinds, INSIDE)}) select * from written union all ${any}) spelled`
}

/** It compares no column, so PostgreSQL evaluates it once and does not touch the table of a kind that does not ask. */
const asksForWords = (type: HitType) => sql`${literal(type)} = any(${types}::text[])`
const types: Given = ({ steps }) => [...steps].filter(([, step]) => askedOfIndexes(step) >= WORDS).map(([type]) => type)

function amongAll(query: Query, kinds: readonly HitType[], isFound: (type: HitType) => Sql): Sql {
  return ofEach(kinds, type => {
    const { alive = empty } = SOURCES[type]
    return sql`
      ${ranked(type, query)}
      from (select ${named(type)} from ${raw(RECORDS[type].table)} n where ${isFound(type)} ${alive}) n
      where ${isListed(type)}
      order by rank, id desc limit ${limit}`
  })
}

const ranked = (type: HitType, query: Query) => sql`select ${literal(type)} as type, id, ${rankOf(query)} as rank`

/** The columns needed to tell whether a record is a hit. */
function named(type: HitType): Sql {
  const { project = 'project_id', within } = SOURCES[type]
  return sql`n.id, n.${raw(project)} as project_id, n.search_name ${within ? sql`, n.${raw(within.column)}` : empty}`
}

/** Their contents exist until they are removed, but are not found. */
const deleted = sql`
    deleted_projects as materialized (
      select id from projects where company_id = ${companyId} and deleted_at is not null),
    deleted_lists as materialized (
      select id from task_lists where company_id = ${companyId} and deleted_at is not null),
    deleted_folders as materialized (
      select id from folders where company_id = ${companyId} and deleted_at is not null)`

function isListed(type: HitType): Sql {
  const { within } = SOURCES[type]
  const isInPlace = ({ column, deleted }: NonNullable<typeof within>) =>
    sql`and (n.${raw(column)} is null or n.${raw(column)} not in (select id from ${raw(deleted)}))`
  return sql`n.project_id not in (select id from deleted_projects)
    ${within ? isInPlace(within) : empty}`
}

/** Picks this kind's element from an array that has one for each kind. */
const place = (type: HitType) => raw(`[${TYPES.indexOf(type) + 1}]`)

const literal = (type: HitType) => raw(`'${type}'::text`)

function ofEach(kinds: readonly HitType[], select: (type: HitType) => Sql): Sql {
  return join(
    kinds.map(type => sql`(${select(type)})`),
    ' union all ',
  )
}
