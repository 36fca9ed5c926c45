import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { created } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { random } from '../support/random.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { type Env, newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve, work } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { tell } from '../support/trial.ts'

/** Tasks are created until there were as many. */
const FEWEST_KILLS = 4

/** Kills the workers again and again while this many tasks are created, or more. */
export function describeKilledDeliveries(tasks: number): void {
  describeWith('postgres', 'Workers that tell webhooks', () => {
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

    /** Deliveries that a killed worker had claimed are released after a minute; a test need not wait for that. */
    const release = () => db.query(`update webhook_deliveries set next_attempt_at = now() where claim is not null`)

    it(`killed again and again while ${tasks} tasks are created: each is told of, and every signature is good`, async () => {
      const server = await serve(env)
      const company = await server.diwan.company()
      const list = await newList(company, (await server.diwan.project(company)).id)
      // From some message on the receiver keeps silent, so that the workers are killed while deliveries are on their way.
      let silentFrom = Number.POSITIVE_INFINITY
      // What was received and not answered is not told: whoever sent it cannot know that it came.
      const told = new Set<string>()
      const receiver = await startReceiver((response, { body }, received) => {
        if (received.length >= silentFrom) return
        setTimeout(() => response.end(() => told.add(body.id)), random() * 40)
      })
      const { secret } = (
        await created(company.admin.post('/webhooks', { name: 'All', url: receiver.url, kinds: ['task.created'] }))
      ).data

      const expected = new Set<string>()
      const delivered = `select 1 from webhook_deliveries where state = 'delivered'`
      const areAllDelivered = async () => (await db.query(delivered)).rowCount === expected.size
      let kills = 0
      let isWriting = true
      const writing = (async () => {
        while (expected.size < tasks || kills < FEWEST_KILLS) {
          expected.add((await newTask(company, list.id)).id)
          await sleep(expected.size < tasks ? 20 : 200)
        }
      })().finally(() => {
        isWriting = false
      })
      // Awaited below.
      writing.catch(() => {})
      for (; isWriting; kills += 2) {
        const workers = await Promise.all([work(env), work(env)])
        silentFrom = receiver.received.length + 1 + random() * 6
        await until(async () => receiver.received.length >= silentFrom || (!isWriting && (await areAllDelivered())))
        for (const worker of workers) await worker.end('SIGKILL')
        silentFrom = Number.POSITIVE_INFINITY
        await release()
      }
      await writing
      const last = await work(env)
      await until(areAllDelivered)
      expect(told).toEqual(expected)
      const ids = new Map(receiver.received.map(({ body, headers }) => [headers['webhook-id'], body.id]))
      expect(ids.size).toBe(expected.size)
      // A message is repeated only if its worker was killed between sending it and recording that.
      expect(receiver.received.length - expected.size).toBeLessThanOrEqual(kills * 2)
      expect(receiver.received.filter(message => !isGenuine(secret, message))).toEqual([])
      expect(receiver.mostAtOnce()).toBeLessThanOrEqual(4)
      const repeats = receiver.received.length - expected.size
      tell('webhooks', { tasks: expected.size, kills, messages: ids.size, 'sent again': repeats })
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
