import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSmtpMailer } from '../../src/adapters/mail-smtp.ts'
import { mintCredential } from '../../src/domain/access/credentials.ts'
import { createEncryption } from '../../src/domain/installation/encryption.ts'
import { mailNotification } from '../../src/jobs/mail-notification.ts'
import { OPERATOR_TOKEN, SERVER_SECRET, type TestApp, useApp } from '../support/app.ts'
import { signIn } from '../support/console.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { INSTANT } from '../support/factories.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { expectRefusal } from '../support/refusal.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()

const DAY_MS = 86_400_000
const anEmail = () => `huda.${randomUUID()}@example.com`
const newcomer = (fields: object = {}) => ({ name: 'هدى', email: anEmail(), ...fields })
const codeOf = ({ code }: { code: string }) => code.slice(8, 51)

interface Added {
  id: number
  email: string
  invitation: { code: string; expires_at: string }
}
const add = async (client: Client, fields: object = {}): Promise<Added> =>
  (await created(client.post('/users', newcomer(fields)))).data
const accept = (code: unknown, { diwan }: TestApp = app) =>
  diwan.client('/admin/v1').post('/invitations/accept', { code })
const tokenFor = async (code: unknown, at: TestApp = app) => (await created(accept(code, at))).data.token as string
const invite = (client: Client, id: number) => client.post(`/users/${id}/invitation`)
const tokensOf = async ({ admin }: TestCompany, id: number) => (await admin.get(`/users/${id}/tokens`)).body.data
const statusWith = async (token: string, { diwan }: TestApp = app) =>
  (await diwan.client('/admin/v1', token).get('/me')).status
const operatorIn = ({ id }: TestCompany) => app.diwan.admin(id, OPERATOR_TOKEN)

describe('An invitation', () => {
  it('is made for seven days with the person, of which only the digest is stored, and none for the inactive', async () => {
    const company = await app.diwan.company()
    const { id, invitation } = await add(company.admin)
    expect((Date.parse(invitation.expires_at) - Date.now()) / DAY_MS).toBeCloseTo(7, 2)
    const { rows } = await app.database.pool.query('select * from invitations where user_id = $1', [id])
    expect([rows.length, JSON.stringify(rows).includes(codeOf(invitation))]).toEqual([1, false])
    const inactive = await add(company.admin, { active: false })
    expect(inactive.invitation).toBeNull()
    const refused = await invite(company.admin, inactive.id)
    expectRefusal(refused, 422, 'unprocessable_entity', expect.stringMatching(/^active /))
  })

  it("gives the person's first token, as its creation does, once, however many come with it", async () => {
    const company = await app.diwan.company()
    const { id, email, invitation } = await add(company.admin)
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(invitation.code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401])
    const [accepted] = answers.filter(({ status }) => status === 201)
    const { token, ...shown } = accepted?.body.data ?? {}
    expect(await tokensOf(company, id)).toEqual([shown])
    const me = await app.diwan.client('/admin/v1', token).get('/me')
    expect(me.body.data.user).toMatchObject({ id, email, role: 'member' })
    const [entry] = (await company.admin.get('/audit?operation=invitations:write')).body.data
    expect(entry).toMatchObject({
      by: { kind: 'person', id, name: 'هدى' },
      target: { type: 'token', id: shown.id },
      status: 201,
    })
    expect(JSON.stringify(entry)).not.toContain(codeOf(invitation))
  })

  it('is no token, nor is a token one; a code that is wrong, void or too old is 401, and says the same of each', async () => {
    const company = await app.diwan.company()
    const [old, replaced] = [await add(company.admin), await add(company.admin)]
    const { code } = replaced.invitation
    expect([await statusWith(code), (await app.diwan.api(code).get('/me')).status]).toEqual([401, 401])
    await app.database.pool.query('update invitations set expires_at = now() where user_id = $1', [old.id])
    const again = (await created(invite(company.admin, replaced.id))).data
    expect(again).toEqual({ invitation: { code: expect.stringMatching(/^svc_inv_/), expires_at: INSTANT } })
    const [made] = (await company.admin.get('/audit?operation=invitations:write')).body.data
    expect(made).toMatchObject({ target: { type: 'user', id: replaced.id }, changes: { invitation: null } })
    for (const wrong of [
      old.invitation.code,
      code,
      again.invitation.code.replace('svc_inv_', 'svc_'),
      mintCredential('svc_inv_', SERVER_SECRET).token,
      company.ownerToken,
      '',
    ])
      expectRefusal(await accept(wrong), 401, 'unauthorized', expect.stringMatching(/^The code is wrong/))
    for (const none of [undefined, 7]) expectRefusal(await accept(none), 422, 'unprocessable_entity')
    expect((await accept(again.invitation.code)).status).toBe(201)
  })

  it('is shown in the list of people until it is accepted or void', async () => {
    const company = await app.diwan.company()
    const { id, invitation } = await add(company.admin)
    const expectShown = async (has_token: boolean, invited_until: string | null, first_token_at: unknown) => {
      const one = (await company.admin.get(`/users/${id}`)).body.data
      expect(one).toMatchObject({ has_token, invited_until, first_token_at })
      expect((await company.admin.get('/users')).body.data[1]).toEqual(one)
    }
    await expectShown(false, invitation.expires_at, null)
    await accept(invitation.code)
    await expectShown(true, null, INSTANT)
    const again = (await created(invite(company.admin, id))).data.invitation
    await expectShown(false, again.expires_at, INSTANT)
    await company.admin.patch(`/users/${id}`, { active: false })
    await expectShown(false, null, INSTANT)
  })

  it('is void after a change of the role, the rights, the address or `active`, and not after another', async () => {
    const company = await app.diwan.company()
    for (const change of [
      { role: 'manager' },
      { can_manage_api_keys: true },
      { email: anEmail() },
      { active: false },
    ]) {
      const { id, invitation } = await add(company.admin)
      expect((await company.admin.patch(`/users/${id}`, change)).status).toBe(200)
      if ('active' in change) await company.admin.patch(`/users/${id}`, { active: true })
      expect([change, (await accept(invitation.code)).status]).toEqual([change, 401])
    }
    const { id, email, invitation } = await add(company.admin)
    const same = { role: 'member', can_manage_api_keys: false, active: true, email }
    for (const change of [{ name: 'Huda' }, { language: 'ar' }, same]) await company.admin.patch(`/users/${id}`, change)
    expect((await accept(invitation.code)).status).toBe(201)
  })
})

