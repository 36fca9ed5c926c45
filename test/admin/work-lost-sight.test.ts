import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSmtpMailer } from '../../src/adapters/mail-smtp.ts'
import { createEncryption } from '../../src/domain/installation/encryption.ts'
import { mailNotification } from '../../src/jobs/mail-notification.ts'
import { SERVER_SECRET, useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newDiscussion, newLink, newList, newTask } from '../support/factories.ts'
import { feedSettled } from '../support/feed.ts'
import { listenTo } from '../support/listening.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/servers.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()

/** A member who works in a private project and in a public one, and can be removed from the first. */
async function furnish() {
  const company = await app.diwan.company()
  const member = await app.diwan.person(company.id)
  const work = app.diwan.client(`/admin/v1/companies/${company.id}/records`, member.token)
  const closed = await app.diwan.project(company, { name: 'Closed', is_public: false })
  const open = await app.diwan.project(company, { name: 'Open' })
  await company.admin.post(`/projects/${closed.id}/members`, { user_id: member.id })
  const lists = { closed: await newList(company, closed.id), open: await newList(company, open.id) }
  const removed = () => company.admin.delete(`/projects/${closed.id}/members/${member.id}`)
  return { company, member, work, closed, open, lists, removed }
}

describe('A member who is removed from a project', () => {
  it('loses it at once: in their stream, in search and among their tasks', async () => {
    const { company, member, work, lists, removed } = await furnish()
    const assigned = { title: 'Ledger', assignee_email: member.email }
    const task = await newTask(company, lists.closed.id, assigned)
    await feedSettled(app.database.pool)
    const url = `${app.url}/admin/v1/companies/${company.id}/records/company/changes`
    const stream = await listenTo(url, { authorization: `Bearer ${member.token}` })
    const seen = async () => [
      (await work.get('/search?q=Ledger')).body.data.results.length,
      (await work.get('/me/tasks')).body.meta.total,
      (await work.get('/company/tasks')).body.meta.total,
    ]
    expect(await seen()).toEqual([1, 1, 1])
    expect((await removed()).status).toBe(200)
    expect(await seen()).toEqual([0, 0, 0])
    await company.api.post(`/tasks/${task.id}/complete`)
    const last = await newTask(company, lists.open.id)
    await until(async () => stream.changes.some(({ id }) => id === last.id))
    stream.leave()
    expect(stream.changes.map(({ id }) => id)).toEqual([last.id])
  })

  it('deletes nothing there that they made, nor changes what they wrote', async () => {
    const { company, work, closed, lists, removed } = await furnish()
    const task = (await created(work.post(`/lists/${lists.closed.id}/tasks`, { title: 'Mine' }))).data
    const discussion = (await created(work.post(`/projects/${closed.id}/discussions`, { title: 'Mine' }))).data
    const file = await newLink({ api: work }, closed.id)
    const comment = (await created(work.post(`/tasks/${task.id}/comments`, { content: 'Mine' }))).data
    await removed()
    for (const address of [`/tasks/${task.id}`, `/discussions/${discussion.id}`, `/files/${file.ref}`])
      expect([address, (await work.delete(address)).status]).toEqual([address, 404])
    expect((await work.patch(`/tasks/${task.id}/comments/${comment.id}`, { content: 'x' })).status).toBe(404)
    expect((await company.api.get(`/tasks/${task.id}`)).status).toBe(200)
  })

  it('cannot tell whether a file is still there that they once attached', async () => {
    const { company, work, closed, lists, removed } = await furnish()
    const files = [await newLink({ api: work }, closed.id), await newLink({ api: work }, closed.id, { name: 'Other' })]
    const [kept, deleted] = files.map(({ ref }) => ref) as [string, string]
    const task = (await created(work.post(`/lists/${lists.closed.id}/tasks`, { title: 'Moved' }))).data
    const comments = `/tasks/${task.id}/comments`
    const { id } = (await created(work.post(comments, { content: 'Look', attachments: [kept, deleted] }))).data
    await company.api.post(`/tasks/${task.id}/move`, { list_id: lists.open.id })
    const attach = (ref: string) => work.patch(`${comments}/${id}`, { attachments: [ref] })
    expect((await attach(kept)).status).toBe(200)
    await removed()
    await company.api.delete(`/files/${deleted}`)
    const [hidden, missing] = [await attach(kept), await attach(deleted)]
    expect([hidden.status, hidden.body.error.message.replace(kept, '…')]).toEqual([
      missing.status,
      missing.body.error.message.replace(deleted, '…'),
    ])
    expect((await work.patch(`${comments}/${id}`, { content: 'Still mine' })).status).toBe(200)
  })
})

/** On one session nobody waits for a lock. */
describe.runIf(process.env.TEST_ENGINE === 'postgres')('A task that a member does not see', () => {
  it('is not waited for while somebody else changes it', async () => {
    const { company, work, lists, removed } = await furnish()
    const task = await newTask(company, lists.closed.id)
    await removed()
    const holder = await app.database.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select from tasks where ref = $1 for update', [task.id])
      const changes = [{ task: task.id, do: 'complete' }]
      const answer = await Promise.race([work.post('/company/tasks/batch', { changes }), sleep(4_000)])
      expect(answer?.status).toBe(404)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })
})

describe('A mail that waits', () => {
  let mail: MailServer
  beforeAll(async () => {
    mail = await startMailServer({ passingOverInvitations: true })
  })
  afterAll(() => mail.down())

  /** What the worker does with the mails of a company. */
  async function deliver({ id }: TestCompany): Promise<string[]> {
    const mailer = createSmtpMailer(mail.url, 'Diwan <diwan@example.com>')
    const parts = { db: app.database.db, mailer, encryption: createEncryption(SERVER_SECRET), publicUrl: () => app.url }
    const { rows } = await app.database.pool.query(
      `select n.id from notifications n join notices w on w.company_id = n.company_id and w.id = n.notice_id
       where n.company_id = $1 and w.kind <> 'invitation' order by n.id`,
      [id],
    )
    mail.received.length = 0
    for (const row of rows) await mailNotification(parts, { company_id: id, notification_id: row.id })
    mailer.close()
    return mail.received.flatMap(({ to }) => to)
  }

  it('is not sent to a member who no longer sees the project it is about, and is to those who do', async () => {
    const { company, member, closed, open, removed } = await furnish()
    const colleague = await app.diwan.person(company.id)
    await company.admin.post(`/projects/${closed.id}/members`, { user_id: colleague.id })
    await newDiscussion(company, closed.id, { title: 'Salaries' })
    await tellPeople(app)
    await removed()
    expect(await deliver(company)).toEqual([colleague.email])
    await newDiscussion(company, open.id, { title: 'Lunch' })
    await tellPeople(app)
    expect((await deliver(company)).sort()).toEqual([member.email, colleague.email].sort())
  })
})
