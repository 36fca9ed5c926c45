import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../support/describe-with.ts'
import type { TestCompany } from '../support/diwan.ts'
import { OPERATOR_TOKEN, type ServerProcess, serve, withPostgres } from '../support/server-process.ts'
import { askPostgres, type StartedPostgres, startPostgres, until } from '../support/servers.ts'

describeWith('postgres', 'A node that may read from a replica', paths => {
  let primary: StartedPostgres
  let standby: StartedPostgres
  let node: ServerProcess
  let company: TestCompany

  beforeAll(async () => {
    primary = await startPostgres(paths.postgres)
    await askPostgres(primary.url, "alter database postgres set synchronous_commit = 'on'")
    standby = await startPostgres(paths.postgres, primary)
    node = await serve(withPostgres(primary.url, { DATABASE_REPLICA_URL: standby.url, WORKER: 'off' }))
    company = await node.diwan.company()
  })
  afterAll(async () => {
    await node?.end('SIGKILL')
    await standby?.stop()
    await primary?.stop()
  })

  async function readsFromReplica(): Promise<number> {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
    const text = await (await fetch(`${node.url}/metrics`, { headers })).text()
    return Number(text.match(/^diwan_reads_total\{from="replica"\} (\d+)$/m)?.[1] ?? 0)
  }
  const isTold = (state: string) =>
    until(async () => {
      const { body } = await node.diwan.operator.get('/health')
      return body.data.parts.find(({ name }: { name: string }) => name === 'replica').state === state
    })
  let writes = 0
  async function writeAndRead(): Promise<void> {
    const name = `Move${++writes}`
    const { status, body } = await company.api.post('/projects', { name, external_id: name })
    expect(status).toBe(201)
    const page = await company.api.get(`/projects?external_id=${name}`)
    expect(page.body.data.map(({ id }: { id: string }) => id)).toEqual([body.data.id])
  }
  const isUsed = async () => {
    const before = await readsFromReplica()
    await until(async () => {
      await writeAndRead()
      return (await readsFromReplica()) > before
    })
  }

  it('reads its own writes there, and all from the primary while it is behind, silent or gone', async () => {
    await isUsed()
    await isTold('ok')
    await askPostgres(standby.url, 'select pg_wal_replay_pause()')
    await until(async () => (await askPostgres(standby.url, 'select pg_get_wal_replay_pause_state()')) === 'paused')
    await writeAndRead()
    await isTold('degraded')
    await askPostgres(standby.url, 'select pg_wal_replay_resume()')
    await isUsed()
    await standby.halt('SIGKILL')
    for (let n = 0; n < 3; n++) await writeAndRead()
    await isTold('down')
    await standby.resume()
    await isUsed()
  })
})
