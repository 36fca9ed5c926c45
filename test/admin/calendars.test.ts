import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sql from 'sql-template-tag'
import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEncryption } from '../../src/domain/installation/encryption.ts'
import { OPERATOR_TOKEN, SERVER_SECRET, useApp } from '../support/app.ts'
import { basic, PASSWORD, USERNAME } from '../support/caldav-server.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { audit, INSTANT } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'
import { freePort } from '../support/servers.ts'
import { tellPeople } from '../support/worker.ts'

const ACCESS = { username: USERNAME, password: PASSWORD }

/** A CalDAV server as the endpoints need it. Real servers are in test/adapters and test/process. */
function startCalDav() {
  const calendars = new Set<string>()
  let password = PASSWORD
  const server = createServer(({ url = '', method, headers }, response) => {
    const isCalendar = calendars.has(url)
    if (headers.authorization !== basic(password)) return response.writeHead(401).end()
    if (method !== 'PROPFIND' || !(isCalendar || url === `/${USERNAME}/`)) return response.writeHead(404).end()
    const type = isCalendar ? '<C:calendar xmlns:C="urn:ietf:params:xml:ns:caldav"/>' : ''
    response.writeHead(207, { 'content-type': 'application/xml' })
    response.end(`<D:multistatus xmlns:D="DAV:"><D:response><D:href>${url}</D:href><D:propstat><D:prop>
      <D:resourcetype><D:collection/>${type}</D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
      </D:response></D:multistatus>`)
  })
  const caldav = {
    url: '',
    up: (port: number) =>
      new Promise<void>(resolve => {
        server.listen(port, '127.0.0.1', resolve)
      }),
    down: () =>
      new Promise<unknown>(resolve => {
        server.close(resolve)
        server.closeAllConnections()
      }),
    setPassword: (next: string) => {
      password = next
    },
    calendar(name: string) {
      const path = `/${USERNAME}/${name}/`
      calendars.add(path)
      return caldav.url + path
    },
  }
  return caldav
}