describe('Nobody lifts oneself by an invitation', () => {
  it('a manager adds and invites plain members only', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager', can_manage_api_keys: true })
    for (const fields of [{ role: 'owner' }, { role: 'manager' }, { can_manage_api_keys: true }]) {
      const { id } = await add(company.admin, fields)
      expectRefusal(await invite(manager.admin, id), 403, 'forbidden')
      expect((await invite(company.admin, id)).status).toBe(201)
    }
    const member = await add(manager.admin)
    expect((await invite(manager.admin, member.id)).status).toBe(201)
    expectRefusal(await invite(manager.admin, manager.id), 403, 'forbidden')
    const elsewhere = await app.diwan.company()
    expectRefusal(await invite(company.admin, elsewhere.owner.id), 404, 'not_found')
  })

  it('somebody who has ever had a token is invited again by an owner or the operator only', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const person = await app.diwan.person(company.id)
    expectRefusal(await invite(manager.admin, person.id), 403, 'forbidden')
    for (const { id } of await tokensOf(company, person.id))
      await company.admin.delete(`/users/${person.id}/tokens/${id}`)
    expectRefusal(await invite(manager.admin, person.id), 403, 'forbidden')
    for (const admin of [company.admin, operatorIn(company)])
      expect((await accept((await created(invite(admin, person.id))).data.invitation.code)).status).toBe(201)
  })

  it('another owner who has had a token is invited by the operator only, oneself by oneself', async () => {
    const company = await app.diwan.company()
    const other = await app.diwan.person(company.id, { role: 'owner' })
    expectRefusal(await invite(company.admin, other.id), 403, 'forbidden')
    expect((await invite(other.admin, other.id)).status).toBe(201)
    expect((await invite(operatorIn(company), other.id)).status).toBe(201)
  })
})

