import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepWriting, missingFrom, type Writes } from '../support/acknowledged-writes.ts'
import type { TestCompany } from '../support/diwan.ts'
import { findParts } from '../support/parts.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, type ServerProcess, serve } from '../support/server-process.ts'
import { askPostgres, type StartedPostgres, startPostgres, until } from '../support/servers.ts'

const parts = findParts()

describe.skipIf(!parts.postgres)('Two PostgreSQL servers, the second of which follows the first synchronously', () => {
  let first: StartedPostgres
  let second: StartedPostgres
  let node: ServerProcess
  let company: TestCompany

  beforeAll(async () => {
    first = await startPostgres(parts.postgres as string)
    second = await startPostgres(parts.postgres as string, first)
    // Only the first waits for another; the second, once it is promoted, for nobody.
    await askPostgres(first.url, "alter system set synchronous_standby_names = '*'")
    await askPostgres(first.url, 'select pg_reload_conf()')
    await askPostgres(first.url, "alter database postgres set synchronous_commit = 'on'")
    await until(async () => (await askPostgres(first.url, 'select sync_state from pg_stat_replication')) === 'sync')
    const { host } = new URL(second.url)
    node = await serve({
      DATA_DIR: newFolder(),
      DATABASE_URL: `${first.url.replace(/(?=\/postgres$)/, `,${host}`)}?target_session_attrs=read-write`,
      SERVER_SECRET,
      OPERATOR_TOKEN,
      BURST_PER_MINUTE: '0',
    })
    company = await node.diwan.company()
  })
  afterAll(async () => {
    await node?.end('SIGKILL')
    await second?.stop()
    await first?.stop()
  })

  const isReady = async () => (await node.diwan.client('').get('/ready')).status === 200
  const goOn = async (writes: Writes) => {
    const before = writes.acknowledged.length
    await until(async () => writes.acknowledged.length > before + 20)
  }

  it('lose no acknowledged write when the first is killed: 503 without a primary, served after the promotion', async () => {
    const writes = keepWriting([company.api])
    await goOn(writes)
    expect(writes.others).toEqual([])
    await first.halt('SIGKILL')
    await until(async () => !(await isReady()))
    const refused = writes.others.length
    await until(async () => writes.others.length > refused + 10)

    await askPostgres(second.url, 'select pg_promote()')
    await goOn(writes)
    await writes.stop()
    await until(isReady)
    expect(new Set(writes.others.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
      new Set(['503 unavailable']),
    )
    expect(await missingFrom(company.api, writes)).toEqual([])
  })

  it('are told apart when the old primary is back and takes no writes: no connection goes there', async () => {
    await first.resume(['default_transaction_read_only=on'])
    await askPostgres(
      second.url,
      "select count(pg_terminate_backend(pid, 60000)) from pg_stat_activity where application_name = 'diwan'",
    )
    await until(isReady)
    const answers = await Promise.all(Array.from({ length: 20 }, () => company.api.post('/projects', { name: 'Desk' })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  })
})
