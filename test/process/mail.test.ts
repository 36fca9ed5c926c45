import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import type { TestCompany } from '../support/diwan.ts'
import { INSTANT, newComment, newDiscussion } from '../support/factories.ts'
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

const withMail = (env: Env): Env => ({ ...env, SMTP_URL: mail.url, MAIL_FROM: 'Diwan <diwan@example.com>' })

/** A company with a project in which one person reads English and one Arabic. */
async function furnish({ diwan }: ServerProcess) {
  const company = await diwan.company()
  const [omar, sara] = [
    await diwan.person(company.id, { name: 'Omar Aziz' }),
    await diwan.person(company.id, { name: 'سارة القحطاني', language: 'ar' }),
  ]
  const project = await diwan.project(company, { name: 'نقل <المكتب>' })
  return { company, omar, sara, project }
}

const unmailed = async (company: TestCompany) => {
  const { data } = (await company.admin.get('/notifications?limit=100')).body
  return data.filter(
    ({ kind, emailed_at }: { kind: string; emailed_at: string | null }) => kind !== 'invitation' && emailed_at === null,
  ).length
}
const receivers = () => mail.received.flatMap(({ to }) => to).sort()

async function expectBothMails(server: ServerProcess) {
  const { company, omar, sara, project } = await furnish(server)
  const title = 'Moving day: "يوم" & <more> 🚀'
  const { id } = await newDiscussion(company, project.id, { title })
  await until(async () => mail.received.length === 2)
  expect(receivers()).toEqual([omar.email, sara.email].sort())
  for (const [person, subject, greeting, direction] of [
    [omar, `New discussion: \u2068${title}\u2069`, 'Hello', 'ltr'],
    [sara, `نقاش جديد: \u2068${title}\u2069`, 'مرحبًا', 'rtl'],
  ]) {
    const received = mail.received.find(({ to }) => to[0] === person.email)
    expect(received?.headers).toMatchObject({ subject, from: 'Diwan <diwan@example.com>', to: person.email })
    expect(received?.headers['content-type']).toMatch(/^multipart\/alternative/)
    for (const words of [person.name, company.owner.name, title, 'نقل <المكتب>'])
      expect(received?.text).toContain(`\u2068${words}\u2069`)
    const place = `/console/companies/${company.id}/projects/${project.id}/discussions/${id}#language=`
    expect(received?.text).toContain(server.url + place)
    expect(received?.html).toContain(`dir="${direction}"`)
    expect(received?.html).toContain(`${greeting} <bdi>${person.name}</bdi>`)
    expect(received?.html).not.toMatch(/<more>|<المكتب>/)
  }
  await until(async () => (await unmailed(company)) === 0)
  const { data } = (await company.admin.get('/notifications?limit=2')).body
  expect(data).toMatchObject(Array(2).fill({ kind: 'discussion_created', emailed_at: INSTANT }))
}

describe('Mail from the embedded database', () => {
  it('arrives in the language of each person, as text and HTML, and is noted', async () => {
    const server = await serve(withMail(embedded()))
    await expectBothMails(server)
    await server.end('SIGTERM')
  })
})

