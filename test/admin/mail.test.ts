import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSmtpMailer } from '../../src/adapters/mail-smtp.ts'
import type { Scanner } from '../../src/domain/ports/virus-scanner.ts'
import { useOwnApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newComment, newDiscussion } from '../support/factories.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/servers.ts'
import { startTestWorker } from '../support/worker.ts'

const app = useOwnApp({ sendsMail: true })
let mail: MailServer
let stop: () => Promise<void>
let company: TestCompany
let project: { id: string }
let omar: { id: number; email: string }

beforeAll(async () => {
  mail = await startMailServer({ passingOverInvitations: true })
  const mailer = createSmtpMailer(mail.url, 'Diwan <diwan@example.com>')
  const worker = startTestWorker(app, {} as Scanner, { mailer })
  stop = async () => {
    await worker.stop()
    mailer.close()
  }
  company = await app.diwan.company()
  omar = await app.diwan.person(company.id)
  await app.diwan.person(company.id, { language: 'ar' })
  project = await app.diwan.project(company)
})
afterAll(() => stop())

/** The number of jobs that send mail, in these states. */
async function jobs(...states: string[]): Promise<number> {
  const { rows } = await app.database.pool.query(
    `select count(*) from pgboss.job where name like 'mail-%' and state::text = any ($1)`,
    [states],
  )
  return Number(rows[0].count)
}
/** Skips the pauses between attempts, so that a test need not wait for them. */
const hurry = () =>
  app.database.pool.query(`update pgboss.job set start_after = now() where state in ('created', 'retry')`)
/** Repeated, because a mail that is being tried at that moment is paused again afterwards. */
const hurriedUntil = (condition: () => Promise<boolean>) =>
  until(async () => {
    await hurry()
    return condition()
  })
const settled = () => hurriedUntil(async () => (await jobs('created', 'retry', 'active')) === 0)
/** None of them is tried until the others have gone out. */
const putOff = () =>
  until(async () => {
    await app.database.pool.query(
      `update pgboss.job set start_after = now() + interval '1 hour' where name like 'mail-%' and state = 'retry'`,
    )
    return (await jobs('active')) === 0
  })
async function unmailed(): Promise<number> {
  const { data } = (await company.admin.get('/notifications?limit=100')).body
  const isLeft = ({ kind, emailed_at }: { kind: string; emailed_at: string | null }) =>
    kind !== 'invitation' && emailed_at === null
  return data.filter(isLeft).length
}
const discuss = (title: string) => newDiscussion(company, project.id, { title })
const subjects = () => mail.received.map(({ headers }) => headers.subject)

// Mails of an earlier test would otherwise go out in between.
beforeEach(async () => {
  mail.mood = 'accept'
  await settled()
  mail.received = []
})

describe('A mail', () => {
  it('that is refused, cut off or has nowhere to go arrives later, once, and is noted', async () => {
    for (const mood of ['refuse', 'drop', 'down'] as const) {
      mail.received = []
      if (mood === 'down') await mail.down()
      else mail.mood = mood
      await discuss('Topic')
      await until(async () => (await jobs('retry')) === 2)
      expect([mood, mail.received.length, await unmailed()]).toEqual([mood, 0, 2])
      if (mood === 'down') await mail.up()
      mail.mood = 'accept'
      await hurriedUntil(async () => (await unmailed()) === 0)
      expect([mood, new Set(mail.received.map(({ headers }) => headers['message-id'])).size]).toEqual([mood, 2])
      expect(mail.received).toHaveLength(2)
    }
  })

  it('never slows a request: discussions are answered while the mail server says nothing', async () => {
    mail.mood = 'stall'
    const before = mail.attempts()
    await discuss('First')
    await until(async () => mail.attempts() > before)
    for (let n = 0; n < 3; n++) await discuss(`Next ${n}`)
    expect([mail.received.length, await jobs('active')]).toEqual([0, expect.toSatisfy(count => count > 0)])
    mail.mood = 'accept'
    // Nobody waits until its client gives up.
    await mail.down()
    await mail.up()
    await hurriedUntil(async () => (await unmailed()) === 0)
    expect(mail.received).toHaveLength(8)
  })

  it('that failed for good is shown to the operator with its reason, and arrives when it is run again', async () => {
    mail.mood = 'refuse'
    await discuss('Topic')
    await until(async () => (await jobs('retry')) === 2)
    const failed = async () => (await app.diwan.operator.get('/jobs/failed')).body.data
    await hurriedUntil(async () => {
      await app.database.pool.query(`update pgboss.job set retry_limit = retry_count + 1 where state = 'retry'`)
      return (await failed()).length === 2
    })
    expect((await failed())[0]).toMatchObject({ kind: 'mail-notification', error: expect.stringContaining('Not now') })
    mail.mood = 'accept'
    for (const { id } of await failed())
      expect((await app.diwan.operator.post(`/jobs/failed/${id}/retry`)).status).toBe(200)
    await until(async () => (await unmailed()) === 0)
    expect([mail.received.length, (await failed()).length]).toEqual([2, 0])
  })

  it('of a reply comes after that of its discussion, in one thread, although the first ones were refused', async () => {
    mail.mood = 'refuse'
    const { id } = await discuss('Topic')
    for (let n = 0; n < 2; n++) await newComment(company, `/discussions/${id}`)
    await until(async () => (await unmailed()) === 6 && (await jobs('retry')) > 0)
    mail.mood = 'accept'
    await hurriedUntil(async () => (await unmailed()) === 0)
    const english = mail.received.filter(({ to }) => to[0] === omar.email).map(({ headers }) => headers)
    expect(english.map(({ subject }) => subject?.replace(/[\u2068\u2069]/g, ''))).toEqual([
      'New discussion: Topic',
      'New reply: Topic',
      'New reply: Topic',
    ])
    for (const { references } of english.slice(1)) expect(references).toContain(english[0]?.['message-id'])
  })

  it('is not sent to somebody who has left in the meantime', async () => {
    const leaver = await app.diwan.person(company.id)
    await settled()
    mail.received = []
    mail.mood = 'refuse'
    await discuss('Topic')
    await until(async () => (await jobs('retry')) === 3)
    await putOff()
    await company.admin.patch(`/users/${leaver.id}`, { active: false })
    mail.mood = 'accept'
    await settled()
    expect(mail.received).toHaveLength(2)
    expect(mail.received.flatMap(({ to }) => to)).not.toContain(leaver.email)
    expect(await unmailed()).toBe(1)
    await app.database.pool.query('delete from notifications where user_id = $1', [leaver.id])
  })
})

