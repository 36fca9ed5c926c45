// @module-tag long

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/servers.ts'
import { startTestWebhooks } from '../support/worker.ts'

const app = useOwnApp({ allowPrivateWebhooks: true })
const WEBHOOKS = 300

/** How many rows of webhooks were read, by all connections so far. The database counts with some delay. */
async function rowsRead(): Promise<number> {
  const { rows } = await app.database.pool.query(
    `select seq_tup_read + idx_tup_fetch as count from pg_stat_user_tables where relname = 'webhooks'`,
  )
  return rows[0].count
}

it('Webhooks without news are not read again and again', async () => {
  const receiver = await startReceiver()
  const [idle, busy] = [await app.diwan.company(), await app.diwan.company()]
  for (const { admin } of [idle, busy]) await admin.post('/webhooks', { name: 'x', url: receiver.url, kinds: ['*'] })
  await app.database.pool.query(
    `insert into webhooks (company_id, name, url, kinds, secret, tx, change_id, told_since)
     select company_id, name || n, url, kinds, secret, tx, change_id, told_since
     from webhooks, generate_series(2, $2) n where company_id = $1`,
    [idle.id, WEBHOOKS],
  )
  const worker = startTestWebhooks(app, [])
  try {
    await app.diwan.project(busy)
    await until(async () => receiver.received.length === 1)
    // When the worker begins, it looks at all of them.
    await until(async () => (await rowsRead()) >= WEBHOOKS)
    const before = await rowsRead()
    await sleep(5_000)
    expect((await rowsRead()) - before).toBeLessThan(3 * WEBHOOKS)
  } finally {
    await worker.stop()
  }
})
