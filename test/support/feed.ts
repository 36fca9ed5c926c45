import type { ClientBase } from 'pg'
import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import type { Client, TestCompany } from './diwan.ts'
import { newList } from './factories.ts'
import { until } from './servers.ts'

/**
 * Waits until everything written so far is in the feed. Any open writing transaction on the database server holds the feed
 * back, including one of a test that runs at the same time.
 */
export async function feedSettled(pool: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await pool.query('select pg_current_xact_id()::text as tx')
  await until(async () => {
    const settled = await pool.query('select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as yes', [rows[0].tx])
    return settled.rows[0].yes
  })
}

/** The cursor behind everything that has been written so far. */
export async function cursorOfNow({ database }: Pick<TestApp, 'database'>, api: Client): Promise<string> {
  await feedSettled(database.pool)
  return (await api.get('/company/changes')).body.meta.next_cursor
}

/** The entries after a cursor, up to what has been written so far. */
export async function entriesAfter({ database }: Pick<TestApp, 'database'>, api: Client, cursor: string) {
  await feedSettled(database.pool)
  const { status, body } = await api.get(`/company/changes?after=${cursor}&limit=500`)
  expect([status, body.meta?.more]).toEqual([200, false])
  return body.data
}

/** A new list, and the cursor behind its entry in the feed: whatever held the feed back before has ended. */
export async function newListInFeed(company: Pick<TestCompany, 'api'>, projectId: string) {
  let after = (await company.api.get('/company/changes')).body.meta.next_cursor as string
  const list = await newList(company, projectId)
  await until(async () => {
    const { data, meta } = (await company.api.get(`/company/changes?after=${after}`)).body
    after = meta.next_cursor
    return data.some(({ id }: { id: string }) => id === list.id)
  })
  return { list, after }
}
