import { openJobQueue } from '../../src/adapters/job-queue.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Database } from '../../src/db/postgres.ts'

/** Creates what a database has after a first start: our tables, and those of the job queue. */
export async function furnish(database: Database): Promise<void> {
  await migrate(database)
  const jobs = await openJobQueue(database, error => console.error(error))
  await jobs.close()
  await database.close()
}
