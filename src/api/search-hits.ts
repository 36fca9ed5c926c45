import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.ts'

export const TYPES = ['project', 'task_list', 'task', 'folder', 'file', 'discussion'] as const
export type HitType = (typeof TYPES)[number]

interface Source {
  table: string
  /** The project that a record belongs to. */
  project?: string
  /** Deleted records that a kind keeps are not found. */
  alive?: Sql
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
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'task_list_slug', n.slug,
      'completed', n.tasks_count > 0 and n.tasks_count = n.completed_tasks_count`,
  },
  task: {
    table: 'tasks',
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'task_list_slug', l.slug, 'task_slug', n.slug,
      'completed', n.completed_at is not null`,
    joins: sql`join task_lists l on l.company_id = n.company_id and l.id = n.task_list_id`,
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

/** How well a name matches, best first; of equals the newest comes first. */
const WHOLE = 1
const BEGINNING = 2
const WORDS = 3
const INSIDE = 4

/** A normalised query, and how many hits of each kind are wanted. */
export interface Wanted {
  companyId: number
  name: string
  limit: number
}

interface Hit {
  id: number
  rank: number
  shown: object
}

interface Found {
  type: HitType
  hits: Hit[]
  /** True when there is nothing more to look for. */
  complete: boolean
  /** How many match, of a few records taken from everywhere; null when it was not asked. */
  sampled: number | null
}

/** How many of the newest records are looked at for each hit that is wanted. */
const NEWEST_PER_HIT = 200
/** How many, when that is not enough for a word that is common, or for what the index does not know. */
const NEWEST_AT_MOST = 20_000
const SAMPLE = 64
const COMMON_IN_SAMPLE = 2

/**
 * The best hits of each kind. A word that is common has its newest hits among the newest records, and one that is rare
 * has few: so the newest are looked through first, and the indexes are asked only for what can still be better than what
 * was found there. Either way the cost does not follow the number of records.
 */
export async function findHits(db: Db, types: readonly HitType[], wanted: Wanted): Promise<Map<HitType, object[]>> {
  const newest = await look(db, types, type => [
    amongNewest(type, wanted, NEWEST_PER_HIT * wanted.limit, matchingOfSample(type, wanted)),
  ])
  const unfilled = newest.filter(found => isWorthAWiderLook(found, wanted)).map(({ type }) => type)
  const wider = await look(db, unfilled, type => [amongNewest(type, wanted, NEWEST_AT_MOST)])
  const widest = new Map([...newest, ...wider].map(found => [found.type, found]))
  const overall = await look(db, types, type => betterThan(widest.get(type) as Found, wanted))
  return new Map(types.map(type => [type, best([widest.get(type) as Found, ...overall], type, wanted)]))
}

async function look(db: Db, types: readonly HitType[], places: (type: HitType) => Sql[]): Promise<Found[]> {
  const statements = types.flatMap(places)
  return statements.length === 0 ? [] : db.many<Found>(join(statements, ' union all '))
}

function best(places: Found[], type: HitType, { limit }: Wanted): object[] {
  const hits = places.filter(found => found.type === type).flatMap(found => found.hits)
  return [...new Map(hits.map(hit => [hit.id, hit])).values()]
    .sort((a, b) => a.rank - b.rank || b.id - a.id)
    .slice(0, limit)
    .map(hit => hit.shown)
}

/** The newest had few, but others have many; or it is nothing that the index could find. */
function isWorthAWiderLook({ hits, complete, sampled }: Found, wanted: Wanted): boolean {
  if (complete || hits.length >= wanted.limit) return false
  return (sampled ?? 0) >= COMMON_IN_SAMPLE || !hasTrigram(wanted)
}

/** Where better hits than those of the newest records may still be. */
function betterThan({ type, hits, complete }: Found, wanted: Wanted): Sql[] {
  if (complete) return []
  const last = hits[wanted.limit - 1]
  const rank = last ? last.rank - 1 : hasTrigram(wanted) ? INSIDE : WORDS
  if (rank < WHOLE || (rank >= WORDS && !hasBeginning(wanted))) return []
  return [amongAll(type, wanted, rank)]
}

/** The hits among a number of the newest records; with a look at others, when there are more. */
function amongNewest(type: HitType, wanted: Wanted, count: number, sampled = sql`null::bigint`): Sql {
  const { table, alive = empty } = SOURCES[type]
  const newest = sql`(
    select n.* from ${raw(table)} n where n.company_id = ${wanted.companyId} ${alive} order by n.id desc limit ${count}) n`
  return sql`(
    select ${type} as type, seen.count < ${count} as complete, case when seen.count = ${count} then ${sampled} end as sampled,
      ${hits(type, wanted, newest, matches(INSIDE, wanted))} as hits
    from (select count(*) from ${newest}) seen)`
}

/** Taken at even distances, from the oldest to the newest. */
function matchingOfSample(type: HitType, wanted: Wanted): Sql {
  const all = sql`${raw(SOURCES[type].table)} n where n.company_id = ${wanted.companyId}`
  return sql`(
    select count(*) from (select min(id) as first, max(id) as last from ${all}) ends
    cross join generate_series(1, ${raw(String(SAMPLE))}) step
    cross join lateral (
      select n.search_name from ${all} and n.id >= first + (last - first) * step / ${raw(String(SAMPLE + 1))} order by n.id limit 1) n
    where ${matches(INSIDE, wanted)})`
}

/** The hits of a rank or a better one among all records: found by the order of names, or by the trigrams of words. */
function amongAll(type: HitType, wanted: Wanted, rank: number): Sql {
  const { table, alive = empty } = SOURCES[type]
  const ofCompany =
    rank >= WORDS ? sql`n.company_id::text = ${String(wanted.companyId)}` : sql`n.company_id = ${wanted.companyId}`
  const condition = sql`${ofCompany} ${alive} and ${matches(rank, wanted)}`
  return sql`(
    select ${type} as type, true as complete, null::bigint as sampled,
      ${hits(type, wanted, sql`${raw(table)} n`, condition)} as hits)`
}

/** The best of the records `n` that fulfil a condition, as JSON. What they show is read for those alone. */
function hits(type: HitType, wanted: Wanted, from: Sql, condition: Sql): Sql {
  const { table, project = 'project_id', shows, joins = empty } = SOURCES[type]
  return sql`(
    select coalesce(json_agg(json_build_object('id', h.id, 'rank', h.rank, 'shown', json_build_object('type', ${type}::text, ${shows}))), '[]')
    from (
      select n.id, ${rankOf(wanted)} as rank
      from ${from}
      where ${condition} and n.${raw(project)} not in (
        select id from projects where company_id = ${wanted.companyId} and deleted_at is not null)
      order by rank, n.id desc limit ${wanted.limit}) h
    join ${raw(table)} n on n.company_id = ${wanted.companyId} and n.id = h.id
    join projects p on p.company_id = n.company_id and p.id = n.${raw(project)}
    ${joins})`
}

function rankOf(wanted: Wanted): Sql {
  const cases = [WHOLE, BEGINNING, WORDS].map(rank => sql`when ${matches(rank, wanted)} then ${raw(String(rank))}`)
  return sql`case ${join(cases, ' ')} else ${raw(String(INSIDE))} end`
}

/** The condition that a name, kept with a space before it, matches as well as a rank says, or better. */
function matches(rank: number, { name }: Wanted): Sql {
  if (rank === WHOLE) return sql`n.search_name = ${` ${name}`}`
  if (rank === BEGINNING) return sql`n.search_name >= ${` ${name}`} and n.search_name < ${` ${name}\u{10ffff}`}`
  return everyWord(name, word => (rank === WORDS ? `% ${word}%` : `%${word}%`))
}

const INDEXED_WORDS = 4

/** The index serves one condition a word; a bounded number of them keeps the number of statements bounded too. */
function everyWord(name: string, pattern: (word: string) => string): Sql {
  const patterns = [...new Set(name.split(' '))].map(pattern)
  const conditions = patterns.slice(0, INDEXED_WORDS).map(like => sql`n.search_name like ${like}`)
  const rest = patterns.slice(INDEXED_WORDS)
  return join(rest.length === 0 ? conditions : [...conditions, sql`n.search_name like all(${rest}::text[])`], ' and ')
}

/** The index knows three letters in a row, and the letters at the beginning of a word. */
const hasTrigram = ({ name }: Wanted) => /[\p{L}\p{N}]{3}/u.test(name)
const hasBeginning = ({ name }: Wanted) => /(^| )[\p{L}\p{N}]/u.test(name)
