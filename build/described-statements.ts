import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { migrationNames, readMigration } from '../src/db/migration-files.ts'

/** What a value is when it arrives: `src/db/types.ts` says how columns are read. */
type Value = 'string' | 'number' | 'boolean' | 'object' | 'anything'

/** The columns that a statement returns; an error if PostgreSQL does not accept it. */
export type Columns = Map<string, Value> | Error

/** Prepares statements on an empty database that has the schema. Nothing is executed. */
export async function describeStatements(texts: Iterable<string>): Promise<Map<string, Columns>> {
  const database = await PGlite.create({ extensions: { btree_gin, pg_trgm } })
  await database.exec(
    'create table migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now(), oldest_release text)',
  )
  for (const name of await migrationNames())
    for (const step of (await readMigration(name)).steps) await database.exec(step)
  const described = new Map<string, Columns>()
  // What other libraries keep in the database has no migration here.
  for (const text of texts)
    if (!/\bpgboss\b|\bdurability_probe\b/.test(text)) described.set(text, await describe(database, text))
  await addColumns(database)
  for (const [text, columns] of described)
    if (!(columns instanceof Error) && !isSame(columns, await describe(database, text)))
      described.set(text, new Error('It returns something else once a table has one more column: name the columns'))
  await database.close()
  return described
}

/**
 * A newer release may add columns while this one is running. PostgreSQL refuses a statement that was prepared before, if it
 * would return something else than it did then.
 */
async function addColumns(database: PGlite): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  for (const { name } of rows) await database.exec(`alter table ${name} add column of_a_newer_release text`)
}

function isSame(columns: Map<string, Value>, later: Columns): boolean {
  return !(later instanceof Error) && JSON.stringify([...columns]) === JSON.stringify([...later])
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
