import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD, USERNAME } from '../support/caldav-server.ts'
import { ALLOWED, CALDAV_KINDS, newEvent, type Person, useCalendarPeople } from '../support/calendar-people.ts'
import { describeWith } from '../support/describe-with.ts'
import type { TestCompany } from '../support/diwan.ts'
import { embedded, type ServerProcess, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import type { ParsedEvent } from '../support/vobject.ts'

for (const kind of CALDAV_KINDS)
  describeWith(['radicale', kind], `A connected calendar on ${kind}`, () => {
    const people = useCalendarPeople(kind)
    const { newPerson, parsed, summaries } = people
    let server: ServerProcess
    let company: TestCompany
    let layla: Person
    let omar: Person

    beforeAll(async () => {
      server = await serve({ ...embedded(), ...ALLOWED })
      company = await server.diwan.company({ time_zone: 'Europe/Berlin' })
      layla = await newPerson(server, company)
      omar = await newPerson(server, company)
      for (const person of [layla, omar]) await person.connect()
    })
    afterAll(() => server?.end('SIGTERM'))

    it('gets an event as it is, then as it is changed, and loses it when it is deleted', async () => {
      const { id } = await newEvent(layla, {
        name: 'زيارة; الموقع, «هنا»',
        description: 'First\nsecond, \\ third',
        attendee_emails: [omar.email],
      })
      const expected = {
        uid: expect.stringMatching(/^[\da-f-]{36}@diwan$/),
        sequence: 0,
        summary: 'زيارة; الموقع, «هنا»',
        description: 'First\nsecond, \\ third',
        start: '2030-12-01T09:00:00.000Z',
        end: '2030-12-01T10:30:00.000Z',
        organizer: `mailto:${layla.email}`,
        attendees: [`mailto:${omar.email}`],
        method: null,
      }
      const both = async () => [await parsed(layla.calendar), await parsed(omar.calendar)]
      await until(async () => (await both()).every(events => events.length === 1))
      const [[first]] = (await both()) as [[ParsedEvent]]
      expect(await both()).toEqual([[expected], [expected]])

      await layla.api.patch(`/events/${id}`, { name: 'Visit', starts_at: '2030-07-01T10:00', description: null })
      const start = '2030-07-01T08:00:00.000Z'
      const changed = { ...expected, uid: first.uid, sequence: 1, summary: 'Visit', description: null, start }
      await until(async () => (await both()).every(([event]) => event?.sequence === 1))
      expect(await both()).toEqual([[changed], [changed]])

      await layla.api.patch(`/events/${id}`, { attendee_emails: [] })
      await until(async () => (await parsed(omar.calendar)).length === 0)
      await until(async () => (await parsed(layla.calendar))[0]?.sequence === 2)
      await layla.api.patch(`/events/${id}`, { attendee_emails: [omar.email] })
      await until(async () => (await parsed(omar.calendar)).length === 1)
      await layla.api.delete(`/events/${id}`)
      await until(async () => (await both()).every(events => events.length === 0))
      const connected = { state: 'connected', last_error: null, last_synced_at: expect.any(String) }
      expect((await company.admin.get('/calendars')).body.data).toMatchObject([connected, connected])
    })

    it('gets all-day events as days, which stay when the company moves', async () => {
      const { id } = await newEvent(layla, { all_day: true, starts_at: '2030-03-30', ends_at: '2030-03-31' })
      const days = async () => (await parsed(layla.calendar)).map(({ start, end, summary }) => [summary, start, end])
      await until(async () => (await days()).length === 1)
      // The end of a DATE is exclusive.
      expect(await days()).toEqual([['Site visit', '2030-03-30', '2030-04-01']])
      await company.admin.patch('', { time_zone: 'Pacific/Auckland' })
      await layla.api.patch(`/events/${id}`, { name: 'Holiday' })
      await until(async () => (await summaries(layla.calendar))[0] === 'Holiday')
      expect(await days()).toEqual([['Holiday', '2030-03-30', '2030-04-01']])
      await company.admin.patch('', { time_zone: 'Europe/Berlin' })
      await layla.api.delete(`/events/${id}`)
      await until(async () => (await parsed(layla.calendar)).length === 0)
    })

    it('gets what its person has before them when it is connected', async () => {
      const sara = await newPerson(server, company)
      await newEvent(sara, { name: 'own' })
      const { id } = await newEvent(layla, { name: 'invited', attendee_emails: [sara.email] })
      await newEvent(layla, { name: 'not hers' })
      await newEvent(sara, { name: 'over', starts_at: '2020-01-01', ends_at: '2020-01-02' })
      await sara.connect()
      await until(async () => (await summaries(sara.calendar)).join() === 'invited,own')
      await layla.api.delete(`/events/${id}`)
      await until(async () => (await summaries(sara.calendar)).join() === 'own')
    })

    it('keeps what its person did by hand until the event changes here: then ours wins', async () => {
      const { caldav } = people
      const sara = await newPerson(server, company)
      await sara.connect()
      const { id } = await newEvent(sara)
      const stored = async () => (await caldav.events(sara.calendar))[0]
      await until(async () => (await stored()) !== undefined)
      const { href, text } = (await stored()) as { href: string; text: string }
      const address = new URL(href, caldav.url).href
      const headers = { 'content-type': 'text/calendar' }
      const isRenamed = async (name: string) => {
        await sara.api.patch(`/events/${id}`, { name })
        await until(async () => (await summaries(sara.calendar)).join() === name)
      }
      await caldav.send('DELETE', address)
      await isRenamed('Back')
      await caldav.send('PUT', address, { body: text.replace('Site visit', 'By hand'), headers })
      expect(await summaries(sara.calendar)).toEqual(['By hand'])
      await isRenamed('Ours')
      // The same event under another name, as a mail program stores an invitation that was accepted.
      await caldav.send('DELETE', address)
      await caldav.send('PUT', `${sara.calendar}accepted.ics`, { body: text, headers })
      await isRenamed('One')
      expect((await caldav.events(sara.calendar)).map(event => event.href.split('/').at(-1))).toEqual(['accepted.ics'])
    })

    it('gets what happened while its server was away, for which nobody waited; its password is told to nobody', async () => {
      const sara = await newPerson(server, company)
      await sara.connect()
      const [kept, doomed] = [await newEvent(sara, { name: 'kept' }), await newEvent(sara, { name: 'doomed' })]
      await until(async () => (await summaries(sara.calendar)).length === 2)
      await people.caldav.down()
      expect((await sara.api.patch(`/events/${kept.id}`, { name: 'changed' })).status).toBe(200)
      expect((await sara.api.delete(`/events/${doomed.id}`)).status).toBe(200)
      await newEvent(sara, { name: 'new' })
      const connection = async () => (await sara.admin.get('/calendars')).body.data[0]
      // The first error may be that of a connection that broke when the server stopped.
      await until(async () => (await connection()).last_error === "url can't be reached: ECONNREFUSED")
      expect((await connection()).state).toBe('connected')
      await people.caldav.up()
      await until(async () => (await summaries(sara.calendar)).join() === 'changed,new', 300_000)
      await until(async () => (await connection()).last_error === null)
      const answers = JSON.stringify([
        (await company.admin.get('/calendars')).body,
        (await company.admin.get('/audit?limit=100')).body,
        (await server.diwan.operator.get('/jobs/failed')).body,
      ])
      for (const word of [PASSWORD, Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')])
        expect(server.stderr() + server.stdout() + answers).not.toContain(word)
    })
  })
