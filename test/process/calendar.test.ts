import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { PASSWORD, USERNAME } from '../support/caldav-server.ts'
import {
  ALLOWED,
  CALDAV_KINDS,
  hasCalDav,
  newEvent,
  type Person,
  postgresEnv,
  useCalendarPeople,
} from '../support/calendar-people.ts'
import { createPostgresDatabase } from '../support/database.ts'
import type { TestCompany } from '../support/diwan.ts'
import { embedded, type ServerProcess, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import type { ParsedEvent } from '../support/vobject.ts'

const PLACES = ['embedded', 'postgres'].flatMap(engine => CALDAV_KINDS.map(kind => [engine, kind] as const))

describe.each(PLACES)('A connected calendar, on %s and %s,', (engine, kind) => {
  const isHere = hasCalDav(kind) && (engine === 'embedded' || inject('postgresUrl') !== undefined)
  const people = useCalendarPeople(kind)
  const { newPerson, parsed, summaries } = people
  let server: ServerProcess
  let company: TestCompany
  let layla: Person
  let omar: Person
  let drop = async () => {}

  beforeAll(async () => {
    if (!isHere) return
    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined
    if (database) drop = database.drop
    server = await serve(database ? postgresEnv(database.url) : { ...embedded(), ...ALLOWED })
    company = await server.diwan.company({ time_zone: 'Europe/Berlin' })
    layla = await newPerson(server, company)
    omar = await newPerson(server, company)
    for (const person of [layla, omar]) await person.connect()
  })
  afterAll(async () => {
    await server?.end('SIGTERM')
    await drop()
  })

  it.skipIf(!isHere)('gets an event as it is, then as it is changed, and loses it when it is deleted', async () => {
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
    const changed = {
      ...expected,
      uid: first.uid,
      sequence: 1,
      summary: 'Visit',
      description: null,
      start: '2030-07-01T08:00:00.000Z',
    }
    await until(async () => (await both()).every(([event]) => event?.sequence === 1))
    expect(await both()).toEqual([[changed], [changed]])

    await layla.api.patch(`/events/${id}`, { attendee_emails: [] })
    await until(async () => (await parsed(omar.calendar)).length === 0)
    await until(async () => (await parsed(layla.calendar))[0]?.sequence === 2)
    expect(await both()).toEqual([[{ ...changed, sequence: 2, attendees: [] }], []])

    await layla.api.patch(`/events/${id}`, { attendee_emails: [omar.email] })
    await until(async () => (await parsed(omar.calendar)).length === 1)
    await layla.api.delete(`/events/${id}`)
    await until(async () => (await both()).every(events => events.length === 0))
    const { data } = (await company.admin.get('/calendars')).body
    for (const connection of data)
      expect(connection).toMatchObject({ state: 'connected', last_error: null, last_synced_at: expect.any(String) })
  })

  it.skipIf(!isHere)('gets all-day events as days, which stay when the company moves', async () => {
    const { id } = await newEvent(layla, { all_day: true, starts_at: '2030-03-30', ends_at: '2030-03-31' })
    await until(async () => (await parsed(layla.calendar)).length === 1)
    const days = async () => (await parsed(layla.calendar)).map(({ start, end }) => [start, end])
    // The end of a DATE is exclusive.
    expect(await days()).toEqual([['2030-03-30', '2030-04-01']])
    await company.admin.patch('', { time_zone: 'Pacific/Auckland' })
    await layla.api.patch(`/events/${id}`, { name: 'Holiday' })
    await until(async () => (await summaries(layla.calendar))[0] === 'Holiday')
    expect(await days()).toEqual([['2030-03-30', '2030-04-01']])
    await company.admin.patch('', { time_zone: 'Europe/Berlin' })
    await layla.api.delete(`/events/${id}`)
    await until(async () => (await parsed(layla.calendar)).length === 0)
  })

  it.skipIf(!isHere)('gets what its person has before them when it is connected', async () => {
    const sara = await newPerson(server, company)
    await newEvent(sara, { name: 'own' })
    const { id } = await newEvent(layla, { name: 'invited', attendee_emails: [sara.email] })
    await newEvent(layla, { name: 'not hers' })
    await newEvent(sara, { name: 'over', starts_at: '2020-01-01', ends_at: '2020-01-02' })
    await sara.connect()
    await until(async () => (await summaries(sara.calendar)).length === 2)
    expect(await summaries(sara.calendar)).toEqual(['invited', 'own'])
    await layla.api.delete(`/events/${id}`)
    await until(async () => (await summaries(sara.calendar)).length === 1)
  })

  it.skipIf(!isHere)('keeps what its person did by hand until the event changes here: then ours wins', async () => {
    const { caldav } = people
    const sara = await newPerson(server, company)
    await sara.connect()
    const { id } = await newEvent(sara)
    const stored = async () => (await caldav.events(sara.calendar))[0]
    await until(async () => (await stored()) !== undefined)
    const { href, text } = (await stored()) as { href: string; text: string }
    const address = new URL(href, caldav.url).href

    await caldav.send('DELETE', address)
    await sleep(1_500)
    expect(await summaries(sara.calendar)).toEqual([])
    await sara.api.patch(`/events/${id}`, { name: 'Back' })
    await until(async () => (await summaries(sara.calendar))[0] === 'Back')

    const headers = { 'content-type': 'text/calendar' }
    await caldav.send('PUT', address, { body: text.replace('Site visit', 'By hand'), headers })
    expect(await summaries(sara.calendar)).toEqual(['By hand'])
    await sara.api.patch(`/events/${id}`, { name: 'Ours' })
    await until(async () => (await summaries(sara.calendar))[0] === 'Ours')

    // The same event under another name, as a mail program stores an invitation that was accepted.
    await caldav.send('DELETE', address)
    await caldav.send('PUT', `${sara.calendar}accepted.ics`, { body: text, headers })
    await sara.api.patch(`/events/${id}`, { name: 'One' })
    await until(async () => (await summaries(sara.calendar))[0] === 'One')
    expect((await caldav.events(sara.calendar)).map(event => event.href.split('/').at(-1))).toEqual(['accepted.ics'])
    await sara.api.delete(`/events/${id}`)
    await until(async () => (await summaries(sara.calendar)).length === 0)
  })

  it.skipIf(!isHere)(
    'gets what happened while its server was away, and nobody waited for it',
    { timeout: 240_000 },
    async () => {
      const sara = await newPerson(server, company)
      await sara.connect()
      const [kept, doomed] = [await newEvent(sara, { name: 'kept' }), await newEvent(sara, { name: 'doomed' })]
      await until(async () => (await summaries(sara.calendar)).length === 2)
      await people.caldav.down()
      // These calls are answered while the calendar server is still down.
      expect((await sara.api.patch(`/events/${kept.id}`, { name: 'changed' })).status).toBe(200)
      expect((await sara.api.delete(`/events/${doomed.id}`)).status).toBe(200)
      await newEvent(sara, { name: 'new' })
      const connection = async () => (await sara.admin.get('/calendars')).body.data[0]
      // The first error may be that of a connection that broke when the server stopped.
      await until(async () => (await connection()).last_error === "url can't be reached: ECONNREFUSED")
      expect((await connection()).state).toBe('connected')
      await people.caldav.up()
      await until(async () => (await summaries(sara.calendar)).join() === 'changed,new', 120_000)
      await until(async () => (await connection()).last_error === null)
    },
  )

  it.skipIf(!isHere)('gives its password to nobody: not to the log, and not to an answer', async () => {
    const words = [PASSWORD, Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')]
    const answers = JSON.stringify([
      (await company.admin.get('/calendars')).body,
      (await company.admin.get('/audit?limit=100')).body,
      (await server.diwan.operator.get('/jobs/failed')).body,
    ])
    for (const word of words) expect(server.stderr() + server.stdout() + answers).not.toContain(word)
  })
})
