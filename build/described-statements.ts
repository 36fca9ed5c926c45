import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { migrationNames } from '../src/db/migrate.ts'

/** What a value is when it arrives: `src/db/types.ts` says how columns are read. */
type Value = 'string' | 'number' | 'boolean' | 'object' | 'anything'

/** The columns that a statement returns; an error if PostgreSQL does not accept it. */
export type Columns = Map<string, Value> | Error

const MIGRATIONS = join(import.meta.dirname, '../src/db/migrations')

/** Prepares statements on an empty database that has the schema. Nothing is executed. */
export async function describeStatements(texts: Iterable<string>): Promise<Map<string, Columns>> {
  const database = await PGlite.create({ extensions: { btree_gin, pg_trgm } })
  await database.exec(
    'create table migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  for (const name of await migrationNames()) await database.exec(readFileSync(join(MIGRATIONS, name), 'utf8'))
  const described = new Map<string, Columns>()
  // What other libraries keep in the database has no migration here.
  for (const text of texts)
    if (!/\bpgboss\b|\bdurability_probe\b/.test(text)) described.set(text, await describe(database, text))
  await database.close()
  return described
}

async function describe(database: PGlite, text: string): Promise<Columns> {
  try {
    const { resultFields } = await database.describeQuery(text)
    return new Map(resultFields.map(({ name, dataTypeID }) => [name, VALUES[dataTypeID] ?? 'anything']))
  } catch (error) {
    return error as Error
  }
}

/** By the numbers of types: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const VALUES: Record<number, Value> = {
  16: 'boolean',
  17: 'object',
  ...Object.fromEntries([20, 21, 23, 26, 700, 701].map(number => [number, 'number'])),
  ...Object.fromEntries([18, 19, 25, 1042, 1043, 1082, 1184, 1700, 2950, 5069].map(text => [text, 'string'])),
  ...Object.fromEntries([1005, 1007, 1009, 1016, 1000].map(list => [list, 'object'])),
}
