import { openJobQueue } from '../../../src/adapters/job-queue.ts'
import type { Config } from '../../../src/config.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { createLog, openDatabase } from '../../../src/parts.ts'

export async function migrateOnly(config: Config): Promise<void> {
  const log = createLog(config)
  const database = await openDatabase(config, log)
  try {
    const applied = await migrate(database, { onWait: message => log.warn(message) })
    const jobs = await openJobQueue(database, error => log.warn({ err: error }, 'The job queue failed'))
    await jobs.close()
    process.stdout.write(
      applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to apply: the schema is current\n',
    )
  } finally {
    await database.close()
  }
}
