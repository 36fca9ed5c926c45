import sql from 'sql-template-tag'

/** How long a session of the console lives without being used. */
export const IDLE_FOR = sql`interval '1 hour'`

/** The condition that the session `s` has neither expired nor been idle for too long. */
export const isLive = sql`(s.expires_at > now() and s.last_used_at > now() - ${IDLE_FOR})`

/** The person to whom the session `s` belongs, through their token or their link with the identity provider; null for the operator. */
export const userOfSession = sql`coalesce(
  (select t.user_id from personal_tokens t where t.company_id = s.company_id and t.id = s.token_id),
  (select l.user_id from sign_in_links l where l.company_id = s.company_id and l.id = s.link_id))`
