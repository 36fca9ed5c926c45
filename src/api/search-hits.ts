import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { BEGINNING, INSIDE, isIndexed, matches, type Query, rankOf, readQuery, WORDS, worst } from './search-ranks.ts'

export const TYPES = ['project', 'task_list', 'task', 'folder', 'file', 'discussion'] as const
export type HitType = (typeof TYPES)[number]

interface Source {
  table: string
  /** The project that a record belongs to. */
  project?: string
  /** Deleted records that a kind keeps are not found. */
  alive?: Sql
  /** Records that are still there while their list, which was deleted, is being removed. */
  inDeletedLists?: true
  /** What a hit shows of the record `n` in the project `p`, and what else has to be joined for that. */
  shows: Sql
  joins?: Sql
}

const SOURCES: Record<HitType, Source> = {
  project: {
    table: 'projects',
    project: 'id',
    shows: sql`'id', n.ref, 'title', n.name, 'project_slug', n.slug, 'archived', n.archived`,
  },
  task_list: {
    table: 'task_lists',
    alive: sql`and n.deleted_at is null`,
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'task_list_slug', n.slug,
      'completed', n.tasks_count > 0 and n.tasks_count = n.completed_tasks_count`,
  },
  task: {
    table: 'tasks',
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'task_list_slug', l.slug, 'task_slug', n.slug,
      'completed', n.completed_at is not null`,
    joins: sql`join task_lists l on l.company_id = n.company_id and l.id = n.task_list_id`,
    inDeletedLists: true,
  },
  folder: { table: 'folders', shows: sql`'name', n.name, 'project_slug', p.slug, 'folder_id', n.id` },
  file: {
    table: 'files',
    shows: sql`'id', n.ref, 'name', n.name, 'project_slug', p.slug, 'folder_id', n.folder_id`,
  },
  discussion: {
    table: 'discussions',
    alive: sql`and n.deleted_at is null`,
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'discussion_slug', n.slug`,
  },
}

/** What is looked for, and how many hits of each kind are wanted. */
interface Wanted {
  companyId: number
  query: Query
  limit: number
}

interface Hit {
  id: number
  rank: number
  shown: object
}

interface Found {
  /** The best so far. */
  hits: Hit[]
  /** True when there are no others of the rank that was asked for, or a better one. */
  complete: boolean
  /** Which of some records, taken from the oldest to the newest at even distances, match, and how well; null of a few. */
  sample: { step: number; rank: number }[] | null
}

/** How many of the newest records are looked through for each hit that is wanted; and how many, when they had some. */
const NEWEST_PER_HIT = 20
const NEWEST_PER_HIT_WIDER = 200
/** More than there can be. A limit all the same: it keeps the records in the order of the primary key. */
const EVERYTHING = 1e15
/** Where there are fewer records than this, fetching all that match is no risk. */
const MANY = 5_000
const SAMPLE = 32
/** Fetching a record that an index names, against reading one in passing. */
const FETCHING_COSTS = 7

/**
 * Where to look next: through more of the newest, back from the newest without end, or by the indexes; for which rank, and
 * which is settled then. By the indexes a worse one is looked for at once, should there be too few.
 */
interface Step {
  where: 'newest' | 'back' | 'all'
  rank: number
  settles: number
}

/**
 * The best hits of each kind. A word that is common has its newest hits among the newest records, and one that is rare has
 * few. So the newest are looked through first, and then only what can be better than what they had is looked for: back
 * from the newest when a sample says that there is much of it, and else by the indexes. Either way the cost hardly follows
 * the number of records. Each kind has its own statements, so that there are few texts, whatever is asked for.
 */
export async function findHits(
  db: Db,
  types: readonly HitType[],
  { name, ...rest }: { companyId: number; name: string; limit: number },
): Promise<Map<HitType, object[]>> {
  const wanted = { ...rest, query: readQuery(name) }
  return new Map(await Promise.all(types.map(async type => [type, await findOfType(db, type, wanted)] as const)))
}

async function findOfType(db: Db, type: HitType, wanted: Wanted): Promise<object[]> {
  const count = NEWEST_PER_HIT * wanted.limit
  const newest = await db.one<Found>(amongNewest(type, wanted, count, sample(type, wanted)))
  const settled = newest.complete ? worst(wanted.query) : 0
  const search: Search = { hits: best(newest.hits, wanted), sample: newest.sample, settled, isWider: false }
  for (let step = nextStep(search, wanted); step; step = nextStep(search, wanted)) {
    const more = await db.one<Found>(statement(type, wanted, step))
    search.hits = best([...search.hits, ...more.hits], wanted)
    if (more.complete) search.settled = step.settles
    search.isWider ||= step.where === 'newest'
  }
  return search.hits.map(hit => hit.shown)
}

interface Search extends Pick<Found, 'hits' | 'sample'> {
  /** Of this rank and better ones there are no others. */
  settled: number
  isWider: boolean
}

/**
 * What could still come before the last of the hits: better ones, or while there are too few, any. Other spellings are
 * looked for when the spelling that was asked for has not filled the hits.
 */
function nextStep({ hits, settled, sample, isWider }: Search, { query, limit }: Wanted): Step | undefined {
  const last = hits[limit - 1]
  const rank = last ? last.rank - 1 : settled < INSIDE ? INSIDE : worst(query)
  if (rank <= settled) return undefined
  if (sample && isCommon(sample, rank)) return { where: 'back', rank, settles: rank }
  const settles = last ? rank : worst(query)
  const isSeen = [...hits, ...(sample ?? [])].some(record => record.rank <= settles)
  if (!isWider && rank >= WORDS && (!isIndexed(rank, query) || (sample && isSeen)))
    return { where: 'newest', rank: worst(query), settles: worst(query) }
  const indexed = [rank, WORDS, BEGINNING].find(each => isIndexed(each, query)) as number
  return { where: 'all', rank: indexed, settles: sample && isCommon(sample, settles) ? rank : settles }
}

function statement(type: HitType, wanted: Wanted, { where, rank, settles }: Step): Sql {
  if (where === 'newest') return amongNewest(type, wanted, NEWEST_PER_HIT_WIDER * wanted.limit)
  if (where === 'back') return backFromNewest(type, wanted, rank)
  return rank === INSIDE && settles > rank ? amongAllSpellings(type, wanted, settles) : amongAll(type, wanted, rank)
}

function best(hits: Hit[], { limit }: Wanted): Hit[] {
  const distinct = [...new Map(hits.map(hit => [hit.id, hit])).values()]
  return distinct.sort((a, b) => a.rank - b.rank || b.id - a.id).slice(0, limit)
}

/** True when it is less work to go back from the newest until there are enough, than to fetch all that match. */
function isCommon(sample: NonNullable<Found['sample']>, rank: number): boolean {
  const matching = sample.filter(record => record.rank <= rank)
  const before = SAMPLE - Math.max(...matching.map(record => record.step))
  return matching.length > 1 && before < FETCHING_COSTS * matching.length
}

/** The newest records of a kind, as `n`. */
function newest(type: HitType, { companyId }: Wanted, count: number): Sql {
  const { table, alive = empty } = SOURCES[type]
  return sql`(
    select n.* from ${raw(table)} n where n.company_id = ${companyId} ${alive} order by n.id desc limit ${count}) n`
}

/** The hits among a number of the newest records; and when there are older ones, a sample of all. */
function amongNewest(type: HitType, wanted: Wanted, count: number, sample = sql`null::json`): Sql {
  return sql`
    select seen.count < ${count} as complete, case when seen.count = ${count} then ${sample} end as sample,
      ${hits(type, wanted, newest(type, wanted, count), matches(worst(wanted.query), wanted.query))} as hits
    from (select count(*) from ${newest(type, wanted, count)}) seen`
}

function sample(type: HitType, wanted: Wanted): Sql {
  const all = sql`${raw(SOURCES[type].table)} n where n.company_id = ${wanted.companyId}`
  return sql`(
    select case when last - first >= ${raw(String(MANY))} then (
      select coalesce(json_agg(json_build_object('step', step, 'rank', ${rankOf(wanted.query)})), '[]')
      from generate_series(1, ${raw(String(SAMPLE))}) step cross join lateral (
        select n.search_name from ${all} and n.id >= first + (last - first) * step / ${raw(String(SAMPLE + 1))} order by n.id limit 1) n
      where ${matches(worst(wanted.query), wanted.query)}) end
    from (select min(id) as first, max(id) as last from ${all}) ends)`
}

/** The newest hits of a rank or a better one: as many as are wanted, however far back that is. */
function backFromNewest(type: HitType, wanted: Wanted, rank: number): Sql {
  const back = sql`(
    select n.* from ${newest(type, wanted, EVERYTHING)}
    where ${matches(rank, wanted.query)} and ${isListed(type, wanted)}
    order by n.id desc limit ${wanted.limit}) n`
  return sql`
    select json_array_length(hits) < ${wanted.limit} as complete, null::json as sample, hits
    from (select ${hits(type, wanted, back, sql`true`)} as hits offset 0) found`
}

/** The hits of a rank or a better one among all records. */
function amongAll(type: HitType, wanted: Wanted, rank: number): Sql {
  return sql`select true as complete, null::json as sample, ${hitsByIndex(type, wanted, rank)} as hits`
}

/** The hits of the spelling that was asked for; and should they be too few, those of any spelling. */
function amongAllSpellings(type: HitType, wanted: Wanted, rank: number): Sql {
  return sql`
    select true as complete, null::json as sample,
      case when json_array_length(hits) = ${wanted.limit} then hits else ${hitsByIndex(type, wanted, rank)} end as hits
    from (select ${hitsByIndex(type, wanted, INSIDE)} as hits offset 0) found`
}

/** By the order of names, or by the trigrams of words. */
function hitsByIndex(type: HitType, wanted: Wanted, rank: number): Sql {
  const { table, alive = empty } = SOURCES[type]
  const ofCompany =
    rank >= WORDS ? sql`n.company_id::text = ${String(wanted.companyId)}` : sql`n.company_id = ${wanted.companyId}`
  const condition = sql`${ofCompany} ${alive} and ${matches(rank, wanted.query)}`
  return hits(type, wanted, sql`${raw(table)} n`, condition)
}

/** The best of the records `n` that fulfil a condition, as JSON. What they show is read for those alone. */
function hits(type: HitType, wanted: Wanted, from: Sql, condition: Sql): Sql {
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

function isListed(type: HitType, { companyId }: Wanted): Sql {
  const { project = 'project_id', inDeletedLists } = SOURCES[type]
  const living = sql`n.${raw(project)} not in (select id from projects where company_id = ${companyId} and deleted_at is not null)`
  if (!inDeletedLists) return living
  return sql`${living} and n.task_list_id not in (select id from task_lists where company_id = ${companyId} and deleted_at is not null)`
}