describe('Connected calendars', () => {
  const app = useApp({ allowPrivateCalendars: true })
  const caldav = startCalDav()
  let port: number
  let company: TestCompany
  beforeAll(async () => {
    port = await freePort()
    caldav.url = `http://127.0.0.1:${port}`
    await caldav.up(port)
  })
  afterAll(() => caldav.down())
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
    it('connects the own calendar of the caller, shows exactly what was connected, and stores the password encrypted for them alone', async () => {
      const url = newUrl()
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
      const { password } = await app.database.db.one<{ password: Buffer }>(sql`
        select password from calendars c where company_id = ${company.id}`)
      const purpose = `calendar:${company.id}:${company.owner.id}`
      expect(createEncryption(SERVER_SECRET).decrypt(password, purpose)).toBe(PASSWORD)
      expect(() => createEncryption(SERVER_SECRET).decrypt(password, `${purpose}0`)).toThrow()
    })

    it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
      'asks for what the person has today or later, on the clocks of %s, and for nothing that ended before or is of others',
      async time_zone => {
        company = await app.diwan.company({ time_zone })
        const day = (offset: number) =>
          Temporal.Now.zonedDateTimeISO(time_zone).toPlainDate().add({ days: offset }).toString()
        const person = await app.diwan.person(company.id)
        const attendee_emails = [person.email]
        const event = (name: string, starts_at: string, ends_at: string, all_day = true) =>
          created(company.api.post('/events', { name, starts_at, ends_at, all_day, attendee_emails }))
        const ofOthers = { name: 'of others', starts_at: '2030-01-01', ends_at: '2030-01-02' }
        await created(company.api.post('/events', ofOthers))
        await event('later', '2030-01-01', '2030-01-02')
        await event('today', day(0), day(0))
        await event('since yesterday', day(-1), `${day(0)}T09:00`)
        await event('early today', `${day(0)}T00:00`, `${day(0)}T00:01`, false)
        await event('yesterday', day(-1), day(-1))
        await event('yesterday and today', day(-1), day(0))
        await event('yesterday to its end', `${day(-1)}T09:00`, `${day(0)}T00:00`, false)
        await event('last minute', `${day(-1)}T23:00`, `${day(-1)}T23:59`, false)
        expect(await jobs()).toEqual([])
        await created(person.admin.post('/calendars', { url: newUrl(), ...ACCESS }))
        const asked = await app.database.db.many<{ name: string }>(sql`
          select name from events where company_id = ${company.id} and uid = any(${(await jobs()).map(({ uid }) => uid)}) order by id`)
        expect(asked.map(({ name }) => name)).toEqual([
          'later',
          'today',
          'since yesterday',
          'early today',
          'yesterday and today',
        ])
      },
    )

    it('stores the address of the calendar with its slash, and each but once', async () => {
      const url = newUrl()
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
        admin.post('/calendars', { url: newUrl(), ...ACCESS, user_id })
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
        const url = newUrl()
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

    it('refuses what cannot be the address or the credentials of a calendar', async () => {
      for (const [field, value] of [
        ['url', undefined],
        ['url', 'caldav.example.com'],
        ['url', 'ftp://example.com/'],
        ['url', `https://example.com/${'x'.repeat(2_048)}`],
        ['username', undefined],
        ['username', ' '],
        ['username', 'a:b'],
        ['password', undefined],
        ['password', 5],
        ['user_id', 'x'],
      ] as const) {
        const body = { url: `${caldav.url}/`, ...ACCESS, [field]: value }
        const answer = await company.admin.post('/calendars', body)
        expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(`^${field}\\b`))
      }
    })

    it('says what is wrong with a calendar that cannot be used, keeps nothing of it, and repeats no password', async () => {
      const url = newUrl()
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
    it('shows a member the own, leaders and the operator all', async () => {
      const [member, other] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
      const manager = await app.diwan.person(company.id, { role: 'manager' })
      const ids: number[] = []
      for (const { admin } of [member, other, company])
        ids.push((await created(admin.post('/calendars', { url: newUrl(), ...ACCESS }))).data.id)
      const seen = async ({ admin }: Pick<TestCompany, 'admin'>) =>
        (await admin.get('/calendars')).body.data.map(({ id }: { id: number }) => id)
      expect([await seen(member), await seen(other), await seen(manager), await seen(company)]).toEqual([
        [ids[0]],
        [ids[1]],
        ids,
        ids,
      ])
      expect(await seen({ admin: app.diwan.admin(company.id, OPERATOR_TOKEN) })).toEqual(ids)
    })
  })

  describe('PATCH …/calendars/{cid}', () => {
    const connected = async (admin = company.admin) =>
      (await created(admin.post('/calendars', { url: newUrl(), ...ACCESS }))).data
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
        await caldav.up(port)
      }
      expect((await company.admin.patch(`/calendars/${id}`, ACCESS)).status).toBe(200)
      expect((await company.admin.patch(`/calendars/${id}`, { username: USERNAME })).status).toBe(200)
      expect((await company.admin.patch(`/calendars/${id}`, {})).status).toBe(200)
    })

    it("is 403 with another's for everybody but the operator, deletion is for leaders too, and what is not of the company is 404", async () => {
      const [member, other] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
      const { id } = await connected(other.admin)
      const foreign = await app.diwan.company()
      for (const { admin } of [member, company])
        expectRefusal(await admin.patch(`/calendars/${id}`, ACCESS), 403, 'forbidden')
      expectRefusal(await foreign.admin.patch(`/calendars/${id}`, ACCESS), 404, 'not_found')
      for (const admin of [other.admin, app.diwan.admin(company.id, OPERATOR_TOKEN)])
        expect((await admin.patch(`/calendars/${id}`, ACCESS)).status).toBe(200)
      const { data } = await created(other.admin.post('/calendars', { url: newUrl(), ...ACCESS }))
      expectRefusal(await member.admin.delete(`/calendars/${data.id}`), 403, 'forbidden')
      expectRefusal(await foreign.admin.delete(`/calendars/${data.id}`), 404, 'not_found')
      expect((await company.admin.delete(`/calendars/${data.id}`)).status).toBe(200)
      await tellPeople(app)
      const [told] = (await other.admin.get('/notifications')).body.data
      const subject = { type: 'calendar', id: String(data.id) }
      expect(told).toMatchObject({ kind: 'calendar_disconnected', user: { id: other.id }, subject })
    })
  })

  describe('DELETE …/calendars/{cid}', () => {
    it('forgets the connection and its credentials, is audited, and leaves what is in the calendar', async () => {
      const url = newUrl()
      const { data } = await created(company.admin.post('/calendars', { url, ...ACCESS }))
      const { status, body } = await company.admin.delete(`/calendars/${data.id}`)
      expect([status, body]).toEqual([200, { data: { deleted: true, calendar: { id: data.id, url } } }])
      expect(await audit(company)).toMatchObject([{ outcome: 'allowed', operation: 'calendars:destructive' }])
      expectRefusal(await company.admin.delete(`/calendars/${data.id}`), 404, 'not_found')
      expect(await app.database.db.many(sql`select 1 from calendars where company_id = ${company.id}`)).toEqual([])
      expect((await company.admin.post('/calendars', { url, ...ACCESS })).status).toBe(201)
    })
  })

  describe('A write to an event', () => {
    it('asks, in its own transaction, for one job per calendar that has the event or should', async () => {
      const [member, other] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
      const ids: number[] = []
      for (const { admin } of [company, member, member, other])
        ids.push((await created(admin.post('/calendars', { url: newUrl(), ...ACCESS }))).data.id)
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

  it('a calendar at a private address is 422 and is not asked', async () => {
    const company = await app.diwan.company()
    const { port } = server.address() as AddressInfo
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '[::1]', '169.254.169.254']) {
      const answer = await company.admin.post('/calendars', { url: `http://${host}:${port}/`, ...ACCESS })
      expectRefusal(answer, 422, 'unprocessable_entity', 'url must not lead to a private address')
    }
    expect(reached).toBe(0)
  })
})