describe('Somebody who knew a credential of a person', () => {
  const revoked = async ({ admin }: TestCompany) =>
    (await admin.get('/audit?limit=100')).body.data.filter(
      ({ target, changes }: { target: { type: string } | null; changes: object }) =>
        target?.type === 'token' && 'revoked_at' in changes,
    )

  it('has nothing from it when the person gains rights or another address, or is invited again', async () => {
    const company = await app.diwan.company()
    for (const [was, change, by] of [
      [{}, { role: 'manager' }, company.admin],
      [{}, { can_manage_api_keys: true }, operatorIn(company)],
      [{ role: 'manager' }, { role: 'owner' }, operatorIn(company)],
      [{}, { email: anEmail() }, company.admin],
      [{}, 'invitation', company.admin],
    ] as const) {
      const person = await app.diwan.person(company.id, was)
      const { browser } = await signIn(app.diwan, { token: person.token })
      await person.admin.post(`/users/${person.id}/tokens`, { name: 'Kept for later' })
      const { status, body } =
        change === 'invitation' ? await invite(by, person.id) : await by.patch(`/users/${person.id}`, change)
      expect([change, status < 300, await statusWith(person.token), (await browser.get('/me')).status]).toEqual([
        change,
        true,
        401,
        401,
      ])
      expect(await tokensOf(company, person.id)).toEqual([])
      // The person comes in again by the code that the caller is given, where there is no mail.
      const token = await tokenFor(body.data.invitation.code)
      const { user } = (await app.diwan.client('/admin/v1', token).get('/me')).body.data
      expect(user).toMatchObject({ id: person.id, ...(typeof change === 'object' && change) })
    }
    expect(await revoked(company)).toHaveLength(10)
  })

  it('keeps it when the person has fewer rights, another name, or the same again', async () => {
    const company = await app.diwan.company()
    for (const [was, change] of [
      [{ role: 'manager' }, { role: 'member' }],
      [{ can_manage_api_keys: true }, { can_manage_api_keys: false }],
      [{}, { name: 'Huda', language: 'ar' }],
      [{ role: 'manager' }, { role: 'manager', active: true }],
    ]) {
      const person = await app.diwan.person(company.id, was)
      const { status, body } = await company.admin.patch(`/users/${person.id}`, change)
      expect([status, body.data.invitation, await statusWith(person.token)]).toEqual([200, null, 200])
    }
  })

  it('keeps that of the call in which they change themselves, and no other', async () => {
    const company = await app.diwan.company()
    const path = `/users/${company.owner.id}`
    const [own, another] = [
      await signIn(app.diwan, { token: company.ownerToken }),
      await signIn(app.diwan, { token: company.ownerToken }),
    ]
    const statuses = () => Promise.all([own, another].map(async ({ browser }) => (await browser.get('/me')).status))
    const byBrowser = await own.browser.patch(`/companies/${company.id}${path}`, { email: anEmail() })
    expect([byBrowser.status, await statuses(), await statusWith(company.ownerToken)]).toEqual([200, [200, 401], 200])
    const other = (await created(company.admin.post(`${path}/tokens`, { name: 'Other' }))).data.token
    const byToken = await company.admin.patch(path, { email: anEmail() })
    expect([byToken.status, byToken.body.data.invitation]).toEqual([200, null])
    expect([await statusWith(company.ownerToken), await statusWith(other), await statuses()]).toEqual([
      200,
      401,
      [401, 401],
    ])
  })

  it('is shown no code for an owner, nor for somebody inactive, nor as a manager', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const people = []
    for (let n = 0; n < 3; n++) people.push(await app.diwan.person(company.id))
    const [promoted, member, gone] = people.map(({ id }) => `/users/${id}`) as [string, string, string]
    for (const answer of [
      await company.admin.patch(promoted, { role: 'owner' }),
      await manager.admin.patch(member, { email: anEmail() }),
      await company.admin.patch(gone, { email: anEmail(), active: false }),
    ])
      expect([answer.status, answer.body.data.invitation]).toEqual([200, null])
    expectRefusal(await company.admin.post(`${promoted}/invitation`), 403, 'forbidden')
    expect((await operatorIn(company).post(`${promoted}/invitation`)).status).toBe(201)
  })

  it('as a manager does not change the address of an owner or of somebody who manages API keys', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const keeper = await app.diwan.person(company.id, { role: 'manager', can_manage_api_keys: true })
    const move = (admin: Client, id: number) => admin.patch(`/users/${id}`, { email: anEmail() })
    for (const id of [keeper.id, company.owner.id]) expectRefusal(await move(manager.admin, id), 403, 'forbidden')
    const kept = { email: keeper.email, name: 'Omar' }
    expect((await manager.admin.patch(`/users/${keeper.id}`, kept)).status).toBe(200)
    for (const admin of [keeper.admin, company.admin]) expect((await move(admin, keeper.id)).status).toBe(200)
  })
})

