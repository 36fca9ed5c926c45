import sql from 'sql-template-tag'
import { generate } from '../cli/src/local/generated-data.ts'
import { readConfig } from '../src/config.ts'
import { transactionOn } from '../src/db/db.ts'
import { migrate } from '../src/db/migrate.ts'
import { createMint } from '../src/domain/access/credentials.ts'
import { addKey } from '../src/domain/access/keyring.ts'
import { createLog, openDatabase } from '../src/parts.ts'
import { type Data, externalId } from './cases.ts'
import type { Env } from './targets.ts'

/** Creates a database of this size, or restores its original state if it exists; and creates new keys for it. */
export async function prepareData(env: Env, size: { tasks: number; companies: number }): Promise<Data> {
  const config = readConfig(env)
  const database = await openDatabase(config, createLog({ ...config, logLevel: 'silent' }))
  const { db, withoutDeadline, close } = database
  try {
    await migrate(database)
    if (!(await db.maybe(sql`select from companies limit 1`))) {
      process.stderr.write(`Generating a company with ${size.tasks} tasks\n`)
      await withoutDeadline(client => transactionOn(client, tx => generate(tx, size, () => {})))
    }
    await withoutDeadline(async client => {
      // Undoes what earlier runs created and completed. The floor does not maintain the counts, so they are computed again.
      await client.query('set session_replication_role = replica')
      await client.query('delete from tasks where id > $1', [size.tasks + size.companies * 100])
      await client.query('update tasks set completed_at = null where completed_at is not null and id % 3 <> 0')
      await client.query(`
        update tasks set external_id = '${externalId('')}' || id, metadata = jsonb_build_object(
          'deal', (id % 10000)::text, 'stage', (array['draft', 'review', 'waiting', 'done'])[1 + id % 4])
        where external_id is null`)
      await client.query(`
        select settle_counts(company_id, project_id) from (select distinct company_id, project_id from count_changes) changed`)
      await client.query('delete from files where external_url is null')
      await client.query(`
        update task_lists l set counted_tasks = t.tasks, counted_completed_tasks = t.completed
        from (select company_id, task_list_id, count(*) as tasks, count(completed_at) as completed from tasks group by 1, 2) t
        where l.company_id = t.company_id and l.id = t.task_list_id and (l.counted_tasks, l.counted_completed_tasks) <> (t.tasks, t.completed)`)
      await client.query(`
        update projects p set counted_tasks = l.tasks, counted_completed_tasks = l.completed
        from (
          select company_id, project_id, sum(counted_tasks) as tasks, sum(counted_completed_tasks) as completed
          from task_lists group by 1, 2) l
        where p.company_id = l.company_id and p.id = l.project_id
          and (p.counted_tasks, p.counted_completed_tasks) <> (l.tasks, l.completed)`)
      await client.query('update companies set daily_calls = 2000000000 where id = 2')
      await client.query('vacuum analyze')
    })
    const keyOf = (company_id: number) =>
      addKey(
        db,
        { company_id, name: 'Benchmark', created_by: company_id },
        createMint(env.SERVER_SECRET as string, false),
      )
    return { tasks: size.tasks, key: await keyOf(1), finiteKey: await keyOf(2) }
  } finally {
    await close()
  }
}
