import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList } from '../support/factories.ts'
import { type Haproxy, startHaproxy } from '../support/haproxy.ts'
import { startNginx } from '../support/nginx.ts'
import { findParts } from '../support/parts.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, type ServerProcess, serve } from '../support/server-process.ts'
import { askPostgres, freePort, POSTGRES_TEMPLATE, type StartedServer, startRedis, until } from '../support/servers.ts'
import { hasTakenWrites } from '../support/taken-writes.ts'

const parts = findParts()
const WRITERS_OF_A_PROXY = 3
/** Longer than nginx leaves a node alone after a failed call (fail_timeout). */
const UNTIL_NGINX_TRIES_AGAIN = 1500

describe.skipIf(!inject('postgresUrl') || !parts.redis || !parts.haproxy || !parts.nginx)(
  'Three nodes under load, behind HAProxy and nginx',
  () => {
    let database: Awaited<ReturnType<typeof createPostgresDatabase>>
    let redis: StartedServer
    let start: (n: number) => Promise<ServerProcess>
    let nodes: ServerProcess[]
    let proxies: Haproxy[]
    let company: TestCompany
    let listId: string

    beforeAll(async () => {
      database = await createPostgresDatabase(POSTGRES_TEMPLATE)
      redis = await startRedis(parts.redis as string)
      const env = {
        DATA_DIR: newFolder(),
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        SERVER_SECRET,
        OPERATOR_TOKEN,
        BURST_PER_MINUTE: '0',
        TRUST_PROXY: 'loopback',
        WORKER: 'off',
      }
      const ports = [await freePort(), await freePort(), await freePort()]
      start = n => serve({ ...env, PORT: String(ports[n]) })
      nodes = await Promise.all(ports.map((_, n) => start(n)))
      const addresses = ports.map(port => `127.0.0.1:${port}`)
      proxies = [
        await startHaproxy(parts.haproxy as string, addresses),
        await startNginx(parts.nginx as string, addresses),
      ]
      const { diwan } = nodes[0] as ServerProcess
      company = await diwan.company({ daily_calls: 1_000_000 })
      listId = (await newList(company, (await diwan.project(company)).id)).id
    })
    afterAll(async () => {
      await Promise.all(proxies?.map(proxy => proxy.stop()) ?? [])
      await Promise.all(nodes?.map(node => node.end('SIGKILL')) ?? [])
      await redis?.stop()
      await database?.drop()
    })

    /** Creates tasks through both proxies, one after the other on each connection, until it is told to stop. */
    function write() {
      const made: string[] = []
      const remaining: number[] = []
      const failed: string[] = []
      let isWriting = true
      const add = async (proxy: Haproxy) => {
        const headers = { authorization: `Bearer ${company.key}` }
        const sent = { method: 'POST', headers, body: { title: 'شراء الأثاث' } }
        const answer = await proxy.ask(`/api/v1/lists/${listId}/tasks`, sent)
        if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
        made.push(JSON.parse(answer.text).data.id)
        remaining.push(Number(answer.headers['x-ratelimit-remaining']))
      }
      const writers = proxies.flatMap((proxy, n) =>
        Array.from({ length: WRITERS_OF_A_PROXY }, async () => {
          while (isWriting) {
            await add(proxy).catch(error => failed.push(`${['HAProxy', 'nginx'][n]}: ${error.message}`))
            await sleep(50)
          }
        }),
      )
      return {
        made,
        remaining,
        failed,
        async stop() {
          isWriting = false
          await Promise.all(writers)
        },
      }
    }

    const callsOfToday = async () =>
      Number(await askPostgres(database.url, `select sum(calls) from calls_by_day where company_id = ${company.id}`))

    it('are restarted one after the other without a single failed call', async () => {
      const load = write()
      for (const n of nodes.keys()) {
        await until(() => hasTakenWrites(nodes[n] as ServerProcess))
        expect(await nodes[n]?.end('SIGTERM')).toEqual({ code: 0, signal: null })
        nodes[n] = await start(n)
        await until(() => hasTakenWrites(nodes[n] as ServerProcess))
      }
      await load.stop()
      expect(load.failed).toEqual([])
      expect(load.made.length).toBeGreaterThan(100)
    })

    it('fail only the calls that were under way when two of them were killed, lose no write and count every call once', async () => {
      const before = await callsOfToday()
      const load = write()
      // The third node may have been away just now, and has to serve alone.
      await sleep(UNTIL_NGINX_TRIES_AGAIN)
      await until(async () => load.made.length > 50)
      await Promise.all(nodes.slice(0, 2).map(node => node.end('SIGKILL')))
      const madeByThen = load.made.length
      await until(async () => load.made.length > madeByThen + 100)
      await load.stop()

      // Each writer had one call under way.
      expect(load.failed.length, load.failed.join('\n')).toBeLessThanOrEqual(2 * WRITERS_OF_A_PROXY)
      const kept = await askPostgres(
        database.url,
        `select json_agg(ref)::text from tasks where company_id = ${company.id}`,
      )
      expect(load.made.filter(ref => !kept.includes(`"${ref}"`))).toEqual([])
      const counted = (await callsOfToday()) - before
      expect(counted).toBeGreaterThanOrEqual(load.made.length)
      expect(counted).toBeLessThanOrEqual(load.made.length + load.failed.length)
      expect(new Set(load.remaining).size).toBe(load.made.length)
    })
  },
)
