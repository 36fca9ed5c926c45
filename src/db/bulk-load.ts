import type { Db } from './db.ts'

interface Part {
  table: string
  name: string
  definition: string
}

/**
 * Runs `load` without triggers, foreign keys and indexes (except those of primary keys and unique constraints), then restores
 * them. So rows can come in any order, and the rest is checked for all of them at once. Inside a transaction.
 */
export async function withoutIndexes(tx: Db, tables: string[], load: () => Promise<void>): Promise<void> {
  const keys = await tx.raw<Part>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where conrelid = any ($1::text[]::regclass[]) and contype = 'f' order by 1, 2`,
    [tables],
  )
  const indexes = await tx.raw<Part>(
    `select indrelid::regclass::text as table, indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = any ($1::text[]::regclass[]) and not indisprimary
       and not exists (select from pg_constraint c where c.conindid = indexrelid) order by 1, 2`,
    [tables],
  )
  for (const table of tables) await tx.raw(`alter table ${table} disable trigger user`, [])
  for (const { table, name } of keys) await tx.raw(`alter table ${table} drop constraint ${name}`, [])
  for (const { name } of indexes) await tx.raw(`drop index ${name}`, [])
  await load()
  for (const { definition } of indexes) await tx.raw(definition, [])
  for (const { table, name, definition } of keys)
    await tx.raw(`alter table ${table} add constraint ${name} ${definition}`, [])
  for (const table of tables) await tx.raw(`alter table ${table} enable trigger user`, [])
}
