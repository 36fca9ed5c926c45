import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import {
  type Env,
  embedded,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
} from '../support/server-process.ts'
import { until } from '../support/servers.ts'

let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer({ passingOverInvitations: true })
})
beforeEach(() => {
  mail.received.length = 0
  mail.mood = 'accept'
})

const withMail = (env: Env): Env => ({
  ...env,
  SMTP_URL: mail.url,
  MAIL_FROM: 'diwan@example.com',
  PUBLIC_URL: 'https://diwan.example.com/pm/',
})

async function furnish({ diwan }: ServerProcess) {
  const company = await diwan.company()
  const omar = await diwan.person(company.id)
  return { company, omar }
}

const invite = async ({ api }: TestCompany, email: string): Promise<number> => {
  const event = { name: 'Site visit', starts_at: '2030-12-01T10:00', ends_at: '2030-12-01T11:30' }
  const details = { description: 'Bring a helmet.', meeting_url: 'https://meet.example.com/site' }
  return (await created(api.post('/events', { ...event, ...details, attendee_emails: [email] }))).data.id
}
const change = async ({ api }: TestCompany, event: number, fields: object) =>
  expect((await api.patch(`/events/${event}`, fields)).status).toBe(200)
const cancel = async ({ api }: TestCompany, event: number) =>
  expect((await api.delete(`/events/${event}`)).status).toBe(200)

const subjects = () => mail.received.map(({ headers }) => headers.subject)
const seen = (text: string | undefined) => text?.replace(/[\u2066\u2068\u2069]/g, '').replace(/ +/g, ' ')

async function expectOrder(server: ServerProcess) {
  const { company, omar } = await furnish(server)
  mail.mood = 'refuse'
  const before = mail.attempts()
  const event = await invite(company, omar.email)
  await until(async () => mail.attempts() > before)
  // From here on every mail is accepted, and the next mails are due before the invitation is retried.
  mail.mood = 'accept'
  await change(company, event, { name: 'Visit', starts_at: '2030-12-01T09:00' })
  await cancel(company, event)
  await until(async () => mail.received.length === 3, 120_000)
  expect(subjects()).toEqual(['Invitation: Site visit', 'Changed: Visit', 'Cancelled: Visit'])
}

async function expectThread() {
  const [first, second, third] = mail.received.map(({ headers }) => headers)
  const ids = [first, second, third].map(headers => headers?.['message-id'])
  expect(new Set(ids).size).toBe(3)
  expect([first?.['in-reply-to'], first?.references]).toEqual([undefined, undefined])
  expect([second?.['in-reply-to'], second?.references]).toEqual([ids[0], ids[0]])
  expect([third?.['in-reply-to'], third?.references]).toEqual([ids[1], `${ids[0]} ${ids[1]}`])
}

describe('Mails about one event, from the embedded database,', () => {
  it('keep their order when the first is refused for a while, and form a thread', async () => {
    const server = await serve(withMail(embedded()))
    await expectOrder(server)
    await expectThread()
    await server.end('SIGTERM')
  })
})

