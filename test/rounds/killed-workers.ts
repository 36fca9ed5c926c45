import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import type { Client } from '../support/diwan.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { random } from '../support/random.ts'
import {
  type Env,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
  work,
} from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { tell } from '../support/trial.ts'

const PEOPLE = 3
const WRITERS = 6
/** After so many workers one of the servers is killed too, the first time soon. */
const WORKERS_A_SERVER = 20
const MOODS = ['accept', 'refuse', 'drop'] as const

/**
 * Kills two workers at a time, and now and then a server with them, while the mail server fails, until there were as many kills and as
 * many discussions have been created.
 */
export function describeKilledWorkers({
  discussions,
  fewestKills,
}: {
  discussions: number
  fewestKills: number
}): void {
  describeWith('postgres', 'Workers of their own', () => {
    let env: Env
    let db: pg.Client
    let drop: () => Promise<void>
    let mail: MailServer

    beforeAll(async () => {
      const database = await createPostgresDatabase()
      drop = database.drop
      mail = await startMailServer({ passingOverInvitations: true })
      const secrets = { SERVER_SECRET, OPERATOR_TOKEN }
      const smtp = { SMTP_URL: mail.url, MAIL_FROM: 'diwan@example.com' }
      env = {
        DATABASE_URL: database.url,
        DATA_DIR: newFolder(),
        ...secrets,
        ...smtp,
        WORKER: 'off',
        BURST_PER_MINUTE: '0',
      }
      db = new pg.Client(database.url)
      await db.connect()
    })
    afterAll(async () => {
      await db?.end()
      await drop?.()
    })

    const count = async (query: string) => Number((await db.query(query)).rows[0].count)

    it(`killed again and again, and a server with them, while ${discussions} discussions are created: everyone is told of each exactly once`, async () => {
      const servers = [await serve(env), await serve(env)] as [ServerProcess, ServerProcess]
      const { company, project } = await furnish(servers[0])
      // New people are invited, which is not the subject here.
      await db.query('delete from notices')
      await db.query('delete from pgboss.job')

      const created = new Set<string>()
      const kills = { worker: 0, server: 0 }
      const isEnough = () => created.size >= discussions && kills.worker + kills.server >= fewestKills
      const pauseMs = () => (created.size < discussions ? 20 : 500)
      let isWriting = true
      const writing = Promise.all(
        Array.from({ length: WRITERS }, (_, writer) =>
          write(() => servers[writer % 2]?.diwan.api(company.key) as Client, project.id, created, isEnough, pauseMs),
        ),
      ).then(() => {
        isWriting = false
      })

      while (isWriting) {
        mail.mood = MOODS[Math.floor(random() * MOODS.length)] ?? 'accept'
        const workers = await Promise.all([work(env), work(env)])
        await sleep(200 + random() * 600)
        if (kills.worker % WORKERS_A_SERVER === 2) {
          await servers[1].end('SIGKILL')
          kills.server++
          servers[1] = await serve(env)
        }
        for (const worker of workers) await worker.end('SIGKILL')
        kills.worker += workers.length
      }
      await writing
      mail.mood = 'accept'

      const { rows } = await db.query<{ ref: string }>('select ref from discussions')
      const kept = new Set(rows.map(({ ref }) => ref))
      expect([...created].filter(ref => !kept.has(ref))).toEqual([])

      // The jobs of killed workers come back by themselves after a minute; a test need not wait for that.
      const { rows: moments } = await db.query<{ now: Date }>('select now()')
      const last = await work(env)
      await until(
        async () => {
          await db.query(`update pgboss.job set expire_in = '1 second' where state = 'active' and started_on < $1`, [
            moments[0]?.now,
          ])
          await db.query(`update pgboss.job set start_after = now() where state = 'retry'`)
          const untold = await count('select count(*) from notices where told_at is null')
          return untold + (await count('select count(*) from notifications where emailed_at is null')) === 0
        },
        150_000 + 200 * discussions,
      )
      await until(
        async () =>
          (await count(`select count(*) from pgboss.job where state in ('created', 'retry', 'active')`)) === 0,
        60_000,
      )
      expect(await count(`select count(*) from pgboss.job where state = 'failed'`)).toBe(0)
      // Every committed discussion has each of its side effects exactly once, and no side effect exists without one.
      expect(await count('select count(*) from discussions')).toBeGreaterThanOrEqual(created.size)
      expect(
        await count(`with told as (select w.subject_id, n.user_id from notices w join notifications n on n.notice_id = w.id)
        select count(*) from discussions d where
        (select count(*) from timeline_entries t where t.subject_id = d.ref) <> 1
        or (select count(*) from told n where n.subject_id = d.ref) <> ${PEOPLE}
        or (select count(distinct n.user_id) from told n where n.subject_id = d.ref) <> ${PEOPLE}
        or (select count(*) from discussion_subscriptions s where s.discussion_id = d.id) <> ${PEOPLE + 1}`),
      ).toBe(0)
      for (const table of ['timeline_entries', 'notices'])
        expect(await count(`select count(*) from ${table} where subject_id not in (select ref from discussions)`)).toBe(
          0,
        )
      const ids = new Set(mail.received.map(({ headers }) => headers['message-id']))
      expect(ids.size).toBe(await count('select count(*) from notifications'))
      // A mail is repeated only if its worker was killed between delivering it and recording that.
      expect(mail.received.length - ids.size).toBeLessThanOrEqual(kills.worker * 10)
      const mails = { mails: ids.size, attempts: mail.attempts(), 'sent again': mail.received.length - ids.size }
      tell('jobs', { discussions: created.size, workers: kills.worker, servers: kills.server, ...mails })
      expect(await last.end('SIGTERM')).toEqual({ code: 0, signal: null })
      for (const server of servers) expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    })
  })
}

async function furnish({ diwan }: ServerProcess) {
  const company = await diwan.company()
  for (let n = 0; n < PEOPLE; n++) await diwan.person(company.id, { language: n % 2 ? 'ar' : 'en' })
  return { company, project: await diwan.project(company) }
}

/** Creates discussions until there are enough, slowly at last. Every fifth is refused, and one without an answer is not counted. */
async function write(
  api: () => Client,
  project: string,
  created: Set<string>,
  isEnough: () => boolean,
  pauseMs: () => number,
): Promise<void> {
  for (let n = 0; !isEnough(); n++) {
    const title = n % 5 === 4 ? '' : 'Moving day'
    const answer = await api()
      .post(`/projects/${project}/discussions`, { title })
      .catch(() => undefined)
    if (!answer) {
      await sleep(50)
      continue
    }
    expect(answer.status, JSON.stringify(answer.body)).toBe(title === '' ? 422 : 201)
    if (answer.status === 201) created.add(answer.body.data.id)
    await sleep(pauseMs())
  }
}
