import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Db } from './db.ts'
import { LAG, lineageOf, lookAtPrimary, OF_ANOTHER_LINEAGE, PROMOTED, type Standing, standing } from './positions.ts'
import { onOwnConnection } from './sessions.ts'

/** A replica that follows has what is written now within milliseconds. */
const CATCH_UP_WITHIN_MS = 10_000
const LINEAGE_WITHIN_MS = 5_000

/** The replica does not show what the primary has written. */
export class ReplicaNotUsed extends Error {}

/** Runs long work on a connection to the replica, once that has replayed all that the primary has written by now. */
export function onReplica<T>(
  url: string,
  primary: Pick<Db, 'raw'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return onOwnConnection(
    { url, statementMs: 0 },
    () => {},
    async client => {
      await catchUp(client, primary)
      return work(client)
    },
  )
}

async function catchUp(client: pg.Client, primary: Pick<Db, 'raw'>): Promise<void> {
  const { lineage, is_hasty, ...position } = await lookAtPrimary(primary)
  if (is_hasty) throw new ReplicaNotUsed('synchronous_commit is off at the primary')
  const own = await lineageOf(client, LINEAGE_WITHIN_MS).catch(error => {
    throw new ReplicaNotUsed(error.message)
  })
  if (own !== lineage) throw new ReplicaNotUsed(OF_ANOTHER_LINEAGE)
  const deadline = performance.now() + CATCH_UP_WITHIN_MS
  for (;;) {
    const { rows } = await client.query<{ standing: Standing }>(standing(position))
    if (rows[0]?.standing === 'caught up') return
    if (rows[0]?.standing === 'promoted') throw new ReplicaNotUsed(PROMOTED)
    if (performance.now() > deadline) throw new ReplicaNotUsed(await lagOf(client))
    await sleep(20)
  }
}

async function lagOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ seconds: number | null }>(LAG)
  const seconds = rows[0]?.seconds
  return seconds ? `It is behind by ${Math.ceil(seconds)} seconds` : 'It has replayed nothing yet'
}
