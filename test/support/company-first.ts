import type { Pool } from 'pg'
import { KEPT } from '../../src/domain/upkeep/retention.ts'

/** What belongs to no company: the companies themselves, and the database's own bookkeeping. */
const ABOVE_COMPANIES = ['companies', ...KEPT.byDatabase]

const TABLES = `
  select c.oid, c.relname as table_name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all ($1)`

/** Asks the catalog about the tables of companies, which are called `tables` in the query. */
export async function askCatalog<T>(pool: Pick<Pool, 'query'>, query: string): Promise<T[]> {
  return (await pool.query(`with recursive tables as (${TABLES}) ${query}`, [ABOVE_COMPANIES])).rows
}

export const WITHOUT_COMPANY = `
  select table_name from tables t
  where not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'company_id' and a.attnotnull
                      and a.atttypid = 'bigint'::regtype)`

export const WITHOUT_PRIMARY_KEY =
  'select table_name from tables t where not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)'

/** A digest is found before it is known whose it is. */
export const KEYS_WITHOUT_COMPANY = `
  select table_name, i.indexrelid::regclass::text as index_name, pg_get_indexdef(i.indexrelid) as definition
  from tables t join pg_index i on i.indrelid = t.oid
  where i.indisunique
    and pg_get_indexdef(i.indexrelid, 1, true) <> 'company_id'
    and not (pg_get_indexdef(i.indexrelid, 1, true) = 'digest' and i.indnkeyatts = 1)`

export interface Reference {
  target: string
  from_column: string
  to_column: string
}

export const REFERENCES = `
  select table_name, k.conname, k.confrelid::regclass::text as target, here.attname as from_column, there.attname as to_column
  from tables t join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
  join pg_attribute here on here.attrelid = k.conrelid and here.attnum = k.conkey[1]
  join pg_attribute there on there.attrelid = k.confrelid and there.attnum = k.confkey[1]`

/** True for a reference that could lead to a row of another company. */
export function crosses({ target, from_column, to_column }: Reference): boolean {
  return from_column !== 'company_id' || (target !== 'companies' && to_column !== 'company_id')
}
