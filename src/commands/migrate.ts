import { openJobQueue } from '../adapters/job-queue.ts'
import type { Config } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { createLog, openDatabase } from '../server.ts'

export async function migrateOnly(config: Config): Promise<void> {
  const log = createLog(config)
  const database = await openDatabase(config, log)
  try {
    const applied = await migrate(database)
    const jobs = await openJobQueue(database, error => log.warn({ err: error }, 'The job queue failed'))
    await jobs.close()
    process.stdout.write(
      applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to apply: the schema is current\n',
    )
  } finally {
    await database.close()
  }
}
