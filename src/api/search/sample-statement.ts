import sql, { join, raw, type Sql } from 'sql-template-tag'
import { RECORDS } from '../../domain/records/records.ts'
import { SAMPLE_OF_NEWEST, SAMPLE_SIZE } from './plan.ts'
import { type HitType, TYPES } from './sources.ts'
import { type Given, writtenOnce } from './written.ts'

interface Sampled {
  companyId: number
}

/** The next record is first looked for within this many ids. */
const NEARBY = 16
/** This much of a name is enough for an estimate. */
const CHARACTERS = 100

export function sampleStatement(companyId: number): Sql {
  return writtenOnce('sample', { companyId }, () => join(TYPES.map(sample), ' union all '))
}

const companyId: Given<Sampled> = ({ companyId }) => companyId
const name = sql`left(n.search_name, ${raw(String(CHARACTERS))})`

/** Some of the newest names of a kind and, if there are many, names from the oldest to the newest. */
function sample(type: HitType): Sql {
  const all = sql`from ${raw(RECORDS[type].table)} n where n.company_id = ${companyId}`
  return sql`
    select ${raw(`'${type}'::text`)} as type, newest, first is null as is_small, case when first is null then '[]' else (${spread(all)}) end as spread
    from (
      select coalesce(json_agg(name), '[]') as newest, max(id) as last,
        case when count(*) = ${raw(String(SAMPLE_OF_NEWEST))} then (select min(n.id) ${all}) end as first
      from (select n.id, ${name} as name ${all} order by n.id desc limit ${raw(String(SAMPLE_OF_NEWEST))}) n) newest`
}

/**
 * The distances are uneven, because names may recur at even ones. Without an upper bound, PostgreSQL reads a page of the index
 * for each.
 */
function spread(all: Sql): Sql {
  const at = sql`first + ((last - first) * (step - 1 + step * 0.618 % 1) / ${raw(String(SAMPLE_SIZE))})::bigint`
  return sql`
    select json_agg(coalesce(
      (select ${name} ${all} and n.id >= ${at} and n.id < ${at} + ${raw(String(NEARBY))} order by n.id limit 1),
      (select ${name} ${all} and n.id >= ${at} order by n.id limit 1)) order by step)
    from generate_series(1, ${raw(String(SAMPLE_SIZE))}) step`
}
