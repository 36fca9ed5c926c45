import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSmtpMailer } from '../../src/adapters/mail-smtp.ts'
import { mintCredential } from '../../src/domain/access/credentials.ts'
import { createEncryption } from '../../src/domain/installation/encryption.ts'
import { mailNotification } from '../../src/jobs/mail-notification.ts'
import { SERVER_SECRET, type TestApp, useApp, useOwnApp } from '../support/app.ts'
import type { Client, TestCompany } from '../support/diwan.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { expectRefusal } from '../support/refusal.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()

const DAY_MS = 86_400_000
const newcomer = (fields: object = {}) => ({ name: 'هدى', email: `huda.${randomUUID()}@example.com`, ...fields })

async function add(client: Client, fields: object = {}) {
  const { status, body } = await client.post('/users', newcomer(fields))
  expect(status).toBe(201)
  return body.data as { id: number; email: string; invitation: { code: string; expires_at: string } }
}
const accept = (code: unknown, { diwan }: TestApp = app, headers = {}) =>
  diwan.client('/admin/v1').post('/invitations/accept', { code }, headers)
const invite = (client: Client, id: number) => client.post(`/users/${id}/invitation`)
const tokensOf = async ({ admin }: TestCompany, id: number) => (await admin.get(`/users/${id}/tokens`)).body.data

describe('Adding a person', () => {
  it('makes an invitation for seven days, of which only the digest is stored', async () => {
    const company = await app.diwan.company()
    const { id, invitation } = await add(company.admin)
    expect((Date.parse(invitation.expires_at) - Date.now()) / DAY_MS).toBeCloseTo(7, 2)
    const { rows } = await app.database.pool.query('select * from invitations where user_id = $1', [id])
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(invitation.code.slice(8, 51))
    const others = [await company.admin.get('/users'), await company.admin.get(`/users/${id}`)]
    expect(JSON.stringify(others.map(({ body }) => body))).not.toContain('invitation')
  })

  it('invites nobody who is not active', async () => {
    const company = await app.diwan.company()
    const person = await add(company.admin, { active: false })
    expect(person.invitation).toBeNull()
    expectRefusal(
      await invite(company.admin, person.id),
      422,
      'unprocessable_entity',
      expect.stringMatching(/^active /),
    )
  })
})

