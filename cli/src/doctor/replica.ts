import type { Config } from '../../../src/config.ts'
import { askPostgres, type Query } from '../../../src/db/inspect.ts'
import { onReplica } from '../../../src/db/replica-session.ts'
import { type Finding, reasonOf } from '../../../src/domain/installation/health.ts'
import { doubtful, fault, off, ok } from './finding.ts'

/** Checked as an export uses it. If the primary cannot be reached, that is a finding of its own. */
export async function lookAtReplica(config: Config): Promise<Finding[]> {
  const { databaseUrl, databaseDirectUrl = databaseUrl, databaseReplicaUrl } = config
  if (!databaseReplicaUrl || !databaseDirectUrl) return [off('replica', 'Not set up: the primary answers all reads.')]
  const look = async (primary: Query) => {
    try {
      const raw = async <T>(text: string) => (await primary.query(text)).rows as T[]
      return [await onReplica(databaseReplicaUrl, { raw }, describe)]
    } catch (error) {
      return [fault('replica', `It cannot be used: ${reasonOf(error)}.`)]
    }
  }
  return askPostgres(databaseDirectUrl, look).catch(() => [])
}

/** A delay in which no page fits. */
const SHORT_DELAY_MS = 1_000

const CONFLICTS = `
  select current_setting('hot_standby_feedback')::bool as tells, setting::int as delay_ms
  from pg_settings where name = 'max_standby_streaming_delay'`

/** Replay waits for reads that still need what it has to remove, for a limited time, unless the replica tells the primary of them. */
async function describe(replica: Query): Promise<Finding> {
  const { rows } = await replica.query<{ tells: boolean; delay_ms: number }>(CONFLICTS)
  const { tells, delay_ms } = rows[0] as (typeof rows)[number]
  if (tells || delay_ms < 0) return ok('replica', 'It follows the primary and has caught up.')
  if (delay_ms < SHORT_DELAY_MS)
    return doubtful(
      'replica',
      `It ends reads that stand in the way of replay after ${delay_ms} ms.`,
      'Set hot_standby_feedback = on, or max_standby_streaming_delay to 30s.',
    )
  const seconds = Math.round(delay_ms / 1000)
  return ok(
    'replica',
    `It follows the primary and has caught up. Exports that take longer than ${seconds} s may be read from the primary instead, unless hot_standby_feedback is on.`,
  )
}
