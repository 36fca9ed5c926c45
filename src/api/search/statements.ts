import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { matches, rankOf, shapeOf } from './matches.ts'
import { NEWEST_PER_HIT, NEWEST_PER_HIT_WIDER, SAMPLE_SIZE, type Step } from './plan.ts'
import { INSIDE, type Query, WORDS, worst } from './ranks.ts'
import { type HitType, SOURCES, TYPES } from './sources.ts'
import { type Asked, type Given, writtenOnce } from './written.ts'

// The statements of a search. Each takes one step, for one kind or for any of the six, and gives a row with the hits of
// each kind that has some. The first look has a row for each kind that has records.

export function firstStatement(asked: Asked): Sql {
  return write(asked, 'first', amongFirst)
}

export function statementOf(asked: Asked, step: Step): Sql {
  return write(asked, Object.values(step).join(' '), (query, kinds) => {
    const { where, rank, settles } = step
    if (where === 'newest') return backFromNewest(query, kinds, rank, widerCount)
    if (where === 'back') return backFromNewest(query, kinds, rank, everything)
    return rank === INSIDE && settles > rank ? amongAllSpellings(query, kinds, settles) : amongAll(query, kinds, rank)
  })
}

/** One text for each kind alone, and one for several: which of the six they are is told when it is sent. */
function write(asked: Asked, step: string, write: (query: Query, kinds: readonly HitType[]) => Sql): Sql {
  const kinds = asked.types.length === 1 ? asked.types : TYPES
  const shape = [step, shapeOf(asked.query), kinds].join('; ')
  return writtenOnce(shape, asked, () => write(asked.query, kinds))
}

const companyId: Given = asked => asked.companyId
const companyText: Given = asked => String(asked.companyId)
const types: Given = asked => asked.types
const limit: Given = asked => asked.limit
const firstCount: Given = asked => NEWEST_PER_HIT * asked.limit
const widerCount: Given = asked => NEWEST_PER_HIT_WIDER * asked.limit
/** More than there can be. A limit all the same: it keeps the records in the order of the primary key. */
const everything: Given = () => 1e15
/** Where there are fewer records than this, fetching all that match is no risk. */
const MANY = 5_000
/** So many numbers on, the next record of a sample is looked for first. */
const NEARBY = 16

/** The hits among a few of the newest records; and when there are older ones, a sample of all. */
function amongFirst(query: Query, kinds: readonly HitType[]): Sql {
  return sql`
    with ${deleted},
    newest as materialized (${ofEach(kinds, type => newest(type, firstCount))}),
    best as materialized (
      select type, id, rank from (
        select type, id, rank, row_number() over (partition by type order by rank, id desc) as place
        from (
          select n.type, n.id, ${rankOf(query)} as rank from newest n
          where ${matches(worst(query), query)} and ${isListed}) n) n
      where place <= ${limit})
    select type, seen < ${firstCount} as complete, case when seen = ${firstCount} then ${sample(query, kinds)} end as sample,
      (select ${hits(kinds)} from best h where h.type = seen.type) as hits
    from (select type, count(*) as seen, max(id) as last from newest group by type) seen`
}

/** Records of one kind, from the newest on. */
function newest(type: HitType, count: Given): Sql {
  const { table, alive = empty } = SOURCES[type]
  return sql`
    select ${named(type)} from ${raw(table)} n where n.company_id = ${companyId} ${alive} and ${isWanted(type)}
    order by n.id desc limit ${count}`
}

/** Records from the oldest to the newest. Without an end to look up to, PostgreSQL reads a page of the index for each. */
function sample(query: Query, kinds: readonly HitType[]): Sql {
  const at = sql`first + (seen.last - first) * step / ${raw(String(SAMPLE_SIZE + 1))}`
  return byType(raw('seen.type'), kinds, type => {
    const all = sql`${raw(SOURCES[type].table)} n where n.company_id = ${companyId}`
    return sql`
      select case when seen.last - first >= ${raw(String(MANY))} then (
        select coalesce(json_agg(json_build_object('step', step, 'rank', ${rankOf(query)})), '[]')
        from (
          select step, coalesce(
            (select n.search_name from ${all} and n.id >= ${at} and n.id < ${at} + ${raw(String(NEARBY))} order by n.id limit 1),
            (select n.search_name from ${all} and n.id >= ${at} order by n.id limit 1)) as search_name
          from generate_series(1, ${raw(String(SAMPLE_SIZE))}) step offset 0) n
        where ${matches(worst(query), query)}) end
      from (select min(n.id) as first from ${all}) ends`
  })
}

