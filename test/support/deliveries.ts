import type { Db } from '../../src/db/db.ts'

/** A delivery of a webhook with three attempts, as a worker leaves it; its id. */
export async function leaveDelivery(db: Db, webhook: string | undefined): Promise<string> {
  const [left] = await db.raw<{ id: number }>(
    `with delivery as (
       insert into webhook_deliveries (company_id, webhook_id, kind, change, record_id, project_id, at)
       select company_id, id, 'task', 'created', 'tsk-0', 'prj-0', now() from webhooks where id = $1
       returning company_id, id
     ), attempts as (
       insert into webhook_attempts (company_id, delivery_id, ms)
       select company_id, id, n from delivery, generate_series(1, 3) n
     )
     select id from delivery`,
    [webhook],
  )
  return String(left?.id)
}
