import sql, { type Sql } from 'sql-template-tag'
import { CHANGED_KINDS, RECORDS } from '../records/records.ts'

/** What a webhook can subscribe to: everything, everything of a kind, or one change of a kind. */
export const WEBHOOK_KINDS = [
  '*',
  ...CHANGED_KINDS.flatMap(kind => [`${kind}.*`, ...RECORDS[kind].feed.changes.map(change => `${kind}.${change}`)]),
]

export const MOST_WEBHOOKS = 10

/** The end of the feed, as columns of a webhook: it is told of what commits from now on. */
export const fromNowOn: Record<'tx' | 'change_id' | 'told_since', Sql> = {
  tx: sql`pg_snapshot_xmin(pg_current_snapshot())`,
  change_id: sql`0`,
  told_since: sql`pg_current_snapshot()`,
}

/** Resets the failure history of a webhook when it is switched on or gets another URL. */
export const NO_FAILURES = { failing_since: null, warned_at: null, switched_off_at: null, switched_off_because: null }

export const webhookSecretPurpose = (companyId: number) => `webhook secret of company ${companyId}`

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

/** What deliveries can be selected by: their state, or that they are pending because an attempt has failed. */
export const DELIVERY_SELECTIONS = [...DELIVERY_STATES, 'retrying'] as const
