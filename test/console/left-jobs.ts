import { openJobQueue } from '../../src/adapters/job-queue.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import type { Env } from '../support/server-process.ts'

const complain = (error: Error) => console.error(error)

/** Leaves jobs in the folder of a server that is not running yet, as they stand after their last attempt. */
export async function leaveFailedJobs(env: Env, errors: string[]): Promise<Env> {
  const database = await openEmbedded(env.DATA_DIR as string, complain)
  const jobs = await openJobQueue(database, complain)
  const payloads = errors.map((_, n) => ({ company_id: 1, notification_id: n + 1 }))
  await jobs.enqueue(database.db, 'mail-notification', payloads)
  for (const [n, message] of errors.entries())
    await database.pool.query(
      `update pgboss.job set state = 'failed', retry_count = retry_limit, completed_on = clock_timestamp(), output = $1
       where data ->> 'notification_id' = $2`,
      [JSON.stringify({ message }), String(n + 1)],
    )
  await jobs.close()
  await database.close()
  return env
}