describe('POST /invitations/accept', () => {
  it("gives the person's first token, as its creation does, once", async () => {
    const company = await app.diwan.company()
    const { id, email, invitation } = await add(company.admin)
    const { status, body } = await accept(invitation.code)
    const { token, ...shown } = body.data
    expect([status, await tokensOf(company, id)]).toEqual([201, [shown]])
    const me = await app.diwan.client('/admin/v1', token).get('/me')
    expect(me.body.data.user).toMatchObject({ id, email, role: 'member' })
    expectRefusal(await accept(invitation.code), 401, 'unauthorized')
    expect(await tokensOf(company, id)).toHaveLength(1)
    const [entry] = (await company.admin.get('/audit?operation=invitations:write')).body.data
    expect(entry).toMatchObject({
      by: { kind: 'person', id, name: 'هدى' },
      target: { type: 'token', id: shown.id },
      status: 201,
    })
    expect(JSON.stringify(entry)).not.toContain(invitation.code.slice(8, 51))
  })

  it('gives one token to many who come with one code at once', async () => {
    const company = await app.diwan.company()
    const { id, invitation } = await add(company.admin)
    const answers = await Promise.all(Array.from({ length: 6 }, () => accept(invitation.code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401, 401])
    expect(await tokensOf(company, id)).toHaveLength(1)
  })

  it('is 401 for a code that is wrong, void or too old, and says the same of each', async () => {
    const company = await app.diwan.company()
    const [old, replaced] = [await add(company.admin), await add(company.admin)]
    await app.database.pool.query('update invitations set expires_at = now() where user_id = $1', [old.id])
    await invite(company.admin, replaced.id)
    const codes = [
      old.invitation.code,
      replaced.invitation.code,
      mintCredential('svc_inv_', SERVER_SECRET).token,
      mintCredential('svc_inv_', 'another').token,
      company.ownerToken,
      'nonsense',
      '',
    ]
    for (const code of codes) {
      const answer = await accept(code)
      expectRefusal(answer, 401, 'unauthorized', expect.stringMatching(/^The code is wrong/))
    }
    expectRefusal(await accept(undefined), 422, 'unprocessable_entity')
    expectRefusal(await accept(7), 422, 'unprocessable_entity')
  })

  it('never takes a code for a token, nor a token for a code', async () => {
    const company = await app.diwan.company()
    const { invitation } = await add(company.admin)
    expect((await app.diwan.client('/admin/v1', invitation.code).get('/me')).status).toBe(401)
    expect((await app.diwan.api(invitation.code).get('/me')).status).toBe(401)
    expect((await accept(invitation.code.replace('svc_inv_', 'svc_'))).status).toBe(401)
    expect((await accept(invitation.code)).status).toBe(201)
  })

  describe('from an address that guesses', () => {
    const slowed = useOwnApp({ signInFailuresPerMinute: 20, trustProxy: 'loopback' })

    it('is 429 after 20 failures in a minute, whatever the code, and good from elsewhere', async () => {
      const company = await slowed.diwan.company()
      const { invitation } = await add(company.admin)
      const here = { 'x-forwarded-for': '192.0.2.1' }
      for (let n = 0; n < 20; n++) {
        const guess = n % 2 ? 'nonsense' : mintCredential('svc_inv_', 'another').token
        expect((await accept(guess, slowed, here)).status).toBe(401)
      }
      for (const code of ['nonsense', invitation.code]) {
        const { status, body, headers } = await accept(code, slowed, here)
        expect([status, body]).toEqual([429, { error: expect.any(String) }])
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect((await accept(invitation.code, slowed, { 'x-forwarded-for': '192.0.2.2' })).status).toBe(201)
    })

    it('counts no acceptance that is good', async () => {
      const company = await slowed.diwan.company()
      const here = { 'x-forwarded-for': '192.0.2.3' }
      for (let n = 0; n < 22; n++) {
        const { invitation } = await add(company.admin)
        expect((await accept(invitation.code, slowed, here)).status).toBe(201)
      }
    })
  })
})

describe('POST …/users/{uid}/invitation', () => {
  it('makes another code and voids the earlier', async () => {
    const company = await app.diwan.company()
    const { id, invitation } = await add(company.admin)
    const { status, body } = await invite(company.admin, id)
    expect([status, body]).toEqual([
      201,
      { data: { invitation: { code: expect.stringMatching(/^svc_inv_/), expires_at: expect.any(String) } } },
    ])
    expect((await accept(invitation.code)).status).toBe(401)
    expect((await accept(body.data.invitation.code)).status).toBe(201)
    const [, made] = (await company.admin.get('/audit?operation=invitations:write')).body.data
    expect(made).toMatchObject({ target: { type: 'user', id }, changes: { invitation: null } })
  })

  it('is not found for a person of another company', async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    expectRefusal(await invite(company.admin, elsewhere.owner.id), 404, 'not_found')
  })
})

describe('Nobody lifts oneself by an invitation', () => {
  it('a manager adds and invites plain members only', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager', can_manage_api_keys: true })
    for (const fields of [{ role: 'owner' }, { role: 'manager' }, { can_manage_api_keys: true }]) {
      expectRefusal(await manager.admin.post('/users', newcomer(fields)), 403, 'forbidden')
      const { id } = await add(company.admin, fields)
      expectRefusal(await invite(manager.admin, id), 403, 'forbidden')
      expect((await invite(company.admin, id)).status).toBe(201)
    }
    const member = await add(manager.admin)
    expect((await invite(manager.admin, member.id)).status).toBe(201)
    expectRefusal(await invite(manager.admin, manager.id), 403, 'forbidden')
  })

  it.each([{ role: 'manager' }, { can_manage_api_keys: true }, { email: 'other@example.com' }, { active: false }])(
    'a change to %j voids an open code',
    async change => {
      const company = await app.diwan.company()
      const { id, invitation } = await add(company.admin)
      expect((await company.admin.patch(`/users/${id}`, change)).status).toBe(200)
      if ('active' in change) await company.admin.patch(`/users/${id}`, { active: true })
      expectRefusal(await accept(invitation.code), 401, 'unauthorized')
    },
  )

  it('another name or language, or what changes nothing, leaves the code open', async () => {
    const company = await app.diwan.company()
    const { id, email, invitation } = await add(company.admin)
    const same = { role: 'member', can_manage_api_keys: false, active: true, email }
    for (const change of [{ name: 'Huda' }, { language: 'ar' }, same]) await company.admin.patch(`/users/${id}`, change)
    expect((await accept(invitation.code)).status).toBe(201)
  })

  it('a promotion and an acceptance at the same moment never leave a token of the old code', async () => {
    const company = await app.diwan.company()
    for (let round = 0; round < 5; round++) {
      const { id, invitation } = await add(company.admin)
      const [accepted, promoted] = await Promise.all([
        accept(invitation.code),
        company.admin.patch(`/users/${id}`, { role: 'owner' }),
      ])
      expect([promoted.status, [201, 401].includes(accepted.status)]).toEqual([200, true])
      expect((await accept(invitation.code)).status).toBe(401)
      expect(await tokensOf(company, id)).toHaveLength(0)
    }
  })

  it('whoever has ever had a token is invited again by an owner or the operator only, also when it is revoked', async () => {
    const company = await app.diwan.company()
    const manager = await app.diwan.person(company.id, { role: 'manager' })
    const person = await app.diwan.person(company.id)
    expectRefusal(await invite(manager.admin, person.id), 403, 'forbidden')
    for (const { id } of await tokensOf(company, person.id))
      await company.admin.delete(`/users/${person.id}/tokens/${id}`)
    expectRefusal(await invite(manager.admin, person.id), 403, 'forbidden')
    const byOwner = await invite(company.admin, person.id)
    const byOperator = await app.diwan.operator.post(`/companies/${company.id}/users/${person.id}/invitation`)
    expect([byOwner.status, byOperator.status]).toEqual([201, 201])
    expect((await accept(byOperator.body.data.invitation.code)).status).toBe(201)
  })

  it('another owner who has had a token is invited by the operator only, oneself by oneself', async () => {
    const company = await app.diwan.company()
    const other = await app.diwan.person(company.id, { role: 'owner' })
    expectRefusal(await invite(company.admin, other.id), 403, 'forbidden')
    expect((await invite(other.admin, other.id)).status).toBe(201)
    expect((await app.diwan.operator.post(`/companies/${company.id}/users/${other.id}/invitation`)).status).toBe(201)
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
    const { rows } = await mailed.database.pool.query(
      'select id from notifications where company_id = $1 order by id',
      [id],
    )
    mail.received.length = 0
    for (const row of rows) await mailNotification(parts, { company_id: id, notification_id: row.id })
    mailer.close()
    return mail.received
  }
  const codeIn = (received: { text: string } | undefined) => received?.text.match(/svc_inv_[0-9A-Za-z]{49}/)?.[0]
  const isSignedIn = async (token: string) => (await mailed.diwan.client('/admin/v1', token).get('/me')).status === 200

  it.each(['en', 'ar'])(
    'a code is mailed in %s and stored no longer, and whoever added the person is given another',
    async language => {
      const company = await mailed.diwan.company()
      const { id, email, invitation } = await add(company.admin, { language })
      const { name } = (await company.admin.get('')).body.data
      const [received] = await deliver(company)
      expect(received?.to).toEqual([email])
      expect(received?.text).toContain(name)
      const { rows } = await mailed.database.pool.query('select code_to_mail from invitations where user_id = $1', [id])
      expect(rows).toEqual([{ code_to_mail: null }, { code_to_mail: null }])
      expect(await deliver(company)).toHaveLength(0)
      expect(codeIn(received)).not.toBe(invitation.code)
      for (const code of [invitation.code, codeIn(received)]) expect((await accept(code, mailed)).status).toBe(201)
    },
  )

  it('the person who signs in by mail ends what was begun with the code that was shown: tokens and calendars', async () => {
    const company = await mailed.diwan.company()
    const manager = await mailed.diwan.person(company.id, { role: 'manager' })
    const huda = await add(manager.admin)
    const received = (await deliver(company)).find(({ to }) => to.includes(huda.email))
    const impostor = (await accept(huda.invitation.code, mailed)).body.data.token
    const asHuda = mailed.diwan.admin(company.id, impostor)
    const second = (await asHuda.post(`/users/${huda.id}/tokens`, { name: 'x' })).body.data.token
    await mailed.database.pool.query(
      `insert into calendars (company_id, user_id, url, username, password) values ($1, $2, 'https://evil.example/', 'x', '')`,
      [company.id, huda.id],
    )
    const own = (await accept(codeIn(received), mailed)).body.data.token
    expect([await isSignedIn(impostor), await isSignedIn(second), await isSignedIn(own)]).toEqual([false, false, true])
    expect((await company.admin.get('/calendars')).body.data).toEqual([])
    await tellPeople(mailed)
    const [told] = (await mailed.diwan.admin(company.id, own).get('/notifications')).body.data
    expect(told).toMatchObject({ kind: 'calendar_disconnected', subject: { title: 'evil.example' } })
    expectRefusal(await accept(codeIn(received), mailed), 401, 'unauthorized')
  })

  it('the code that was shown is void once the person has signed in by mail', async () => {
    const company = await mailed.diwan.company()
    const { id, invitation } = await add(company.admin)
    const [received] = await deliver(company)
    const own = (await accept(codeIn(received), mailed)).body.data.token
    expectRefusal(await accept(invitation.code, mailed), 401, 'unauthorized')
    expect([await isSignedIn(own), await tokensOf(company, id)]).toEqual([true, [expect.anything()]])
  })

  it.each([{ role: 'manager' }, { role: 'owner' }, { can_manage_api_keys: true }])(
    'nobody is shown the code of somebody who is more than a plain member: %j',
    async fields => {
      const company = await mailed.diwan.company()
      const { id, invitation } = await add(company.admin, fields)
      expect(invitation.code).toBeNull()
      expect((await invite(company.admin, id)).body.data.invitation.code).toBeNull()
      const received = await deliver(company)
      expect((await accept(codeIn(received.at(-1)), mailed)).status).toBe(201)
    },
  )

  it('a promotion mails a new code and shows none, and an owner’s new address gets none', async () => {
    const company = await mailed.diwan.company()
    const person = await mailed.diwan.person(company.id)
    const promoted = await company.admin.patch(`/users/${person.id}`, { role: 'owner' })
    expect([promoted.status, promoted.body.data.invitation]).toMatchObject([200, { code: null }])
    const received = (await deliver(company)).find(({ to }) => to.includes(person.email))
    expect((await accept(codeIn(received), mailed)).status).toBe(201)
    const email = `elsewhere.${randomUUID()}@example.com`
    const moved = await company.admin.patch(`/users/${person.id}`, { email })
    expect([moved.status, moved.body.data.invitation]).toEqual([200, null])
    expect(await deliver(company)).toHaveLength(0)
  })

  it('a person who has had a token gets the code by mail alone', async () => {
    const company = await mailed.diwan.company()
    const person = await mailed.diwan.person(company.id)
    const { status, body } = await invite(company.admin, person.id)
    expect([status, body.data.invitation.code]).toEqual([201, null])
    const received = await deliver(company)
    expect(received.map(({ to }) => to)).toEqual([[person.email]])
    expect((await accept(codeIn(received[0]), mailed)).status).toBe(201)
  })

  it('a void invitation is not mailed', async () => {
    const company = await mailed.diwan.company()
    const { id } = await add(company.admin)
    await company.admin.patch(`/users/${id}`, { role: 'manager' })
    expect(await deliver(company)).toHaveLength(0)
  })
})
