import { openJobQueue } from '../../../src/adapters/job-queue.ts'
import type { Config } from '../../../src/config.ts'
import type { Db } from '../../../src/db/db.ts'
import { migrate } from '../../../src/db/migrate.ts'
import type { Database } from '../../../src/db/postgres.ts'
import { listTables } from '../../../src/db/rows.ts'
import type { Blobs } from '../../../src/domain/ports/blob-store.ts'
import { Failure } from '../frame/command.ts'
import { fileName } from './manifest.ts'

/** What a server writes when it first starts, before anybody has used it. */
export const OF_THE_FIRST_START = ['first_link']

/**
 * Refuses a database that contains anything. Tables without rows are allowed: an interrupted restore leaves them behind, so
 * that another one can follow.
 */
export async function requireEmptyDatabase(db: Db, { databaseUrl, dataDir }: Config): Promise<void> {
  const tables = (await listTables(db)).filter(({ name }) => !OF_THE_FIRST_START.includes(name))
  for (const { name, at } of tables) {
    const [found] = await db.raw<{ has_rows: boolean }>(`select exists (select from ${at}) as has_rows`, [])
    if (!found?.has_rows) continue
    const where = databaseUrl
      ? 'DATABASE_URL must point at an empty database'
      : `DATA_DIR must have no database, and ${dataDir} has one`
    throw new Failure(`${where}: there are rows in the table ${name}. Nothing was changed`)
  }
}

/** Refuses bytes that are not in the backup. Others may have been put there by an interrupted restore. */
export async function requireOnlyOwnFiles(blobs: Blobs, contents: Set<string>, config: Config): Promise<void> {
  const where = config.s3
    ? 'The bucket of S3_URL must have no files of others: it'
    : `DATA_DIR must have no files of others: ${config.dataDir}`
  for await (const { companyId, digest } of blobs.list()) {
    const name = fileName(companyId, digest)
    if (!contents.has(name)) throw new Failure(`${where} has ${name}, which is not in the backup. Nothing was changed`)
  }
}

/** Creates the tables as they were when this was the last migration. Those of the job queue come with it. */
export async function prepareTables(database: Database, migration: string): Promise<void> {
  await migrate(database, { upTo: migration })
  const jobs = await openJobQueue(database, () => {})
  await jobs.close()
}

export async function bringUpToDate(database: Database): Promise<void> {
  await migrate(database)
  await database.withoutDeadline(client => client.query('vacuum analyze'))
}