describe('Mails about one event', () => {
  const invite = async (email: string): Promise<number> => {
    const event = { name: 'Site visit', starts_at: '2030-12-01T10:00', ends_at: '2030-12-01T11:30' }
    return (await created(company.api.post('/events', { ...event, attendee_emails: [email] }))).data.id
  }
  const rename = async (event: number) =>
    expect((await company.api.patch(`/events/${event}`, { name: 'Visit' })).status).toBe(200)
  /** The jobs of the mails to a person about an event, oldest first. */
  const jobsOf = async (event: number) =>
    (
      await app.database.pool.query<{ id: string; state: string; retry_count: number }>(
        `select j.id, j.state, j.retry_count from notifications n join pgboss.job j on j.id = n.mail_id
         join notices w on w.company_id = n.company_id and w.id = n.notice_id
         where n.company_id = $1 and n.user_id = $2 and w.subject_type = 'event' and w.subject_id = $3 order by n.id`,
        [company.id, omar.id, String(event)],
      )
    ).rows
  const refusedInvitation = async () => {
    mail.mood = 'refuse'
    const event = await invite(omar.email)
    await until(async () => (await jobsOf(event))[0]?.state === 'retry')
    await putOff()
    mail.mood = 'accept'
    return event
  }
  /** Lets the mails go on that have not been tried, and leaves the invitation alone. */
  const letOthersGoOn = () =>
    app.database.pool.query(
      `update pgboss.job set start_after = now() where name like 'mail-%' and state in ('created', 'retry') and retry_count = 0 and started_on is null`,
    )

  it('keep their order when the first is refused for a while, and form a thread', async () => {
    const event = await refusedInvitation()
    await rename(event)
    expect((await company.api.delete(`/events/${event}`)).status).toBe(200)
    await hurriedUntil(async () => mail.received.length === 3)
    expect(subjects()).toEqual(['Invitation: Site visit', 'Changed: Visit', 'Cancelled: Visit'])
    const headers = mail.received.map(each => each.headers)
    const [first, second, third] = headers.map(each => each['message-id'])
    expect(new Set([first, second, third]).size).toBe(3)
    expect(headers.map(each => [each['in-reply-to'], each.references])).toEqual([
      [undefined, undefined],
      [first, first],
      [second, `${first} ${second}`],
    ])
  })

  it('wait for the first without being tried, until that has failed for good, which then is not sent any more', async () => {
    const event = await refusedInvitation()
    const attempts = mail.attempts()
    await rename(event)
    await until(async () => (await jobsOf(event))[1]?.state === 'retry')
    expect((await jobsOf(event))[1]).toMatchObject({ retry_count: 0 })
    expect(mail.attempts()).toBe(attempts)
    mail.mood = 'refuse'
    const [invitation] = await jobsOf(event)
    await app.database.pool.query(
      `update pgboss.job set retry_limit = retry_count + 1, start_after = now() - interval '1 hour' where id = $1`,
      [invitation?.id],
    )
    await until(async () => (await jobsOf(event))[0]?.state === 'failed')
    mail.mood = 'accept'
    await hurriedUntil(async () => mail.received.length === 1)
    expect([subjects(), mail.received[0]?.headers['in-reply-to']]).toEqual([['Changed: Visit'], undefined])
    expect((await app.diwan.operator.post(`/jobs/failed/${invitation?.id}/retry`)).status).toBe(200)
    await until(async () => (await jobsOf(event)).length === 0)
    expect(mail.received).toHaveLength(1)
  })

  it('wait for a day at most', async () => {
    const event = await refusedInvitation()
    await rename(event)
    await until(async () => (await jobsOf(event))[1]?.state === 'retry')
    await app.database.pool.query(
      `update notifications n set created_at = now() - interval '25 hours' from notices w
       where w.company_id = n.company_id and w.id = n.notice_id and w.subject_type = 'event' and w.subject_id = $1`,
      [String(event)],
    )
    await until(async () => {
      await letOthersGoOn()
      return mail.received.length === 1
    })
    expect(subjects()).toEqual(['Changed: Visit'])
  })

  it('do not wait for those to other people or about other events', async () => {
    await refusedInvitation()
    const sara = await app.diwan.person(company.id)
    await invite(omar.email)
    await invite(sara.email)
    await until(async () => mail.received.length === 2)
    expect(mail.received.flatMap(({ to }) => to).sort()).toEqual([omar.email, sara.email].sort())
  })
})