describe.skipIf(!inject('postgresUrl'))('Mails about one event', () => {
  let server: ServerProcess
  let company: TestCompany
  let omar: { id: number; email: string }
  let db: pg.Client
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await createPostgresDatabase()
    drop = database.drop
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR: newFolder(),
      SERVER_SECRET,
      OPERATOR_TOKEN,
      BURST_PER_MINUTE: '0',
    }
    server = await serve(withMail(env))
    db = new pg.Client(database.url)
    await db.connect()
    ;({ company, omar } = await furnish(server))
  })
  afterAll(async () => {
    await server?.end('SIGTERM')
    await db?.end()
    await drop?.()
  })

  // Mails left over from an earlier test, such as the refused invitation to Diwan, would otherwise be retried in between.
  beforeEach(async () => {
    await until(async () => {
      await db.query(
        `update pgboss.job set start_after = now() where name like 'mail-%' and state in ('created', 'retry')`,
      )
      const { rows } = await db.query(
        `select count(*) from pgboss.job where name like 'mail-%' and state in ('created', 'retry', 'active')`,
      )
      return Number(rows[0].count) === 0
    })
    mail.received.length = 0
  })

  /** The jobs of the mails to a person about an event, oldest first. */
  const jobsOf = async (event: number) =>
    (
      await db.query<{ state: string; retry_count: number; is_due: boolean }>(
        `select j.state, j.retry_count, j.start_after <= now() as is_due from notifications n join pgboss.job j on j.id = n.mail_id
         join notices w on w.company_id = n.company_id and w.id = n.notice_id
         where n.company_id = $1 and n.user_id = $2 and w.subject_type = 'event' and w.subject_id = $3 order by n.id`,
        [company.id, omar.id, String(event)],
      )
    ).rows
  const refusedInvitation = async () => {
    mail.mood = 'refuse'
    const event = await invite(company, omar.email)
    await until(async () => (await jobsOf(event))[0]?.state === 'retry')
    return event
  }
  /** It may just be tried again. */
  const putInvitationOff = () =>
    until(async () => {
      await db.query(`update pgboss.job set start_after = now() + interval '1 hour' where state = 'retry'`)
      const { rowCount } = await db.query(`select from pgboss.job where name like 'mail-%'
        and (state = 'active' or state = 'retry' and start_after < now() + interval '1 minute')`)
      return rowCount === 0
    })

  it('keep their order when the first is refused for a while, and form a thread', async () => {
    await expectOrder(server)
    await expectThread()
  })

  it('say what changed, and where everything is to be found', async () => {
    const event = await invite(company, omar.email)
    await until(async () => mail.received.length === 1)
    const zone = '(Saudi Arabia Time)'
    for (const words of [
      '11:30',
      zone,
      'https://meet.example.com/site',
      'Bring a helmet.',
      'https://diwan.example.com/pm',
    ])
      expect(seen(mail.received[0]?.text)).toContain(words)
    await change(company, event, { name: 'Visit', ends_at: '2030-12-01T12:00', meeting_url: null })
    await until(async () => mail.received.length === 2)
    const changes = seen(mail.received[1]?.text)
      ?.split('\n\n')
      .find(paragraph => paragraph.startsWith('What changed:'))
    expect(changes?.split('\n')).toEqual([
      'What changed:',
      'Name: from “Site visit” to “Visit”',
      expect.stringMatching(/^Time: from .*11:30 to .*12:00 \(Saudi Arabia Time\)$/),
      expect.stringContaining('https://meet.example.com/site'),
    ])
  })

  it('wait for the first without being tried, and for no longer than it is tried itself', async () => {
    const event = await refusedInvitation()
    await putInvitationOff()
    const attempts = mail.attempts()
    await change(company, event, { name: 'Visit' })
    await until(async () => (await jobsOf(event))[1]?.state === 'retry')
    expect(await jobsOf(event)).toMatchObject([{ is_due: false }, { is_due: false, retry_count: 0 }])
    expect(mail.attempts()).toBe(attempts)
    // The invitation fails for good, and the change goes out without it.
    await db.query(
      `update pgboss.job set retry_limit = retry_count + 1, start_after = now() - interval '1 hour'
      where id = (select n.mail_id from notifications n join notices w on w.company_id = n.company_id and w.id = n.notice_id
        where w.subject_type = 'event' and w.subject_id = $1 order by n.id limit 1)`,
      [String(event)],
    )
    await until(async () => (await jobsOf(event))[0]?.state === 'failed')
    mail.mood = 'accept'
    await db.query(`update pgboss.job set start_after = now() where state = 'retry'`)
    await until(async () => mail.received.length === 1)
    expect(subjects()).toEqual(['Changed: Visit'])
    expect(mail.received[0]?.headers['in-reply-to']).toBeUndefined()
    // If the invitation is run again now, it is not sent, because it would be out of date.
    const failed = (await server.diwan.operator.get('/jobs/failed')).body.data
    expect(failed).toHaveLength(1)
    expect((await server.diwan.operator.post(`/jobs/failed/${failed[0].id}/retry`)).status).toBe(200)
    await until(async () => (await jobsOf(event)).length === 0)
    expect(mail.received).toHaveLength(1)
  })

  it('wait for a day at most', async () => {
    const event = await refusedInvitation()
    await putInvitationOff()
    mail.mood = 'accept'
    await change(company, event, { name: 'Visit' })
    await until(async () => (await jobsOf(event))[1]?.state === 'retry')
    await db.query(
      `update notifications n set created_at = now() - interval '25 hours' from notices w
       where w.company_id = n.company_id and w.id = n.notice_id and w.subject_id = $1`,
      [String(event)],
    )
    await db.query(
      `update pgboss.job set start_after = now() where state = 'retry' and retry_count = 0 and started_on is null`,
    )
    await until(async () => mail.received.length === 1)
    expect(subjects()).toEqual(['Changed: Visit'])
  })

  it('do not wait for those to other people or about other events', async () => {
    await refusedInvitation()
    await putInvitationOff()
    mail.mood = 'accept'
    const sara = await server.diwan.person(company.id)
    await invite(company, omar.email)
    await invite(company, sara.email)
    await until(async () => mail.received.length === 2)
    expect(mail.received.flatMap(({ to }) => to).sort()).toEqual([omar.email, sara.email].sort())
  })
})