describe.skipIf(!inject('postgresUrl'))('Mail', () => {
  let server: ServerProcess
  let company: TestCompany
  let project: { id: string }
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
    ;({ company, project } = await furnish(server))
  })
  afterAll(async () => {
    await server?.end('SIGTERM')
    await db?.end()
    await drop?.()
  })

  const jobs = async (state: string) =>
    Number(
      (await db.query(`select count(*) from pgboss.job where name = 'mail-notification' and state = $1`, [state]))
        .rows[0].count,
    )
  const untilUnmailed = (count: number) => until(async () => (await unmailed(company)) === count)
  /** Skips the pauses between retries, so that a test need not wait for them. */
  const hurry = () => db.query(`update pgboss.job set start_after = now() where state = 'retry'`)
  /** Repeated, because a mail that is being tried at that moment is paused again afterwards. */
  const hurriedUntil = (condition: () => Promise<boolean>, withinMs?: number) =>
    until(async () => {
      await hurry()
      return condition()
    }, withinMs)
  const discuss = async (count: number) => {
    for (let n = 0; n < count; n++) await newDiscussion(company, project.id, { title: `Topic ${n}` })
  }

  it('arrives in the language of each person, as text and HTML, and is noted', () => expectBothMails(server))

  it.each([
    ['refuses', 'refuse'],
    ['hangs up', 'drop'],
  ] as const)('that the server %s for a while arrives after it takes mail again, each once', async (_, mood) => {
    mail.mood = mood
    await discuss(3)
    await until(async () => (await jobs('retry')) === 6)
    expect([mail.received.length, await unmailed(company)]).toEqual([0, 6])
    mail.mood = 'accept'
    await hurriedUntil(async () => (await unmailed(company)) === 0)
    expect(mail.received).toHaveLength(6)
    expect(new Set(mail.received.map(({ headers }) => headers['message-id'])).size).toBe(6)
  })

  it('written while no mail server answers arrives by itself once one does', async () => {
    await mail.down()
    await discuss(3)
    await until(async () => (await jobs('retry')) > 0)
    await untilUnmailed(6)
    await mail.up()
    await until(async () => (await unmailed(company)) === 0, 120_000)
    expect(receivers()).toHaveLength(6)
  })

  it('never slows a request: discussions are answered while the mail server says nothing', async () => {
    mail.mood = 'stall'
    const before = mail.attempts()
    await discuss(1)
    await until(async () => mail.attempts() > before)
    const startedAt = performance.now()
    await discuss(10)
    const tookMs = performance.now() - startedAt
    await untilUnmailed(22)
    expect(mail.received).toHaveLength(0)
    // The mail server stays silent for as long as its client waits, which is 20 seconds.
    expect(tookMs).toBeLessThan(15_000)
    mail.mood = 'accept'
    await hurriedUntil(async () => (await unmailed(company)) === 0, 120_000)
    expect(receivers()).toHaveLength(22)
  })

  it('that failed for good is shown to the operator with its reason, and arrives when it is run again', async () => {
    mail.mood = 'refuse'
    await discuss(1)
    await until(async () => (await jobs('retry')) === 2)
    const failed = async () => (await server.diwan.operator.get('/jobs/failed')).body.data
    await hurriedUntil(async () => {
      await db.query(`update pgboss.job set retry_limit = retry_count + 1 where state = 'retry'`)
      return (await failed()).length === 2
    })
    expect((await failed())[0]).toMatchObject({ kind: 'mail-notification', error: expect.stringContaining('Not now') })
    expect((await failed())[0].payload.company_id).toBe(company.id)
    mail.mood = 'accept'
    for (const { id } of await failed())
      expect((await server.diwan.operator.post(`/jobs/failed/${id}/retry`)).status).toBe(200)
    await until(async () => (await unmailed(company)) === 0)
    expect([mail.received.length, (await failed()).length]).toEqual([2, 0])
  })

  it('of replies keeps their order and is one thread, and none is left out although the first ones were refused', async () => {
    mail.mood = 'refuse'
    const { id } = await newDiscussion(company, project.id, { title: 'Topic' })
    for (let n = 0; n < 3; n++) await newComment(company, `/discussions/${id}`)
    await untilUnmailed(8)
    await until(async () => (await jobs('retry')) > 0)
    mail.mood = 'accept'
    await until(async () => {
      await db.query(`update pgboss.job set start_after = now() where state in ('created', 'retry')`)
      return (await unmailed(company)) === 0
    }, 120_000)
    const english = mail.received.filter(({ headers }) => headers.subject?.endsWith(': Topic'))
    expect(english.map(({ headers }) => headers.subject)).toEqual([
      'New discussion: Topic',
      ...Array(3).fill('New reply: Topic'),
    ])
    const [first, ...replies] = english.map(({ headers }) => headers)
    for (const { references } of replies) expect(references).toContain(first?.['message-id'])
  })

  it('is not sent to somebody who has left in the meantime', async () => {
    const leaver = await server.diwan.person(company.id)
    // Her invitation may have been mailed: that was before she left.
    await hurriedUntil(async () => {
      const { rows } = await db.query(`select count(*) from pgboss.job where state in ('created', 'retry', 'active')`)
      return Number(rows[0].count) === 0
    })
    mail.received = []
    mail.mood = 'refuse'
    await discuss(1)
    // None of them is under way while she leaves.
    await until(async () => {
      await db.query(`
        update pgboss.job set start_after = now() + interval '1 hour' where name = 'mail-notification' and state = 'retry'`)
      return (await jobs('retry')) === 3 && (await jobs('active')) === 0
    })
    await company.admin.patch(`/users/${leaver.id}`, { active: false })
    mail.mood = 'accept'
    await hurriedUntil(
      async () => (await unmailed(company)) === 1 && (await jobs('retry')) + (await jobs('active')) === 0,
    )
    expect(receivers()).not.toContain(leaver.email)
  })
})