describe('Where mail is set up', () => {
  const mailed = useApp({ sendsMail: true })
  let mail: MailServer
  beforeAll(async () => {
    mail = await startMailServer()
  })

  /** What the worker does with the jobs of a company. */
  async function deliver({ id }: TestCompany) {
    const mailer = createSmtpMailer(mail.url, 'Diwan <diwan@example.com>')
    const encryption = createEncryption(SERVER_SECRET)
    const { database, jobs } = mailed
    const parts = { db: database.db, jobs, mailer, encryption, publicUrl: () => 'https://diwan.example.com' }
    await tellPeople(mailed)
    const { rows } = await database.pool.query('select id from notifications where company_id = $1 order by id', [id])
    mail.received.length = 0
    for (const row of rows) await mailNotification(parts, { company_id: id, notification_id: row.id })
    mailer.close()
    return mail.received
  }
  const codeIn = (received: { text: string } | undefined) => received?.text.match(/svc_inv_[0-9A-Za-z]{49}/)?.[0]

  it('a code is mailed in the language of the person and stored no longer, and the caller is given another', async () => {
    for (const language of ['en', 'ar']) {
      const company = await mailed.diwan.company()
      const { id, email, invitation } = await add(company.admin, { language })
      const { name } = (await company.admin.get('')).body.data
      const [received] = await deliver(company)
      expect([received?.to, received?.text]).toEqual([[email], expect.stringContaining(name)])
      const { rows } = await mailed.database.pool.query('select code_to_mail from invitations where user_id = $1', [id])
      expect(rows).toEqual([{ code_to_mail: null }, { code_to_mail: null }])
      expect(await deliver(company)).toHaveLength(0)
      expect(codeIn(received)).not.toBe(invitation.code)
      for (const code of [invitation.code, codeIn(received)]) expect((await accept(code, mailed)).status).toBe(201)
    }
  })

  it('the person who signs in by mail ends what was begun with the code that was shown: tokens and calendars', async () => {
    const company = await mailed.diwan.company()
    const manager = await mailed.diwan.person(company.id, { role: 'manager' })
    const huda = await add(manager.admin)
    const received = (await deliver(company)).find(({ to }) => to.includes(huda.email))
    const impostor = await tokenFor(huda.invitation.code, mailed)
    const asHuda = mailed.diwan.admin(company.id, impostor)
    const second = (await created(asHuda.post(`/users/${huda.id}/tokens`, { name: 'x' }))).data.token
    await mailed.database.pool.query(
      `insert into calendars (company_id, user_id, url, username, password) values ($1, $2, 'https://evil.example/', 'x', '')`,
      [company.id, huda.id],
    )
    const own = await tokenFor(codeIn(received), mailed)
    const statuses = await Promise.all([impostor, second, own].map(token => statusWith(token, mailed)))
    expect(statuses).toEqual([401, 401, 200])
    expect((await company.admin.get('/calendars')).body.data).toEqual([])
    await tellPeople(mailed)
    const [told] = (await mailed.diwan.admin(company.id, own).get('/notifications')).body.data
    expect(told).toMatchObject({ kind: 'calendar_disconnected', subject: { title: 'evil.example' } })
    expectRefusal(await accept(codeIn(received), mailed), 401, 'unauthorized')
  })

  it('the code that was shown is void once the person has signed in by mail, and a void one is not mailed', async () => {
    const company = await mailed.diwan.company()
    const { invitation } = await add(company.admin)
    const [received] = await deliver(company)
    await tokenFor(codeIn(received), mailed)
    expectRefusal(await accept(invitation.code, mailed), 401, 'unauthorized')
    const { id } = await add(company.admin)
    await company.admin.patch(`/users/${id}`, { role: 'manager' })
    expect(await deliver(company)).toHaveLength(0)
  })

  it('nobody is shown the code of somebody who is more than a plain member, or has had a token', async () => {
    const company = await mailed.diwan.company()
    for (const fields of [{ role: 'manager' }, { role: 'owner' }, { can_manage_api_keys: true }]) {
      const { id, invitation } = await add(company.admin, fields)
      expect(invitation.code).toBeNull()
      expect((await created(invite(company.admin, id))).data.invitation.code).toBeNull()
    }
    const person = await mailed.diwan.person(company.id)
    expect((await created(invite(company.admin, person.id))).data.invitation.code).toBeNull()
    const received = (await deliver(company)).filter(({ to }) => to.includes(person.email))
    expect((await accept(codeIn(received.at(-1)), mailed)).status).toBe(201)
  })

  it('a promotion mails a new code and shows none, and an owner’s new address gets none', async () => {
    const company = await mailed.diwan.company()
    const person = await mailed.diwan.person(company.id)
    const promoted = await company.admin.patch(`/users/${person.id}`, { role: 'owner' })
    expect([promoted.status, promoted.body.data.invitation]).toMatchObject([200, { code: null }])
    const received = (await deliver(company)).find(({ to }) => to.includes(person.email))
    expect((await accept(codeIn(received), mailed)).status).toBe(201)
    const moved = await company.admin.patch(`/users/${person.id}`, { email: anEmail() })
    expect([moved.status, moved.body.data.invitation]).toEqual([200, null])
    expect(await deliver(company)).toHaveLength(0)
  })
})
