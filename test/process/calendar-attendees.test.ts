import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstOf, ownSettings, replies, withOwnSettings, withReply } from '../support/attendee.ts'
import { PASSWORD } from '../support/caldav-server.ts'
import { ALLOWED, CALDAV_KINDS, newEvent, type Person, useCalendarPeople } from '../support/calendar-people.ts'
import { describeWith } from '../support/describe-with.ts'
import type { TestCompany } from '../support/diwan.ts'
import { type FlakyProxy, startFlakyProxy } from '../support/flaky-proxy.ts'
import { embedded, type ServerProcess, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const REPLIED = '20261101T080000Z'

// Compares what attendees have set in their own calendars before and after whatever the organizer does.
for (const kind of CALDAV_KINDS)
  describeWith(['radicale', kind], `What a person has set in a calendar on ${kind}`, () => {
    const people = useCalendarPeople(kind)
    const { newPerson, whole } = people
    let server: ServerProcess
    let company: TestCompany
    let proxy: FlakyProxy
    beforeAll(async () => {
      server = await serve({ ...embedded(), ...ALLOWED })
      company = await server.diwan.company({ time_zone: 'Europe/Berlin' })
      proxy = await startFlakyProxy(people.caldav.url)
    })
    afterAll(() => server?.end('SIGTERM'))

    /** An organizer and an attendee with an event in their calendars; the attendee has replied and set reminders. */
    async function invited() {
      const [layla, omar] = [await newPerson(server, company), await newPerson(server, company, proxy.url)]
      for (const person of [layla, omar]) await person.connect()
      const { id } = await newEvent(layla, { attendee_emails: [omar.email] })
      for (const { calendar } of [layla, omar]) await until(async () => (await whole(calendar)) !== undefined)
      await reply(omar, 'ACCEPTED')
      return { layla, omar, path: `/events/${id}`, set: ownSettings(await there(omar)) }
    }
    const there = async ({ calendar }: Person) =>
      (await whole(calendar)) as NonNullable<Awaited<ReturnType<typeof whole>>>
    const reply = async (person: Person, partstat: string, of = person) => {
      const event = await there(person)
      await people.caldav.write(event, withOwnSettings(event.text, of.email, partstat))
    }
    const sequence = async (person: Person) => Number(firstOf(await there(person), 'SEQUENCE')?.[2])
    const reaches = (person: Person, number: number) => until(async () => (await sequence(person)) === number)

    it('is there as it was after every kind of change, beside what has changed', async () => {
      const { layla, omar, path, set } = await invited()
      expect([set.properties.length, set.alarms.length, set.calendar.length]).toEqual([6, 2, 1])
      const sara = await newPerson(server, company)
      const { href } = await there(omar)
      const changes = [
        { description: 'Bring; boots,\nand hats', meeting_url: 'https://meet.example.com/x' },
        { name: 'زيارة', description: null, meeting_url: null },
        { all_day: true, starts_at: '2030-12-03', ends_at: '2030-12-03' },
        { all_day: false, starts_at: '2030-12-04T09:00', ends_at: '2030-12-04T10:00' },
        { attendee_emails: [omar.email, sara.email] },
      ]
      for (const [index, change] of changes.entries()) {
        expect((await layla.api.patch(path, change)).status).toBe(200)
        await reaches(omar, index + 1)
        const event = await there(omar)
        expect(ownSettings(event)).toEqual(set)
        expect(replies(event)[omar.email]).toEqual(['ACCEPTED', 'FALSE', REPLIED])
      }
      const event = await there(omar)
      expect(event.href).toBe(href)
      expect(replies(event)[sara.email]).toEqual(['NEEDS-ACTION', 'TRUE'])
      const named = ['SUMMARY', 'DTSTART', 'DESCRIPTION', 'LOCATION', 'X-MICROSOFT-CDO-ALLDAYEVENT']
      expect(named.map(name => firstOf(event, name)?.[2])).toEqual([
        'زيارة',
        '20301204T080000Z',
        ...Array(3).fill(undefined),
      ])
      // The organizer's copy shows the reply too, once it has arrived there.
      await reaches(layla, changes.length)
      await reply(layla, 'DECLINED', omar)
      await layla.api.patch(path, { attendee_emails: [omar.email] })
      await reaches(layla, changes.length + 1)
      await reaches(omar, changes.length + 1)
      expect(replies(await there(layla))).toEqual({ [omar.email]: ['DECLINED', 'FALSE', REPLIED] })
      expect(Object.keys(replies(await there(omar)))).toEqual([omar.email])
      for (const person of [layla, omar]) expect(ownSettings(await there(person))).toEqual(set)
    })

    it('is kept also when it is set between our reading and our writing', async () => {
      const { layla, omar, path, set } = await invited()
      let writes = 0
      proxy.before = async method => {
        if (method !== 'PUT' || ++writes > 2) return
        const event = await there(omar)
        await people.caldav.write(event, withReply(event.text, omar.email, writes === 1 ? 'DECLINED' : 'TENTATIVE'))
      }
      await layla.api.patch(path, { name: 'Moved' })
      await reaches(omar, 1)
      proxy.before = undefined
      const event = await there(omar)
      expect([firstOf(event, 'SUMMARY')?.[2], replies(event)[omar.email]?.[0], writes]).toEqual([
        'Moved',
        'TENTATIVE',
        3,
      ])
      expect(ownSettings(event)).toEqual(set)
    })

    it('stays when people change their names and addresses, which reach every calendar that has the event', async () => {
      const { layla, omar, path, set } = await invited()
      const unique = Math.random().toString(36).slice(2)
      await company.admin.patch(`/users/${layla.id}`, { name: 'ليلى حداد', email: `new.${unique}@example.com` })
      const organizer = async (person: Person) => firstOf(await there(person), 'ORGANIZER') as [string, object, string]
      for (const person of [layla, omar]) {
        await until(async () => (await organizer(person))[2].toLowerCase() === `mailto:new.${unique}@example.com`)
        expect((await organizer(person))[1]).toMatchObject({ CN: ['ليلى حداد'] })
      }
      const renamed = `omar.${unique}@example.com`
      await company.admin.patch(`/users/${omar.id}`, { name: 'عمر', email: renamed })
      for (const person of [omar, layla])
        await until(async () => Object.keys(replies(await there(person))).join() === renamed)
      expect(replies(await there(omar))).toEqual({ [renamed]: ['ACCEPTED', 'FALSE', REPLIED] })
      expect(ownSettings(await there(omar))).toEqual(set)
      await layla.api.delete(path)
      for (const { calendar } of [layla, omar]) await until(async () => (await whole(calendar)) === undefined)
    })

    it('stays when the calendar is disconnected and connected again, and what was cancelled meanwhile goes', async () => {
      const { layla, omar, path, set } = await invited()
      const cancelled = await newEvent(layla, { name: 'cancelled', attendee_emails: [omar.email] })
      const over = { starts_at: '2020-01-01', ends_at: '2020-01-02', attendee_emails: [omar.email] }
      const past = await newEvent(layla, { name: 'past', ...over })
      const pastCancelled = await newEvent(layla, { name: 'past and cancelled', ...over })
      const names = () => people.summaries(omar.calendar)
      await until(async () => (await names()).join() === 'Site visit,cancelled,past,past and cancelled')
      await omar.admin.delete(`/calendars/${(await omar.admin.get('/calendars')).body.data[0].id}`)
      for (const { id } of [cancelled, pastCancelled]) await layla.api.delete(`/events/${id}`)
      await layla.api.patch(path, { name: 'Later' })
      await omar.connect()
      await until(async () => (await names()).join() === 'Later,past')
      await layla.api.delete(`/events/${past.id}`)
      await until(async () => (await names()).join() === 'Later')
      expect(ownSettings(await there(omar))).toEqual(set)
      expect(replies(await there(omar))[omar.email]?.[0]).toBe('ACCEPTED')
    })

    it('stays while the person is not active and over a change of the password, and the calendar catches up', async () => {
      const { layla, omar, path, set } = await invited()
      const before = await there(omar)
      await company.admin.patch(`/users/${omar.id}`, { active: false })
      await layla.api.patch(path, { name: 'While away' })
      await reaches(layla, 1)
      expect((await there(omar)).etag).toBe(before.etag)
      await company.admin.patch(`/users/${omar.id}`, { active: true })
      await reaches(omar, 1)

      const connection = async () => (await omar.admin.get('/calendars')).body.data[0]
      const { id } = await connection()
      const password = `new ${PASSWORD}`
      people.caldav.setPassword(password)
      try {
        await layla.api.patch(path, { name: 'Meanwhile' })
        const refused = 'password is refused by the calendar server, or the username is'
        await until(async () => (await connection()).last_error === refused)
        const wrong = await omar.admin.patch(`/calendars/${id}`, { password: 'a guess' })
        expect([wrong.status, wrong.body.error.message]).toEqual([422, refused])
        const { status, body } = await omar.admin.patch(`/calendars/${id}`, { password })
        expect([status, body.data]).toMatchObject([200, { id, state: 'connected', last_error: null }])
        await reaches(omar, 2)
        expect(firstOf(await there(omar), 'SUMMARY')?.[2]).toBe('Meanwhile')
      } finally {
        people.caldav.setPassword(PASSWORD)
      }
      expect(ownSettings(await there(omar))).toEqual(set)
      expect(replies(await there(omar))[omar.email]?.[0]).toBe('ACCEPTED')
    })
  })
