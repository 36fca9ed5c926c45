import sql from 'sql-template-tag'

/** How long a session of the console lives without being used. */
export const IDLE_FOR = sql`interval '1 hour'`

/** The condition that the session `s` has neither expired nor been idle for too long. */
export const isLive = sql`(s.expires_at > now() and s.last_used_at > now() - ${IDLE_FOR})`
