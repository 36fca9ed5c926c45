import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { isOpenTo, type Viewer } from '../../domain/access/sight.ts'
import { RECORDS } from '../../domain/records/records.ts'
import { indexedParts, isBeginning, isSpelled, matches, rankOf, shapeOf } from './matches.ts'
import type { Step } from './plan.ts'
import { BEGINNING, isIndexed, type Query, WHOLE, WORD } from './ranks.ts'
import { type HitType, SOURCES, TYPES } from './sources.ts'
import { type Asked, type Given, writtenOnce } from './written.ts'

// The statements of a search. Each takes a step, for one kind or for any of the six; its parameters say which kinds take it.

const WAYS = { all: bestOfAll, back: backFromNewest, names: amongNames, words: amongWords }

const wayOf = ({ where, rank }: Step) =>
  where !== 'index' ? where : rank === WHOLE || rank === BEGINNING ? 'names' : 'words'

/** Steps of the same look share a statement. */
export const lookOf = (step: Step) => `${wayOf(step)} ${step.rank}`

/** One statement text for each single kind, and one for several kinds. */
export function statementOf(asked: Asked): Sql {
  const { query, steps, viewer } = asked
  const [step] = [...steps.values()] as [Step, ...Step[]]
  const kinds = steps.size === 1 ? [...steps.keys()] : TYPES
  const isIndexedWord = isIndexed(WORD, query)
  const shape = [lookOf(step), shapeOf(step.rank, query), isIndexedWord, kinds, viewer.sight].join('; ')
  return writtenOnce(shape, asked, () => {
    const looks = kinds.map(type => sql`(${WAYS[wayOf(step)](query, type, step.rank)})`)
    return sql`with ${hidden(viewer)} ${join(looks, ' union all ')}`
  })
}

const companyId: Given = ({ viewer }) => viewer.company.id
const companyText: Given = ({ viewer }) => String(viewer.company.id)
const signerId: Given = ({ viewer }) => viewer.signer.id
const limit: Given = asked => asked.limit

function bestOfAll(query: Query, type: HitType, rank: number): Sql {
  return sql`${matching(query, type, rank)} order by rank, id desc limit ${limit}`
}

/** The newest hits of a rank or a better one: as many as are wanted, among the newest records up to the step's count. */
function backFromNewest(query: Query, type: HitType, rank: number): Sql {
  return sql`${matching(query, type, rank)} order by id desc limit ${limit}`
}

const matching = (query: Query, type: HitType, rank: number) => sql`
  ${ranked(type, query, rank)} from (${newest(type)}) n where ${matches(rank, query)} and ${isListed(type)}`

/** Records of one kind, newest first. PostgreSQL does not touch a table from which none are wanted. */
function newest(type: HitType): Sql {
  const { alive = empty } = SOURCES[type]
  return sql`
    select ${named(type)} from ${raw(RECORDS[type].table)} n where n.company_id = ${companyId} ${alive}
    order by n.id desc limit (${counts}::bigint[])${place(type)}`
}

const counts: Given = ({ steps }) => TYPES.map(type => steps.get(type)?.count ?? 0)

/** The best hits that the order of names yields, and the whole words that come before them. */
function amongNames(query: Query, type: HitType, rank: number): Sql {
  const isNamed = sql`n.company_id = ${companyId} and ${rank === WHOLE ? matches(WHOLE, query) : isBeginning}`
  const isWord = sql`n.company_id::text = ${companyText} and ${matches(WORD, query)}`
  return indexed(query, type, {
    rank,
    looks: rank === BEGINNING && isIndexed(WORD, query) ? [isNamed, isWord] : [isNamed],
  })
}

/** The best hits that the trigrams of words yield. */
function amongWords(query: Query, type: HitType, rank: number): Sql {
  const looks = indexedParts(rank, query).map(part => sql`n.company_id::text = ${companyText} and ${part}`)
  return indexed(query, type, { rank, looks })
}

/** The best of what one of these looks into the indexes yields. */
function indexed(query: Query, type: HitType, { rank, looks }: { rank: number; looks: Sql[] }): Sql {
  const { alive = empty } = SOURCES[type]
  const found = looks.map(
    isFound =>
      sql`select ${named(type)} from ${raw(RECORDS[type].table)} n where ${isFound} and ${isWanted(type)} ${alive}`,
  )
  const isHit = query.spellings[rank] ? sql`and ${isSpelled(rank)}` : empty
  return sql`
    ${ranked(type, query, rank)}
    from (${join(found, ' union ')}) n
    where ${isListed(type)} ${isHit}
    order by rank, id desc limit ${limit}`
}

/** It compares no column, so PostgreSQL evaluates it once and does not touch the table of a kind that is not wanted. */
const isWanted = (type: HitType) => sql`${literal(type)} = any(${types}::text[])`
const types: Given = ({ steps }) => [...steps.keys()]

const ranked = (type: HitType, query: Query, rank: number) => sql`
  select ${literal(type)} as type, id, ${rankOf(query, rank)} as rank,
    strpos(lower(name collate "C"), ${typed}) > 0 as typed`

const typed: Given = asked => asked.typed

/** The columns needed to tell whether a record is a hit. */
function named(type: HitType): Sql {
  const { project = 'project_id', within } = SOURCES[type]
  return sql`n.id, n.${raw(project)} as project_id, n.${raw(RECORDS[type].title)} as name, n.search_name ${within ? sql`, n.${raw(within.column)}` : empty}`
}

/** What is in these is not found: it exists until it is removed, or the viewer does not see it. */
const hidden = ({ sight }: Viewer) => sql`
    hidden_projects as materialized (
      select p.id from projects p where p.company_id = ${companyId} and (p.deleted_at is not null
        ${sight === 'company' ? empty : sql`or not ${isOpenTo(sql`${signerId}::bigint`)}`})),
    deleted_lists as materialized (
      select id from task_lists where company_id = ${companyId} and deleted_at is not null),
    deleted_folders as materialized (
      select id from folders where company_id = ${companyId} and deleted_at is not null)`

function isListed(type: HitType): Sql {
  const { within } = SOURCES[type]
  const isInPlace = ({ column, deleted }: NonNullable<typeof within>) =>
    sql`and (n.${raw(column)} is null or n.${raw(column)} not in (select id from ${raw(deleted)}))`
  return sql`n.project_id not in (select id from hidden_projects)
    ${within ? isInPlace(within) : empty}`
}

/** Picks this kind's element from an array that has one for each kind. */
const place = (type: HitType) => raw(`[${TYPES.indexOf(type) + 1}]`)

const literal = (type: HitType) => raw(`'${type}'::text`)
