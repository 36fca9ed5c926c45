import type { Db } from '../../db/db.ts'
import { RECORDS } from '../records/records.ts'

/** Every table, and how long its rows are kept. A test compares it with the catalog of the database. */
export const KEPT = {
  /**
   * For a time: the column that says how old a row is, and how many days it is kept from then on. Each has an index by
   * `greatest(column, '-infinity')`. The value is that of the column, but the planner does not use such an index for
   * conditions on the column: where one company's rows are wanted, an index over all companies would be slow.
   */
  forDays: {
    /** The feed of changes. A cursor that is older is refused. */
    changes: { from: 'at', days: 30 },
    /** What was sent to webhooks, and what came back. A delivery has only its latest ones, which also go with it. */
    webhook_attempts: { from: 'at', days: 7 },
    webhook_deliveries: { from: 'created_at', days: 30 },
    /** The answers that a repeated request gets again. */
    idempotent_answers: { from: 'created_at', days: 1 },
    audit_entries: { from: 'created_at', days: 400 },
    /** The log of requests. A company has only its latest ones (`MOST_LOGGED`). */
    requests: { from: 'at', days: 7 },
    /** Only the current hour counts. */
    denial_counts: { from: 'hour', days: 1 },
    timeline_entries: { from: 'created_at', days: 400 },
    notifications: { from: 'created_at', days: 400 },
    /** What notifications are about. It goes after them, because they refer to it. */
    notices: { from: 'created_at', days: 401 },
    // Whole days are kept for 400 days after they have ended. Hours are needed only for the forecast, which looks back a
    // week.
    calls_by_day: { from: 'local_date', days: 401 },
    calls_by_key: { from: 'local_date', days: 401 },
    calls_by_hour: { from: 'local_date', days: 11 },
    /** From the moment at which a session ends in any case. It may have ended earlier, because nobody used it. */
    console_sessions: { from: 'expires_at', days: 0 },
    /** Apps that have registered: a day if nobody grants them anything, else 400 days from their last token. */
    app_clients: { from: 'expires_at', days: 0 },
    app_requests: { from: 'expires_at', days: 0 },
    /** A day longer than they work, so that one that comes again is recognised. */
    app_credentials: { from: 'expires_at', days: 1 },
    /** From the moment at which they can no longer be used. */
    shown_identities: { from: 'expires_at', days: 0 },
  },

  /**
   * Until somebody deletes it, or as long as its company: a closed company is removed after 30 days, with everything in it. Keys
   * stay when they are revoked, since the audit and the usage name them; a token that is revoked is deleted at once.
   */
  withCompany: [
    ...Object.values(RECORDS).map(({ table }) => table),
    'api_keys',
    'calendar_entries',
    'calendars',
    'comment_attachments',
    'companies',
    'disconnected_calendar_entries',
    'discussion_subscriptions',
    'event_attendees',
    // Two for each person at most, one shown and one mailed: the next ones replace them.
    'invitations',
    'personal_tokens',
    'project_members',
    'retired_slugs',
    'sign_in_links',
    'users',
    'webhooks',
    // Added to the rows of their parents by the upkeep (`domain/records/counts.ts`).
    'count_changes',
  ],

  /** What the database needs for itself: a few rows, whose number does not grow. */
  byDatabase: ['durability_probe', 'first_link', 'migrations', 'server_secret_mark', 'upkeep', 'write_probe'],
} as const

export type AgedTable = keyof typeof KEPT.forDays
export const AGED_TABLES = Object.keys(KEPT.forDays) as AgedTable[]

/** How many rows one statement removes: it takes milliseconds, however many there are. */
export const REMOVED_AT_ONCE = 1_000

/**
 * Removes rows that have been kept for long enough, the oldest first. Each statement begins at the age that the last one reached:
 * it does not read again what is removed but not yet vacuumed. It is not prepared: a plan that was made while the table was
 * almost empty would compare every row with each of the thousand.
 */
export async function* removeOld(db: Db, table: AgedTable): AsyncGenerator<number> {
  const { from, days } = KEPT.forDays[table]
  const age = `greatest(${from}, '-infinity')`
  for (let reached = '-infinity'; ; ) {
    const [step] = await db.raw<{ removed: number; reached: string }>(
      `with old as (
         select ctid as place, ${age} as age from ${table}
         where ${age} >= $1::timestamptz and ${age} < now() - make_interval(days => $2)
         order by ${age} limit ${REMOVED_AT_ONCE}
       ), gone as (
         delete from ${table} where ctid = any (array(select place from old))
       )
       select count(*) as removed, coalesce(max(age)::text, 'infinity') as reached from old`,
      [reached, days],
    )
    const { removed = 0 } = step ?? {}
    yield removed
    if (!step || removed < REMOVED_AT_ONCE) return
    reached = step.reached
  }
}
