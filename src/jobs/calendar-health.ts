import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { type CALENDAR_STATES, queueOwed } from '../domain/calendars/calendars.ts'
import { notify } from '../domain/people/notifications.ts'
import type { CalendarError } from '../domain/ports/calendar-server.ts'
import type { JobPayloads } from '../domain/ports/job-queue.ts'
import type { WorkerParts } from './parts.ts'

type HealthParts = Pick<WorkerParts, 'db' | 'jobs'>
type SyncPayload = JobPayloads['sync-calendar']
type CalendarConnection = Pick<SyncPayload, 'company_id' | 'calendar_id'>

const TELL_AFTER_MS = 24 * 3_600_000

interface Health {
  user_id: number
  url: string
  state: (typeof CALENDAR_STATES)[number]
  failing_since: string | null
}

/**
 * Locks the connection, so that jobs which note something take turns. Whoever writes an event need not wait for this lock.
 */
function lockConnection(tx: Db, { company_id, calendar_id }: CalendarConnection): Promise<Health | undefined> {
  return tx.maybe<Health>(sql`
    select user_id, url, state, failing_since from calendars
    where company_id = ${company_id} and id = ${calendar_id} for no key update`)
}

/**
 * The connection works, even if one event was refused. If it did not work before, everything that waits for it is queued at once.
 */
export async function noteSuccess(
  { db, jobs }: HealthParts,
  entry: SyncPayload,
  record: (tx: Db) => Promise<void>,
  refusal?: CalendarError,
): Promise<void> {
  const { company_id, calendar_id } = entry
  await db.transaction(async tx => {
    const health = await lockConnection(tx, entry)
    if (!health) return
    await record(tx)
    await tx.run(sql`
      update calendars set state = 'connected', failing_since = null, last_error = ${refusal?.message ?? null}, last_synced_at = now()
      where company_id = ${company_id} and id = ${calendar_id}`)
    if (health.failing_since !== null) await queueOwed(tx, jobs.enqueue, company_id, sql`c.id = ${calendar_id}`)
  })
}

/** The connection fails. Its person is notified once, when it has been failing for more than a day. */
export async function noteFailure(
  { db, jobs }: HealthParts,
  connection: CalendarConnection,
  { message }: CalendarError,
): Promise<{ failingForMs: number }> {
  const { company_id, calendar_id } = connection
  return db.transaction(async tx => {
    const health = await lockConnection(tx, connection)
    if (!health) return { failingForMs: 0 }
    const failingForMs = health.failing_since === null ? 0 : Date.now() - Date.parse(health.failing_since)
    const state = failingForMs > TELL_AFTER_MS ? 'failing' : health.state
    await tx.run(sql`
      update calendars set state = ${state}, failing_since = coalesce(failing_since, now()), last_error = ${message}
      where company_id = ${company_id} and id = ${calendar_id}`)
    if (state !== health.state)
      await notify(tx, jobs.enqueue, company_id, health.user_id, {
        kind: 'calendar_failing',
        subject: { type: 'calendar', id: String(calendar_id), title: new URL(health.url).host, project_id: null },
        recipients: [health.user_id],
      })
    return { failingForMs }
  })
}
