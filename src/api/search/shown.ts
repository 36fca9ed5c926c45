import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { RECORDS } from '../../domain/records/records.ts'
import type { Hit } from './plan.ts'
import { type HitType, SOURCES, TYPES } from './sources.ts'
import { type Given, writtenOnce } from './written.ts'

interface Showing {
  companyId: number
  hits: ReadonlyMap<HitType, Hit[]>
}

/** What is shown of hits, in their order. */
export async function showHits(db: Db, showing: Showing): Promise<{ type: HitType }[]> {
  const found = [...showing.hits].filter(([, hits]) => hits.length > 0).map(([type]) => type)
  if (found.length === 0) return []
  const kinds = found.length === 1 ? found : TYPES
  const statement = writtenOnce(`shown; ${kinds}`, showing, () => showEach(kinds))
  const { records } = await db.one<{ records: { id: number; shown: { type: HitType } }[] }>(statement)
  const shown = new Map(records.map(record => [`${record.shown.type} ${record.id}`, record.shown]))
  // A record that has been deleted in the meantime is not shown.
  return [...showing.hits].flatMap(([type, hits]) => hits.flatMap(({ id }) => shown.get(`${type} ${id}`) ?? []))
}

const companyId: Given<Showing> = ({ companyId }) => companyId
const idsOf = Object.fromEntries(
  TYPES.map(type => [type, ({ hits }: Showing) => (hits.get(type) ?? []).map(hit => hit.id)]),
)

/** In one row, which costs the process less than one row per hit. */
function showEach(kinds: readonly HitType[]): Sql {
  const selects = kinds.map(type => {
    const { project = 'project_id', shows, joins = empty } = SOURCES[type]
    return sql`
      select n.id, json_build_object('type', ${raw(`'${type}'::text`)}, ${shows}) as shown
      from ${raw(RECORDS[type].table)} n join projects p on p.company_id = n.company_id and p.id = n.${raw(project)} ${joins}
      where n.company_id = ${companyId} and n.id = any(${idsOf[type]}::bigint[])`
  })
  return sql`select coalesce(json_agg(hit), '[]') as records from (${join(selects, ' union all ')}) hit`
}
