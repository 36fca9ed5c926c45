import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import type { ChangeEntry, Position } from './entry.ts'
import { entryColumns, inOrder, isSettledBehind } from './feed.ts'

/** A position in the feed of a company. */
export interface Place extends Position {
  company_id: number
}

interface News {
  /** What the company's version was when the entries were read; 0 if the company is gone. */
  version: number
  entries: ChangeEntry[]
}

export const ENTRIES_AT_ONCE = 100

/** The next entries behind each of these places, in one statement. */
export function readNews(db: Db, places: Place[]): Promise<News[]> {
  return db.many<News>(sql`
    select coalesce((select version from companies where id = place.company_id), 0) as version,
      coalesce((select json_agg(entry) from (
        select ${entryColumns} from changes
        where company_id = place.company_id and ${isSettledBehind(sql`place.tx::xid8`, sql`place.id`)}
        order by ${inOrder} limit ${ENTRIES_AT_ONCE}) entry), '[]') as entries
    from unnest(${places.map(each => each.company_id)}::bigint[], ${places.map(({ tx }) => tx)}::text[], ${places.map(({ id }) => id)}::bigint[])
      with ordinality as place (company_id, tx, id, n)
    order by place.n`)
}

/** Those of these companies whose version is another one by now: something about their keys has changed. */
export async function companiesChangedSince(db: Db, versions: Map<number, number>): Promise<number[]> {
  const changed = await db.many<{ id: number }>(sql`
    select known.id from unnest(${[...versions.keys()]}::bigint[], ${[...versions.values()]}::bigint[]) as known (id, version)
    where not exists (select from companies c where c.id = known.id and c.version = known.version)`)
  return changed.map(({ id }) => id)
}
