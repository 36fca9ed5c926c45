import fc from 'fast-check'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { createEncryption } from '../../../src/domain/installation/encryption.ts'
import type { Attempt, WebhookRequest } from '../../../src/domain/ports/webhook-sender.ts'
import { claimNext, MOST_IN_FLIGHT } from '../../../src/jobs/webhooks/claims.ts'
import { deliver, type WebhookParts } from '../../../src/jobs/webhooks/deliver.ts'
import { createDeliveries } from '../../../src/jobs/webhooks/outbox.ts'
import { SERVER_SECRET, type TestApp } from '../../support/app.ts'
import { created } from '../../support/diwan.ts'
import { newList, newTask } from '../../support/factories.ts'
import { seed } from '../../support/random.ts'
import { until } from '../../support/servers.ts'
import { scheduleStatements } from './scheduled-db.ts'

const TASKS = 4
const PAUSES_MS = [0, 0]
const ACCEPTED: Attempt = { error: null, status: 200, ms: 1, response: null, retryAfterSeconds: null }
const REFUSED: Attempt = { ...ACCEPTED, error: 'status_500', status: 500 }

/**
 * Several workers tell one receiver of changes, who refuses some. In whatever order statements and requests are sent and
 * answered: no delivery is on its way twice at a time, each is sent once for every attempt that is recorded, none is forgotten,
 * and one worker alone sends them in the order of the changes.
 */
export async function expectEachSentOncePerAttempt(app: TestApp, runs: number): Promise<void> {
  const { db } = app.database
  const company = await app.diwan.company()
  const list = await newList(company, (await app.diwan.project(company)).id)
  const deliveriesOf = (id: string) =>
    db.many<{ message_id: string; state: string; attempts: number }>(sql`
      select message_id, state, attempts from webhook_deliveries where company_id = ${company.id} and webhook_id = ${id}
      order by id`)
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.integer({ min: 1, max: 6 }),
    fc.infiniteStream(fc.nat({ max: 3 }).map(n => n === 0)),
    async (scheduler, workers, refusals) => {
      const hook = { name: 'All', url: 'https://hooks.example.com/', kinds: ['task.created'] }
      const { id } = (await created(company.admin.post('/webhooks', hook))).data
      const webhook = { company_id: company.id, id }
      for (let n = 0; n < TASKS; n++) await newTask(company, list.id)
      // What was committed while somebody else's transaction was open is told once that has ended.
      await until(async () => {
        await createDeliveries(db, [webhook])
        return (await deliveriesOf(id)).length === TASKS
      })

      const sent: string[] = []
      const onTheirWay = new Set<string>()
      const send = async ({ headers }: WebhookRequest): Promise<Attempt> => {
        const message = headers['webhook-id'] as string
        expect(onTheirWay.has(message)).toBe(false)
        onTheirWay.add(message)
        expect(onTheirWay.size).toBeLessThanOrEqual(MOST_IN_FLIGHT)
        sent.push(message)
        await scheduler.schedule(Promise.resolve(), `answer to ${message}`)
        onTheirWay.delete(message)
        return refusals.next().value ? REFUSED : ACCEPTED
      }
      const parts = {
        db: scheduleStatements(db, scheduler),
        jobs: app.jobs,
        encryption: createEncryption(SERVER_SECRET),
        webhookSender: { send, problemOf: async () => undefined },
        readRecord: async () => null,
        log: pino({ level: 'silent' }),
      } as unknown as WebhookParts
      const work = async () => {
        for (;;) {
          const claim = await claimNext(parts.db, webhook)
          if (!claim) return
          await deliver(parts, claim, PAUSES_MS, new AbortController().signal)
        }
      }
      // A worker that finds all places taken leaves; whoever has one goes on until nothing is due.
      await scheduler.waitFor(Promise.all(Array.from({ length: workers }, work)))
      await scheduler.waitFor(work())

      const rows = await deliveriesOf(id)
      expect(rows).toHaveLength(TASKS)
      for (const { message_id, state, attempts } of rows) {
        expect(sent.filter(message => message === message_id)).toHaveLength(attempts)
        expect([state, attempts <= PAUSES_MS.length + 1]).toEqual([expect.stringMatching(/^(delivered|failed)$/), true])
        if (state === 'failed') expect(attempts).toBe(PAUSES_MS.length + 1)
      }
      const firsts = [...new Set(sent)]
      if (workers === 1) expect(firsts).toEqual(rows.map(({ message_id }) => message_id))
      expect((await company.admin.delete(`/webhooks/${id}`)).status).toBe(200)
    },
  )
  await fc.assert(property, { numRuns: runs, seed })
}
