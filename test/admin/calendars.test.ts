import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sql from 'sql-template-tag'
import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEncryption } from '../../src/domain/installation/encryption.ts'
import { OPERATOR_TOKEN, SERVER_SECRET, useApp } from '../support/app.ts'
import { type CalDavServer, PASSWORD, USERNAME } from '../support/caldav-server.ts'
import { CALDAV_KINDS, hasCalDav, startCalDav } from '../support/calendar-people.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { audit, INSTANT } from '../support/factories.ts'
import { inPagesOfTwo, NOT_IDS } from '../support/furnished.ts'
import { expectRefusal } from '../support/refusal.ts'
import { freePort } from '../support/servers.ts'
import { tellPeople } from '../support/worker.ts'

const ACCESS = { username: USERNAME, password: PASSWORD }

describe.each(CALDAV_KINDS.filter(hasCalDav))('Connected calendars, on %s,', kind => {
  const app = useApp({ allowPrivateCalendars: true })
  let caldav: CalDavServer
  let company: TestCompany
  beforeAll(async () => {
    caldav = await startCalDav(kind)
  })
  beforeEach(async () => {
    company = await app.diwan.company()
  })

  let calendars = 0
  const newUrl = () => caldav.calendar(`calendar-${++calendars}`)
  const jobs = () =>
    app.database.db.many<{ calendar_id: number; uid: string }>(sql`
      select (data ->> 'calendar_id')::bigint as calendar_id, data ->> 'uid' as uid from pgboss.job
      where name = 'sync-calendar' and data ->> 'company_id' = ${String(company.id)}`)

  describe('POST …/calendars', () => {
    it('connects the own calendar of the caller and shows exactly what was connected, without the password', async () => {
      const url = await newUrl()
      const { status, body } = await company.admin.post('/calendars', { url, ...ACCESS })
      expect([status, body]).toEqual([
        201,
        {
          data: {
            id: expect.any(Number),
            user: { id: company.owner.id, name: company.owner.name, email: company.owner.email },
            url,
            username: USERNAME,
            state: 'connected',
            last_error: null,
            failing_since: null,
            last_synced_at: null,
            created_at: INSTANT,
          },
        },
      ])
      expect((await company.admin.get('/calendars')).body).toEqual({
        data: [body.data],
        meta: { total: 1, limit: 50, offset: 0, count: 1, next_cursor: null },
      })
    })

    it('stores the password encrypted under the server secret, differently each time, for that person alone', async () => {
      const urls = [await newUrl(), await newUrl()]
      for (const url of urls) await created(company.admin.post('/calendars', { url, ...ACCESS }))
      const rows = await app.database.db.many<{ password: Buffer; row: string }>(sql`
        select password, c::text as row from calendars c where company_id = ${company.id}`)
      expect(rows[0]?.password.equals(rows[1]?.password as Buffer)).toBe(false)
      for (const { password, row } of rows) {
        expect(row).not.toContain(Buffer.from(PASSWORD).toString('hex'))
        const purpose = `calendar:${company.id}:${company.owner.id}`
        expect(createEncryption(SERVER_SECRET).decrypt(password, purpose)).toBe(PASSWORD)
        expect(() => createEncryption(SERVER_SECRET).decrypt(password, `${purpose}0`)).toThrow()
        expect(() => createEncryption('another secret').decrypt(password, purpose)).toThrow()
      }
    })

    it('asks for everything that the person has before them, and for nothing else', async () => {
      const person = await app.diwan.person(company.id)
      const event = (fields: object) =>
        company.api.post('/events', { name: 'x', starts_at: '2030-01-01', ends_at: '2030-01-02', ...fields })
      await event({})
      const { id } = (await event({ attendee_emails: [person.email] })).body.data
      await event({ attendee_emails: [person.email], starts_at: '2020-01-01', ends_at: '2020-01-02' })
      expect(await jobs()).toEqual([])
      const { data } = await created(person.admin.post('/calendars', { url: await newUrl(), ...ACCESS }))
      const { uid } = await app.database.db.one<{ uid: string }>(sql`select uid from events where id = ${id}`)
      expect(await jobs()).toEqual([{ calendar_id: data.id, uid }])
    })

    it.each(['Pacific/Kiritimati', 'Asia/Riyadh', 'Pacific/Pago_Pago'])(
      'asks for what is today, from its beginning on the clocks of %s, and for nothing that ended before',
      async time_zone => {
        company = await app.diwan.company({ time_zone })
        const day = (offset: number) =>
          Temporal.Now.zonedDateTimeISO(time_zone).toPlainDate().add({ days: offset }).toString()
        const event = (name: string, starts_at: string, ends_at: string, all_day = true) =>
          created(company.api.post('/events', { name, starts_at, ends_at, all_day }))
        await event('today', day(0), day(0))
        await event('since yesterday', day(-1), `${day(0)}T09:00`)
        await event('early today', `${day(0)}T00:00`, `${day(0)}T00:01`, false)
        await event('yesterday', day(-1), day(-1))
        await event('yesterday and today', day(-1), day(0))
        await event('yesterday to its end', `${day(-1)}T09:00`, `${day(0)}T00:00`, false)
        await event('last minute', `${day(-1)}T23:00`, `${day(-1)}T23:59`, false)
        await created(company.admin.post('/calendars', { url: await newUrl(), ...ACCESS }))
        const asked = await app.database.db.many<{ name: string }>(sql`
          select name from events where company_id = ${company.id} and uid = any(${(await jobs()).map(({ uid }) => uid)}) order by id`)
        expect(asked.map(({ name }) => name)).toEqual([
          'today',
          'since yesterday',
          'early today',
          'yesterday and today',
        ])
      },
    )

    it('stores the address of the calendar with its slash, and each but once', async () => {
      const url = await newUrl()
      const other = await app.diwan.person(company.id)
      const { data } = await created(company.admin.post('/calendars', { url: `${url.slice(0, -1)}#x`, ...ACCESS }))
      expect(data.url).toBe(url)
      for (const { admin } of [company, other])
        expectRefusal(
          await admin.post('/calendars', { url, ...ACCESS }),
          422,
          'unprocessable_entity',
          'url is connected already: a calendar takes one connection',
        )
    })

    it('is for the own calendar, and for the operator for that of any active person', async () => {
      const [member, other] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
      const manager = await app.diwan.person(company.id, { role: 'manager' })
      const send = async (admin: TestCompany['admin'], user_id?: number) =>
        admin.post('/calendars', { url: await newUrl(), ...ACCESS, user_id })
      for (const { admin } of [member, manager])
        for (const user of [other.id, company.owner.id, 999_999_999])
          expectRefusal(await send(admin, user), 403, 'forbidden')
      expectRefusal(await send(company.admin, other.id), 403, 'forbidden')
      for (const [admin, user] of [
        [member.admin, member.id],
        [company.admin, company.owner.id],
        [app.diwan.admin(company.id, OPERATOR_TOKEN), other.id],
      ] as const) {
        const { status, body } = await send(admin, user)
        expect([status, body.data?.user.id]).toEqual([201, user])
      }
      expect((await send(manager.admin)).body.data.user.id).toBe(manager.id)
      await company.admin.patch(`/users/${other.id}`, { active: false })
      const foreign = await app.diwan.company()
      const asOperator = app.diwan.admin(company.id, OPERATOR_TOKEN)
      for (const user of [other.id, foreign.owner.id, 999_999_999, undefined])
        expectRefusal(await send(asOperator, user), 422, 'unprocessable_entity', expect.stringMatching(/^user_id must/))
    })

    it('is audited by the host alone, and the person is told, whoever did it', async () => {
      const member = await app.diwan.person(company.id)
      for (const admin of [member.admin, app.diwan.admin(company.id, OPERATOR_TOKEN)]) {
        const url = await newUrl()
        const { data } = await created(admin.post('/calendars', { url, ...ACCESS, user_id: member.id }))
        const [entry] = await audit(company)
        const target = { type: 'calendar', id: data.id, name: new URL(url).host }
        expect(entry).toMatchObject({ operation: 'calendars:write', method: 'POST', target })
        expect(JSON.stringify(entry)).not.toContain(url)
        await tellPeople(app)
        const [told] = (await member.admin.get('/notifications')).body.data
        const subject = { type: 'calendar', id: String(data.id), title: target.name }
        expect(told).toMatchObject({ kind: 'calendar_connected', user: { id: member.id }, subject })
      }
    })

    it.each([
      ['url', { url: undefined }],
      ['url', { url: 'caldav.example.com' }],
      ['url', { url: 'ftp://example.com/' }],
      ['url', { url: `https://example.com/${'x'.repeat(2_048)}` }],
      ['username', { username: undefined }],
      ['username', { username: ' ' }],
      ['username', { username: 'a:b' }],
      ['password', { password: undefined }],
      ['password', { password: 5 }],
      ['user_id', { user_id: 'x' }],
    ])('answers 422 naming %s to %j', async (field, fields) => {
      const body = { url: `${caldav.url}/`, ...ACCESS, ...fields }
      const answer = await company.admin.post('/calendars', body)
      expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(new RegExp(`^${field}\\b`)))
    })

    it('says what is wrong with a calendar that cannot be used, keeps nothing of it, and repeats no password', async () => {
      const url = await newUrl()
      const broken = createServer((_request, response) => response.writeHead(500).end())
      await new Promise<void>(resolve => broken.listen(0, '127.0.0.1', resolve))
      for (const [body, message] of [
        [{ url: `http://127.0.0.1:${await freePort()}/` }, "url can't be reached: ECONNREFUSED"],
        [{ url: `${caldav.url}/${USERNAME}/none/` }, 'url is not there: the calendar server answers 404'],
        [{ url: `${caldav.url}/${USERNAME}/` }, 'url is not the address of a calendar (PROPFIND answers 207)'],
        [
          { url: `http://127.0.0.1:${(broken.address() as AddressInfo).port}/` },
          'url is not the address of a calendar (PROPFIND answers 500)',
        ],
        [{ url, password: 'wrong' }, 'password is refused by the calendar server, or the username is'],
        [{ url, username: 'somebody' }, 'password is refused by the calendar server, or the username is'],
        [{ url: url.replace('//', '//user:pass@') }, /^url can't carry a name or password/],
        [{ url: `${url}?x=1` }, "url can't have a query"],
      ] as const) {
        const answer = await company.admin.post('/calendars', { ...ACCESS, ...body })
        const expected = typeof message === 'string' ? message : expect.stringMatching(message)
        expectRefusal(answer, 422, 'unprocessable_entity', expected)
      }
      broken.close()
      expect((await company.admin.get('/calendars')).body.meta.total).toBe(0)
    })
  })

  describe('GET …/calendars', () => {
    it('shows a member the own, leaders and the operator all, in pages', async () => {
      const [member, other] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
      const manager = await app.diwan.person(company.id, { role: 'manager' })
      const ids: number[] = []
      for (const { admin } of [member, other, company])
        ids.push((await created(admin.post('/calendars', { url: await newUrl(), ...ACCESS }))).data.id)
      const seen = async ({ admin }: Pick<TestCompany, 'admin'>) =>
        (await admin.get('/calendars')).body.data.map(({ id }: { id: number }) => id)
      expect([await seen(member), await seen(other), await seen(manager), await seen(company)]).toEqual([
        [ids[0]],
        [ids[1]],
        ids,
        ids,
      ])
      expect(await seen({ admin: app.diwan.admin(company.id, OPERATOR_TOKEN) })).toEqual(ids)
      const pages = await inPagesOfTwo(company.admin, '/calendars')
      expect(pages.map(({ meta }) => [meta.total, meta.count])).toEqual([
        [3, 2],
        [3, 1],
        [3, 0],
      ])
      expect(JSON.stringify(pages)).not.toContain('password')
      const foreign = await app.diwan.company()
      expectRefusal(await foreign.admin.get(`/../${company.id}/calendars`), 404, 'not_found')
      expect(await seen(foreign)).toEqual([])
    })
  })

  describe('PATCH …/calendars/{cid}', () => {
    const connected = async (admin = company.admin) =>
      (await created(admin.post('/calendars', { url: await newUrl(), ...ACCESS }))).data
    const stored = async (id: number) => {
      const row = await app.database.db.one<{ user_id: number; username: string; password: Buffer }>(
        sql`select user_id, username, password from calendars where company_id = ${company.id} and id = ${id}`,
      )
      const purpose = `calendar:${company.id}:${row.user_id}`
      return [row.username, createEncryption(SERVER_SECRET).decrypt(row.password, purpose)]
    }

    it('changes the password when the server takes it, mends the connection, asks for what is owed, and is audited', async () => {
      const calendar = await connected()
      const { data: event } = await created(
        company.api.post('/events', { name: 'x', starts_at: '2030-01-01', ends_at: '2030-01-02' }),
      )
      await app.database.db.run(sql`
        update calendars set state = 'failing', failing_since = now(), last_error = 'x' where company_id = ${company.id}`)
      await app.database.db.run(sql`delete from pgboss.job where name = 'sync-calendar'`)
      const password = 'ماء:8'
      caldav.setPassword(password)
      try {
        const { status, body } = await company.admin.patch(`/calendars/${calendar.id}`, { password })
        expect([status, body]).toEqual([200, { data: calendar }])
      } finally {
        caldav.setPassword(PASSWORD)
      }
      expect(await stored(calendar.id)).toEqual([USERNAME, password])
      const { uid } = await app.database.db.one<{ uid: string }>(sql`select uid from events where id = ${event.id}`)
      expect(await jobs()).toEqual([{ calendar_id: calendar.id, uid }])
      expect(await audit(company)).toMatchObject([
        { outcome: 'allowed', operation: 'calendars:write', method: 'PATCH' },
      ])
      expect(JSON.stringify(await audit(company))).not.toContain(password)
    })

    it('keeps the earlier credentials when the server refuses the new ones', async () => {
      const { id } = await connected()
      for (const [body, message] of [
        [{ password: 'wrong' }, 'password is refused by the calendar server, or the username is'],
        [{ username: 'somebody' }, 'password is refused by the calendar server, or the username is'],
        [{ username: 'a:b' }, "username can't have a colon in it"],
        [{ username: ' ' }, expect.stringMatching(/^username/)],
        [{ password: null }, expect.stringMatching(/^password/)],
      ] as const)
        expectRefusal(await company.admin.patch(`/calendars/${id}`, body), 422, 'unprocessable_entity', message)
      expect(await stored(id)).toEqual([USERNAME, PASSWORD])
      await caldav.down()
      try {
        const answer = await company.admin.patch(`/calendars/${id}`, { password: PASSWORD })
        expectRefusal(answer, 422, 'unprocessable_entity', "url can't be reached: ECONNREFUSED")
      } finally {
        await caldav.up()
      }
      expect((await company.admin.patch(`/calendars/${id}`, ACCESS)).status).toBe(200)
      expect((await company.admin.patch(`/calendars/${id}`, { username: USERNAME })).status).toBe(200)
      expect((await company.admin.patch(`/calendars/${id}`, {})).status).toBe(200)
    })

    it('leaves the address and the person alone, and says that it ignores them', async () => {
      const { id, url, user } = await connected()
      const answer = await company.admin.patch(`/calendars/${id}`, { url: 'https://example.com/', user_id: 1 })
      expect([answer.status, answer.body.data]).toMatchObject([200, { id, url, user }])
      expect(answer.headers.get('x-ignored-fields')).toBe('url, user_id')
    })

    it("is 403 for everybody but the operator with another's, and 404 for what is not of the company", async () => {
      const [member, other] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
      const { id } = await connected(other.admin)
      const foreign = await app.diwan.company()
      for (const { admin } of [member, company])
        expectRefusal(await admin.patch(`/calendars/${id}`, ACCESS), 403, 'forbidden')
      expectRefusal(await foreign.admin.patch(`/calendars/${id}`, ACCESS), 404, 'not_found')
      for (const none of NOT_IDS)
        expectRefusal(await company.admin.patch(`/calendars/${none}`, ACCESS), 404, 'not_found')
      for (const admin of [other.admin, app.diwan.admin(company.id, OPERATOR_TOKEN)])
        expect((await admin.patch(`/calendars/${id}`, ACCESS)).status).toBe(200)
    })
  })

  describe('DELETE …/calendars/{cid}', () => {
    it('forgets the connection and its credentials, is audited, and leaves what is in the calendar', async () => {
      const url = await newUrl()
      const { data } = await created(company.admin.post('/calendars', { url, ...ACCESS }))
      const { status, body } = await company.admin.delete(`/calendars/${data.id}`)
      expect([status, body]).toEqual([200, { data: { deleted: true, calendar: { id: data.id, url } } }])
      expect(await audit(company)).toMatchObject([{ outcome: 'allowed', operation: 'calendars:destructive' }])
      expectRefusal(await company.admin.delete(`/calendars/${data.id}`), 404, 'not_found')
      expect(await app.database.db.many(sql`select 1 from calendars where company_id = ${company.id}`)).toEqual([])
      expect((await company.admin.post('/calendars', { url, ...ACCESS })).status).toBe(201)
    })

    it("is 403 for a member with another's, 404 for what is not of the company, and allowed to leaders", async () => {
      const [member, other] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
      const { data } = await created(other.admin.post('/calendars', { url: await newUrl(), ...ACCESS }))
      const foreign = await app.diwan.company()
      expectRefusal(await member.admin.delete(`/calendars/${data.id}`), 403, 'forbidden')
      expectRefusal(await foreign.admin.delete(`/calendars/${data.id}`), 404, 'not_found')
      for (const id of NOT_IDS) expectRefusal(await company.admin.delete(`/calendars/${id}`), 404, 'not_found')
      expect((await company.admin.delete(`/calendars/${data.id}`)).status).toBe(200)
      await tellPeople(app)
      const [told] = (await other.admin.get('/notifications')).body.data
      const subject = { type: 'calendar', id: String(data.id) }
      expect(told).toMatchObject({ kind: 'calendar_disconnected', user: { id: other.id }, subject })
    })
  })

  describe('A write to an event', () => {
    it('asks, in its own transaction, for one job per calendar that has the event or should', async () => {
      const [member, other] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
      const ids: number[] = []
      for (const { admin } of [company, member, member, other])
        ids.push((await created(admin.post('/calendars', { url: await newUrl(), ...ACCESS }))).data.id)
      const [owners, members, second, others] = ids as [number, number, number, number]
      const queued = async (work: () => Promise<unknown>) => {
        await app.database.db.run(sql`delete from pgboss.job where name = 'sync-calendar'`)
        await work()
        return (await jobs()).map(({ calendar_id }) => calendar_id).sort((a, b) => a - b)
      }
      const fields = { name: 'x', starts_at: '2030-01-01', ends_at: '2030-01-02' }
      let path = ''
      const create = async (body: object) => {
        const { data } = await created(company.api.post('/events', body))
        path = `/events/${data.id}`
      }
      expect(await queued(() => create({ ...fields, attendee_emails: [member.email] }))).toEqual([
        owners,
        members,
        second,
      ])
      expect(await queued(() => company.api.patch(path, { name: '' }))).toEqual([])
      expect(await queued(() => company.api.patch(path, {}))).toEqual([])
      expect(await queued(() => company.api.patch(path, { description: 'y' }))).toEqual([owners, members, second])
      const replaced = { attendee_emails: [other.email] }
      expect(await queued(() => company.api.patch(path, replaced))).toEqual([owners, members, second, others])
      expect(await queued(() => company.api.delete(path))).toEqual([owners, members, second, others])
    })
  })
})

describe('Without ALLOW_PRIVATE_CALENDARS', () => {
  const app = useApp()
  let reached = 0
  const server = createServer((_request, response) => {
    reached++
    response.end()
  })
  beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    server.close()
  })

  it.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:7f00:1]', '169.254.169.254'])(
    'a calendar at %s is 422 and is not asked',
    async host => {
      const company = await app.diwan.company()
      const url = `http://${host}:${(server.address() as AddressInfo).port}/`
      const answer = await company.admin.post('/calendars', { url, ...ACCESS })
      expectRefusal(answer, 422, 'unprocessable_entity', 'url must not lead to a private address')
      expect(reached).toBe(0)
    },
  )
})
