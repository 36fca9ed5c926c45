import sql, { raw } from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { type JobPayloads, NotYet } from '../domain/ports/job-queue.ts'
import { removeAll } from './remove-all.ts'

/** How many rows one statement removes: it takes milliseconds, however much there is to remove. */
const AT_ONCE = 250

/**
 * Removes a deleted list with its comments and tasks, in small steps: nobody sees them any more, and nobody should have to wait
 * for them. A completed step stays done: after a kill, or when the time of a job is up, the next worker continues from there.
 */
export async function removeList(
  parts: { db: Db },
  { company_id, task_list_id }: JobPayloads['remove-list'],
  signal: AbortSignal,
): Promise<NotYet | undefined> {
  const db = parts.db.onBehalfOf(company_id)
  const someOf = (table: 'comments' | 'tasks') => sql`
    delete from ${raw(table)} where company_id = ${company_id} and id in (
      select id from ${raw(table)} where company_id = ${company_id} and task_list_id = ${task_list_id} order by id limit ${AT_ONCE})`
  for (const table of ['comments', 'tasks'] as const) {
    const removeSome = async () => (await db.run(someOf(table))) === AT_ONCE
    if (!(await removeAll(removeSome, signal))) return new NotYet(0)
  }
  await db.run(sql`
    delete from task_lists where company_id = ${company_id} and id = ${task_list_id} and deleted_at is not null`)
}
