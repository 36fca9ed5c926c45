import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { matches, rankOf } from './matches.ts'
import { NEWEST_PER_HIT, NEWEST_PER_HIT_WIDER, SAMPLE_SIZE, type Step, type Wanted } from './plan.ts'
import { INSIDE, WORDS, worst } from './ranks.ts'
import { type HitType, SOURCES } from './sources.ts'

// The statements of a search. Each gives one row: the hits, whether they are complete, and perhaps a sample.

/** What is looked for, and in which company. */
export interface WantedOf extends Wanted {
  companyId: number
}

/** More than there can be. A limit all the same: it keeps the records in the order of the primary key. */
const EVERYTHING = 1e15
/** Where there are fewer records than this, fetching all that match is no risk. */
const MANY = 5_000

export function firstStatement(type: HitType, wanted: WantedOf): Sql {
  return amongNewest(type, wanted, NEWEST_PER_HIT * wanted.limit, sample(type, wanted))
}

export function statementOf(type: HitType, wanted: WantedOf, { where, rank, settles }: Step): Sql {
  if (where === 'newest') return amongNewest(type, wanted, NEWEST_PER_HIT_WIDER * wanted.limit)
  if (where === 'back') return backFromNewest(type, wanted, rank)
  return rank === INSIDE && settles > rank ? amongAllSpellings(type, wanted, settles) : amongAll(type, wanted, rank)
}

/** The newest records of a kind, as `n`. */
function newest(type: HitType, { companyId }: WantedOf, count: number): Sql {
  const { table, alive = empty } = SOURCES[type]
  return sql`(
    select n.* from ${raw(table)} n where n.company_id = ${companyId} ${alive} order by n.id desc limit ${count}) n`
}

/** The hits among a number of the newest records; and when there are older ones, a sample of all. */
function amongNewest(type: HitType, wanted: WantedOf, count: number, sample = sql`null::json`): Sql {
  return sql`
    select seen.count < ${count} as complete, case when seen.count = ${count} then ${sample} end as sample,
      ${hits(type, wanted, newest(type, wanted, count), matches(worst(wanted.query), wanted.query))} as hits
    from (select count(*) from ${newest(type, wanted, count)}) seen`
}

function sample(type: HitType, wanted: WantedOf): Sql {
  const all = sql`${raw(SOURCES[type].table)} n where n.company_id = ${wanted.companyId}`
  return sql`(
    select case when last - first >= ${raw(String(MANY))} then (
      select coalesce(json_agg(json_build_object('step', step, 'rank', ${rankOf(wanted.query)})), '[]')
      from generate_series(1, ${raw(String(SAMPLE_SIZE))}) step cross join lateral (
        select n.search_name from ${all} and n.id >= first + (last - first) * step / ${raw(String(SAMPLE_SIZE + 1))} order by n.id limit 1) n
      where ${matches(worst(wanted.query), wanted.query)}) end
    from (select min(id) as first, max(id) as last from ${all}) ends)`
}

/** The newest hits of a rank or a better one: as many as are wanted, however far back that is. */
function backFromNewest(type: HitType, wanted: WantedOf, rank: number): Sql {
  const back = sql`(
    select n.* from ${newest(type, wanted, EVERYTHING)}
    where ${matches(rank, wanted.query)} and ${isListed(type, wanted)}
    order by n.id desc limit ${wanted.limit}) n`
  return sql`
    select json_array_length(hits) < ${wanted.limit} as complete, null::json as sample, hits
    from (select ${hits(type, wanted, back, sql`true`)} as hits offset 0) found`
}

/** The hits of a rank or a better one among all records. */
function amongAll(type: HitType, wanted: WantedOf, rank: number): Sql {
  return sql`select true as complete, null::json as sample, ${hitsByIndex(type, wanted, rank)} as hits`
}

/** The hits of the spelling that was asked for; and should they be too few, those of any spelling. */
function amongAllSpellings(type: HitType, wanted: WantedOf, rank: number): Sql {
  return sql`
    select true as complete, null::json as sample,
      case when json_array_length(hits) = ${wanted.limit} then hits else ${hitsByIndex(type, wanted, rank)} end as hits
    from (select ${hitsByIndex(type, wanted, INSIDE)} as hits offset 0) found`
}

/** By the order of names, or by the trigrams of words. */
function hitsByIndex(type: HitType, wanted: WantedOf, rank: number): Sql {
  const { table, alive = empty } = SOURCES[type]
  const ofCompany =
    rank >= WORDS ? sql`n.company_id::text = ${String(wanted.companyId)}` : sql`n.company_id = ${wanted.companyId}`
  const condition = sql`${ofCompany} ${alive} and ${matches(rank, wanted.query)}`
  return hits(type, wanted, sql`${raw(table)} n`, condition)
}

/** The best of the records `n` that fulfil a condition, as JSON. What they show is read for those alone. */
function hits(type: HitType, wanted: WantedOf, from: Sql, condition: Sql): Sql {
  const { table, project = 'project_id', shows, joins = empty } = SOURCES[type]
  return sql`(
    select coalesce(json_agg(json_build_object('id', h.id, 'rank', h.rank, 'shown', json_build_object('type', ${type}::text, ${shows}))), '[]')
    from (
      select n.id, ${rankOf(wanted.query)} as rank
      from ${from}
      where ${condition} and ${isListed(type, wanted)}
      order by rank, n.id desc limit ${wanted.limit}) h
    join ${raw(table)} n on n.company_id = ${wanted.companyId} and n.id = h.id
    join projects p on p.company_id = n.company_id and p.id = n.${raw(project)}
    ${joins})`
}

function isListed(type: HitType, { companyId }: WantedOf): Sql {
  const { project = 'project_id', inDeletedLists } = SOURCES[type]
  const living = sql`n.${raw(project)} not in (select id from projects where company_id = ${companyId} and deleted_at is not null)`
  if (!inDeletedLists) return living
  return sql`${living} and n.task_list_id not in (select id from task_lists where company_id = ${companyId} and deleted_at is not null)`
}