/** The newest hits of a rank or a better one: as many as are wanted, among so many of the newest records. */
function backFromNewest(query: Query, kinds: readonly HitType[], rank: number, count: Given): Sql {
  const back = ofEach(
    kinds,
    type => sql`
      select type, id, ${rankOf(query)} as rank from (${newest(type, count)}) n
      where ${matches(rank, query)} and ${isListed}
      order by id desc limit ${limit}`,
  )
  return sql`with ${deleted} select type, ${hits(kinds)} as hits from (${back}) h group by type`
}

/** The hits of a rank or a better one among all records. */
function amongAll(query: Query, kinds: readonly HitType[], rank: number): Sql {
  const best = bestByIndex(query, kinds, rank)
  return sql`with ${deleted} select type, ${hits(kinds)} as hits from (${best}) h group by type`
}

/** The hits of the spelling that was asked for; and should they be too few, those of any spelling. */
function amongAllSpellings(query: Query, kinds: readonly HitType[], rank: number): Sql {
  const areTooFew = (type: HitType) => sql`and (select count(*) from written where type = ${literal(type)}) < ${limit}`
  return sql`
    with ${deleted},
    written as materialized (${bestByIndex(query, kinds, INSIDE)})
    select type, ${hits(kinds)} as hits
    from (select * from written union all ${bestByIndex(query, kinds, rank, areTooFew)}) h group by type`
}

/** The best of each kind: by the order of names, or by the trigrams of words. */
function bestByIndex(
  query: Query,
  kinds: readonly HitType[],
  rank: number,
  isAsked: (type: HitType) => Sql = () => empty,
): Sql {
  const ofCompany = rank >= WORDS ? sql`n.company_id::text = ${companyText}` : sql`n.company_id = ${companyId}`
  return ofEach(kinds, type => {
    const { table, alive = empty } = SOURCES[type]
    return sql`
      select type, id, ${rankOf(query)} as rank
      from (
        select ${named(type)} from ${raw(table)} n
        where ${ofCompany} ${alive} and ${matches(rank, query)} and ${isWanted(type)} ${isAsked(type)}) n
      where ${isListed}
      order by rank, id desc limit ${limit}`
  })
}

/** What has to be known of a record of any kind, to tell whether it is a hit. */
function named(type: HitType): Sql {
  const { project = 'project_id', inDeletedLists } = SOURCES[type]
  const list = inDeletedLists ? sql`n.task_list_id` : sql`0::bigint`
  return sql`${literal(type)} as type, n.id, n.${raw(project)} as project_id, ${list} as task_list_id, n.search_name`
}

/** What these contain is there until it is removed, and is not found. */
const deleted = sql`
    deleted_projects as materialized (
      select id from projects where company_id = ${companyId} and deleted_at is not null),
    deleted_lists as materialized (
      select id from task_lists where company_id = ${companyId} and deleted_at is not null)`

const isListed = sql`n.project_id not in (select id from deleted_projects) and n.task_list_id not in (select id from deleted_lists)`

/** The records `h` as JSON, with what a hit of their kind shows. */
function hits(kinds: readonly HitType[]): Sql {
  const shown = byType(raw('h.type'), kinds, type => {
    const { table, project = 'project_id', shows, joins = empty } = SOURCES[type]
    return sql`
      select json_build_object('type', ${literal(type)}, ${shows})
      from ${raw(table)} n join projects p on p.company_id = n.company_id and p.id = n.${raw(project)} ${joins}
      where n.company_id = ${companyId} and n.id = h.id`
  })
  return sql`coalesce(json_agg(json_build_object('id', h.id, 'rank', h.rank, 'shown', ${shown})), '[]')`
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

function byType(type: Sql, kinds: readonly HitType[], select: (type: HitType) => Sql): Sql {
  const cases = kinds.map(each => sql`when ${literal(each)} then (${select(each)})`)
  return sql`case ${type} ${join(cases, ' ')} end`
}
