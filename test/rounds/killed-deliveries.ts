import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import { created } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { type Env, launch, newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

/** Kills the workers again and again while this many tasks are created. */
export function describeKilledDeliveries(tasks: number): void {
  describe.skipIf(!inject('postgresUrl'))('Workers that tell webhooks', () => {
    let env: Env
    let db: pg.Client
    let drop: () => Promise<void>
    beforeAll(async () => {
      const database = await createPostgresDatabase()
      drop = database.drop
      env = {
        DATABASE_URL: database.url,
        DATA_DIR: newFolder(),
        SERVER_SECRET,
        OPERATOR_TOKEN,
        WORKER: 'off',
        BURST_PER_MINUTE: '0',
        ALLOW_PRIVATE_WEBHOOKS: 'on',
      }
      db = new pg.Client(database.url)
      await db.connect()
    })
    afterAll(async () => {
      await db?.end()
      await drop?.()
    })

    const work = async () => {
      const worker = launch(env, ['worker'])
      await until(async () => worker.stdout().includes('working on jobs') || worker.hasExited(), 150_000)
      expect(worker.hasExited(), worker.stderr()).toBe(false)
      return worker
    }

    it(`killed again and again while ${tasks} tasks are created: each is told of, and every signature is good`, async () => {
      const server = await serve(env)
      const company = await server.diwan.company()
      const list = await newList(company, (await server.diwan.project(company)).id)
      const receiver = await startReceiver(response => setTimeout(() => response.end(), Math.random() * 40))
      const { secret } = (
        await created(company.admin.post('/webhooks', { name: 'All', url: receiver.url, kinds: ['task.created'] }))
      ).data

      const expected = new Set<string>()
      const writing = (async () => {
        while (expected.size < tasks) {
          expected.add((await newTask(company, list.id)).id)
          await sleep(20)
        }
      })()
      let kills = 0
      for (let isWriting = true; isWriting; kills += 2) {
        const workers = [await work(), await work()]
        await sleep(300 + Math.random() * 500)
        for (const worker of workers) await worker.end('SIGKILL')
        isWriting = await Promise.race([writing.then(() => false), sleep(0, true)])
      }
      await writing
      expect(kills).toBeGreaterThanOrEqual(2)

      // Deliveries that a killed worker had claimed are released after a minute; a test need not wait for that.
      await db.query(`update webhook_deliveries set next_attempt_at = now() where claim is not null`)
      const last = await work()
      const told = () => new Set(receiver.received.map(({ body }) => body.id as string))
      await until(async () => told().size >= tasks, 120_000)
      const unsettled = `select 1 from webhook_deliveries where state <> 'delivered'`
      await until(async () => (await db.query(unsettled)).rowCount === 0)
      expect(told()).toEqual(expected)
      const ids = new Map(receiver.received.map(({ body, headers }) => [headers['webhook-id'], body.id]))
      expect(ids.size).toBe(tasks)
      // A message is repeated only if its worker was killed between sending it and recording that.
      expect(receiver.received.length - tasks).toBeLessThanOrEqual(kills * 2)
      expect(receiver.received.filter(message => !isGenuine(secret, message))).toEqual([])
      expect(receiver.mostAtOnce()).toBeLessThanOrEqual(4)
      expect(await last.end('SIGTERM')).toEqual({ code: 0, signal: null })
      expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    })
  })
}

function isGenuine(secret: string, { text, headers }: Received): boolean {
  try {
    return Boolean(new Webhook(secret).verify(text, headers as Record<string, string>))
  } catch {
    return false
  }
}
