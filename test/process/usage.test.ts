import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import type { Client } from '../support/diwan.ts'
import { noonZone } from '../support/noon-zone.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, type ServerProcess, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const KEYS = 3
const CALLS = 200

interface Share {
  key: { id: number } | null
  calls: number
}

describe.skipIf(!inject('postgresUrl'))('Calls by key on two nodes', () => {
  let nodes: [ServerProcess, ServerProcess]
  let env: Record<string, string>
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await createPostgresDatabase()
    drop = database.drop
    env = { DATA_DIR: newFolder(), DATABASE_URL: database.url, SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0' }
    nodes = [await serve(env), await serve({ ...env, DATA_DIR: newFolder() })]
  })

  afterAll(async () => {
    await Promise.all(nodes?.map(node => node.end('SIGKILL')) ?? [])
    await drop?.()
  })

  async function newCompany() {
    const company = await nodes[0].diwan.company({ time_zone: noonZone() })
    const keys = [company.key]
    while (keys.length < KEYS) keys.push(await nodes[0].diwan.key(company.id))
    return { company, keys }
  }

  /** All keys make their calls on this node at once. */
  async function callWith(keys: string[], node: ServerProcess): Promise<void> {
    const callers = keys.flatMap(key => [node.diwan.api(key), node.diwan.api(key)])
    await Promise.all(
      callers.map(async (api: Client) => {
        for (let n = 0; n < CALLS / 2; n++) expect((await api.get('/me')).status).toBe(200)
      }),
    )
  }

  /** Reads the shares of the keys, which must always add up to the calls of the day. */
  async function sharesOf(id: number): Promise<Share[]> {
    const { body } = await nodes[0].diwan.operator.get(`/companies/${id}/usage?days=1&by=key`)
    const [{ calls, by }] = body.data
    expect(by.reduce((sum: number, share: Share) => sum + share.calls, 0)).toBe(calls)
    return by
  }

  it('add up to the calls of the day at every moment, and to those of each key in the end', async () => {
    const { company, keys } = await newCompany()
    let isOver = false
    const asking = (async () => {
      while (!isOver) await sharesOf(company.id)
    })()
    await Promise.all(nodes.map(node => callWith(keys, node)))
    isOver = true
    await asking
    await until(async () => (await sharesOf(company.id)).every(({ key }) => key !== null))
    expect((await sharesOf(company.id)).map(({ calls }) => calls)).toEqual(Array(KEYS).fill(2 * CALLS))
  })

  it('are all attributed when a node is stopped, and partly not when it is killed, but never lost or counted twice', async () => {
    const { company, keys } = await newCompany()
    const all = KEYS * CALLS
    await callWith(keys, nodes[1])
    await nodes[1].end('SIGTERM')
    expect((await sharesOf(company.id)).map(({ key, calls }) => [key !== null, calls])).toEqual(
      Array(KEYS).fill([true, CALLS]),
    )
    nodes[1] = await serve({ ...env, DATA_DIR: newFolder() })
    await callWith(keys, nodes[1])
    // The attributions so far have just been written, as every few seconds, so that of one more call cannot have been.
    await until(async () => (await sharesOf(company.id)).every(({ key }) => key !== null))
    await nodes[1].diwan.api(keys[0]).get('/me')
    await nodes[1].end('SIGKILL')
    const shares = await sharesOf(company.id)
    expect(shares.reduce((sum, { calls }) => sum + calls, 0)).toBe(2 * all + 1)
    expect(shares.at(-1)).toMatchObject({ key: null })
    for (const { key, calls } of shares) if (key) expect(calls).toBeLessThanOrEqual(2 * CALLS + 1)
  })
})
