import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventAsSeenBy } from '../../src/domain/calendars/event-invitations.ts'
import { type CalendarEvent, toICalendar } from '../../src/domain/calendars/icalendar.ts'
import { useApp } from '../support/app.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { audit } from '../support/factories.ts'
import { firstValue, readIcs } from '../support/ics.ts'
import { noonZone } from '../support/noon-zone.ts'
import { expectRefusal, refusal, unprocessable } from '../support/refusal.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()
let company: TestCompany
let omar: Person
let sara: Person
type Person = Awaited<ReturnType<typeof app.diwan.person>> & { api: Client }
beforeAll(async () => {
  company = await app.diwan.company()
  omar = await newPerson(company, { name: 'Omar Aziz' })
  sara = await newPerson(company, { name: 'سارة القحطاني' })
})

/** A person with a key that signs as them. */
async function newPerson({ id }: TestCompany, settings: Record<string, unknown> = {}): Promise<Person> {
  const person = await app.diwan.person(id, settings)
  return { ...person, api: app.diwan.api(await app.diwan.key(id, { created_by: person.id })) }
}

const TIMES = { starts_at: '2030-12-01T10:00', ends_at: '2030-12-01T11:30' }
const newEvent = async ({ api }: { api: Client }, fields: Record<string, unknown> = {}) =>
  (await created(api.post('/events', { name: 'Site visit', ...TIMES, ...fields }))).data
const names = async ({ api }: { api: Client }, query: string) =>
  (await api.get(`/events?${query}`)).body.data.map(({ name }: { name: string }) => name)
const attendee = ({ name, email }: { name: string; email: string }) => ({ name, email })
const eventsOf = ({ id }: TestCompany) =>
  app.database.db.one(sql`select
    (select count(*) from events where company_id = ${id}) as events,
    (select count(*) from notices where company_id = ${id}) as notices`)

/** Who was notified of what by this work, sorted: `[kind, person, title]`. */
async function told(own: TestCompany, work: () => Promise<unknown>): Promise<string[][]> {
  const read = async () => {
    await tellPeople(app)
    return (await own.admin.get('/notifications?limit=100')).body.data
  }
  const before = (await read()).length
  await work()
  type Note = { kind: string; user: { name: string }; subject: { title: string } }
  return (await read())
    .slice(0, -before || undefined)
    .map(({ kind, user, subject }: Note) => [kind, user.name, subject.title])
    .sort()
}

describe('An event', () => {
  it('is created with 201, and shown whole when it is read alone and in the list', async () => {
    const { status, body } = await company.api.post('/events', {
      name: 'زيارة الموقع ',
      description: 'Bring boots\n<3',
      ...TIMES,
      meeting_url: 'https://meet.example.com/a?b=1',
      attendee_emails: [sara.email.toUpperCase(), omar.email, sara.email],
    })
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'زيارة الموقع ',
        description: 'Bring boots\n<3',
        starts_at: '2030-12-01T10:00:00+03:00',
        ends_at: '2030-12-01T11:30:00+03:00',
        all_day: false,
        meeting_url: 'https://meet.example.com/a?b=1',
        organizer: company.owner.name,
        organizer_email: company.owner.email,
        attendees: [attendee(omar), attendee(sara)],
      },
    ])
    expect((await company.api.get(`/events/${body.data.id}`)).body).toEqual(body)
    expect((await company.api.get('/events?from=2030-12-01&to=2030-12-01')).body.data).toEqual([body.data])
    const none = { description: null, all_day: false, meeting_url: null, attendees: [] }
    for (const fields of [{}, { description: null, meeting_url: null, attendee_emails: [] }])
      expect(await newEvent(company, fields)).toMatchObject(none)
  })

  it('is refused with what it cannot have, names the field, and nothing is saved', async () => {
    const [gone, stranger] = [await newPerson(company), (await app.diwan.company()).owner]
    await company.admin.patch(`/users/${gone.id}`, { active: false })
    const before = await eventsOf(company)
    for (const fields of [
      { ends_at: '2030-12-01T10:00+25:00' },
      { ends_at: '2030-12-01T09:59' },
      { ends_at: '2030-12-01T10:00+04:00' },
      { meeting_url: 'javascript:alert(1)' },
      { meeting_url: `https://example.com/${'x'.repeat(2_048)}` },
      { attendee_emails: [''] },
    ]) {
      const [field] = Object.keys(fields)
      const answer = await company.api.post('/events', { name: 'x', ...TIMES, ...fields })
      expect([fields, ...refusal(answer)]).toEqual([fields, ...unprocessable(new RegExp(`^${field}\\b`))])
    }
    // The address that nobody active of the company has is named, and those before it are not invited.
    for (const email of [gone.email, stranger.email, 'Nobody@Example.com']) {
      const answer = await company.api.post('/events', { name: 'x', ...TIMES, attendee_emails: [omar.email, email] })
      expectRefusal(answer, 422, 'unprocessable_entity', expect.stringContaining(email))
    }
    expect(await eventsOf(company)).toEqual(before)
  })
})

describe('Times', () => {
  it('without an offset are those of the company zone, on both sides of a clock change', async () => {
    const own = await app.diwan.company({ time_zone: 'Europe/Berlin' })
    for (const [sent, shown] of [
      // A skipped time is moved later by the length of the gap; of a repeated time the first is meant.
      ['2030-03-31T02:30', '2030-03-31T03:30:00+02:00'],
      ['2030-10-27T02:30', '2030-10-27T02:30:00+02:00'],
      ['٢٠٣٠-١٢-٠١T٠٧:٠٠:٠٠.123Z', '2030-12-01T08:00:00.123+01:00'],
    ] as const) {
      // It may end when it starts.
      const event = await newEvent(own, { starts_at: sent, ends_at: sent })
      expect([sent, event.starts_at, event.ends_at]).toEqual([sent, shown, shown])
      const again = await own.api.patch(`/events/${event.id}`, { starts_at: shown, name: 'x' })
      expect(again.body.data.starts_at).toBe(shown)
    }
  })
})

describe('The events of a key', () => {
  it('are those that its signature organizes or is invited to; everything else was never there', async () => {
    const own = await app.diwan.company()
    const [guest, stranger] = [await newPerson(own), await newPerson(own)]
    const event = await newEvent(own, { attendee_emails: [guest.email] })
    await newEvent(stranger, { name: 'Private' })
    const seen = [await names(own, ''), await names(guest, ''), await names(stranger, '')]
    expect(seen).toEqual([['Site visit'], ['Site visit'], ['Private']])
    expect((await guest.api.get(`/events/${event.id}`)).body.data).toEqual(event)
    for (const answer of [
      await stranger.api.get(`/events/${event.id}`),
      await stranger.api.patch(`/events/${event.id}`, { name: '' }),
      await stranger.api.delete(`/events/${event.id}`),
    ])
      expectRefusal(answer, 404, 'not_found')
  })

  it('are changed and deleted by the organizer alone, also once that person has left; a guest is refused before the body', async () => {
    const organizer = await newPerson(company)
    const event = await newEvent(organizer, { attendee_emails: [omar.email] })
    const path = `/events/${event.id}`
    expectRefusal(await omar.api.patch(path, { name: '' }), 403, 'forbidden')
    expectRefusal(await omar.api.delete(path), 403, 'forbidden')
    expect(await audit(company)).toMatchObject([{ outcome: 'denied', operation: 'events:destructive', status: 403 }])
    expect((await omar.api.get(path)).body.data).toEqual(event)
    await company.admin.patch(`/users/${organizer.id}`, { active: false })
    expect((await organizer.api.patch(path, { name: 'Still mine' })).body.data.organizer).toBe(organizer.name)
  })
})

describe('PATCH of an event', () => {
  it('compares its times as they will be, replaces the attendees, and does nothing when it is refused', async () => {
    const event = await newEvent(company, { description: 'a', attendee_emails: [omar.email] })
    for (const [change, expected] of [
      [{ ends_at: '2030-12-01T12:00' }, { ends_at: '2030-12-01T12:00:00+03:00' }],
      [{ starts_at: '2030-12-01T11:00', all_day: false }, { starts_at: '2030-12-01T11:00:00+03:00' }],
      [{ all_day: true }, { all_day: true }],
      [{ all_day: false }, { all_day: false }],
      [{ attendee_emails: [sara.email] }, { attendees: [attendee(sara)] }],
      [{ attendee_emails: [sara.email, omar.email] }, { attendees: [attendee(omar), attendee(sara)] }],
      [{ attendee_emails: [] }, { attendees: [] }],
    ] as const) {
      Object.assign(event, expected)
      const { status, body } = await company.api.patch(`/events/${event.id}`, change)
      expect([change, status, body]).toEqual([change, 200, { data: event }])
    }
    for (const bad of [
      { starts_at: '2030-12-01T12:01' },
      { ends_at: '2030-11-01T00:00' },
      { meeting_url: 'x' },
      { attendee_emails: ['nobody@example.com'] },
    ]) {
      const answer = await company.api.patch(`/events/${event.id}`, { description: 'good', ...bad })
      expect([bad, ...refusal(answer)]).toEqual([bad, ...unprocessable(/^\w+ /)])
    }
    expect((await company.api.get(`/events/${event.id}`)).body.data).toEqual(event)
  })
})

describe('The list of events', () => {
  it('begins with the first instant of today in the company zone, unless the past is asked for', async () => {
    // In a zone where it is noon and the same day as in UTC, so that midnight does not pass during the test.
    const atNoon = await app.diwan.company({ time_zone: noonZone() })
    const date = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
    for (const [name, starts_at] of [
      ['yesterday', `${date(-1)}T23:59:59.999`],
      ['midnight', `${date(0)}T00:00`],
      ['tomorrow', `${date(1)}T09:00`],
    ])
      await newEvent(atNoon, { name, starts_at, ends_at: '2032-01-01' })
    for (const query of ['', 'include_past=false', 'include_past=x', 'from=&to='])
      expect([query, await names(atNoon, query)]).toEqual([query, ['midnight', 'tomorrow']])
    for (const query of ['include_past=true', 'include_past=1'])
      expect([query, await names(atNoon, query)]).toEqual([query, ['yesterday', 'midnight', 'tomorrow']])
  })

  it('has what starts within its window of dates and times, and refuses what is neither', async () => {
    const own = await app.diwan.company({ time_zone: 'Asia/Riyadh' })
    for (const [name, starts_at] of [
      ['past', '2020-06-01T10:00'],
      ['first', '2031-05-10T00:00'],
      ['noon', '2031-05-10T12:00'],
      ['last', '2031-05-10T23:59:59.999'],
      ['next', '2031-05-11T00:00'],
    ])
      await newEvent(own, { name, starts_at, ends_at: '2032-01-01' })
    for (const [query, expected] of [
      ['from=2031-05-10&to=2031-05-10', ['first', 'noon', 'last']],
      ['to=2020-06-01', ['past']],
      ['from=2031-05-10T12:00&to=2031-05-10T12:00', ['noon']],
      // An unescaped + arrives as a space.
      ['from=2031-05-10T12:00:00+03:00&to=2031-05-10T12:00:00+03:00', ['noon']],
      ['from=2031-05-10T12:00:00.001&to=2031-05-10', ['last']],
      ['from=٢٠٣١-٠٥-١٠&to=۲۰۳۱-۰۵-۱۰', ['first', 'noon', 'last']],
    ] as const)
      expect([query, await names(own, query)]).toEqual([query, expected])
    for (const side of ['from', 'to'])
      for (const text of ['2031-02-29', 'tomorrow', '12:00']) {
        const answer = await own.api.get(`/events?${side}=${text}`)
        expect([text, ...refusal(answer)]).toEqual([text, ...unprocessable(new RegExp(`^${side} must`))])
      }
  })
})

describe('People', () => {
  it('are told of an invitation, of a change, of no longer being invited and of a cancellation, each what concerns them', async () => {
    const own = await app.diwan.company()
    const people = []
    for (const name of ['A', 'B', 'C']) people.push(await newPerson(own, { name }))
    const [a, b, c] = people.map(({ email }) => email)
    let id = 0
    const invite = async () => {
      id = (await newEvent(own, { attendee_emails: [a, b, own.owner.email] })).id
    }
    // The organizer is not notified.
    expect(await told(own, invite)).toEqual([
      ['event_invited', 'A', 'Site visit'],
      ['event_invited', 'B', 'Site visit'],
    ])
    const changed = (title: string) => ['B', 'C'].map(name => ['event_changed', name, title])
    for (const [change, expected] of [
      [
        { attendee_emails: [b, c] },
        [
          ['event_invited', 'C', 'Site visit'],
          ['event_removed', 'A', 'Site visit'],
        ],
      ],
      [{ starts_at: '2030-12-01T09:00' }, changed('Site visit')],
      [{ meeting_url: 'https://meet.example.com' }, changed('Site visit')],
      [{ name: 'Visit' }, changed('Visit')],
      [{ name: 'Visit', starts_at: '2030-12-01T09:00' }, []],
      [{ description: 'New' }, []],
      [{}, []],
      [{ name: '' }, []],
      [
        { ends_at: '2030-12-02T09:00', attendee_emails: [a, b] },
        [
          ['event_changed', 'B', 'Visit'],
          ['event_invited', 'A', 'Visit'],
          ['event_removed', 'C', 'Visit'],
        ],
      ],
    ] as const) {
      const notes = await told(own, () => own.api.patch(`/events/${id}`, change))
      expect([change, notes]).toEqual([change, expected])
    }
    expect(await told(own, () => own.api.delete(`/events/${id}`))).toEqual([
      ['event_cancelled', 'A', 'Visit'],
      ['event_cancelled', 'B', 'Visit'],
    ])
  })

  it('get the event itself with the mail: one UID, a sequence that rises, and a cancellation that names nobody else', async () => {
    const own = await app.diwan.company()
    const [a, b, c] = [await newPerson(own), await newPerson(own), await newPerson(own)]
    const { id } = await newEvent(own, { attendee_emails: [a.email, b.email, c.email] })
    await own.api.patch(`/events/${id}`, { attendee_emails: [a.email] })
    await own.api.patch(`/events/${id}`, { starts_at: '2030-12-01T09:00' })
    await own.api.delete(`/events/${id}`)
    await tellPeople(app)
    const sent = await app.database.db.many<{ kind: string; user_id: number; event: CalendarEvent }>(sql`
      select w.kind, n.user_id, w.event from notifications n join notices w on w.company_id = n.company_id and w.id = n.notice_id
      where n.company_id = ${own.id} order by n.id`)
    expect(new Set(sent.map(({ event }) => event.uid)).size).toBe(1)
    expect(sent.map(({ kind, event }) => [kind, Number(event.sequence)])).toEqual([
      ['event_invited', 0],
      ['event_invited', 0],
      ['event_invited', 0],
      ['event_removed', 1],
      ['event_removed', 1],
      ['event_changed', 2],
      ['event_cancelled', 3],
    ])
    const removed = sent.filter(({ kind }) => kind === 'event_removed')
    expect(removed.map(({ user_id }) => user_id).sort()).toEqual([b.id, c.id].sort())
    for (const { user_id, event: stored } of removed) {
      const { name, email } = user_id === b.id ? b : c
      const event = eventAsSeenBy(stored, { name, email })
      expect(event.attendees).toEqual([{ name, email }])
      const { calendar, event: written } = readIcs(toICalendar(event, 'CANCEL'))
      expect(written.ATTENDEE?.map(({ value }) => value.toLowerCase())).toEqual([`mailto:${email}`])
      const shown = [firstValue(calendar, 'METHOD'), written.STATUS, firstValue(written, 'SEQUENCE')]
      expect(shown).toEqual(['CANCEL', undefined, '1'])
    }
  })

  it('get an all-day event with the day that was sent as its end, and the end of a DATE is the day after', async () => {
    const own = await app.diwan.company()
    const { email } = await newPerson(own)
    const days = { starts_at: '2030-11-27', ends_at: '2030-11-29', all_day: true }
    const { id, ends_at } = await newEvent(own, { ...days, attendee_emails: [email] })
    await own.api.patch(`/events/${id}`, { ends_at, name: 'Exhibition' })
    const sent = await app.database.db.many<{ event: CalendarEvent }>(sql`
      select w.event from notices w where w.company_id = ${own.id} and w.kind in ('event_invited', 'event_changed')`)
    expect(sent).toHaveLength(2)
    for (const { event } of sent) {
      const { event: written } = readIcs(toICalendar(event, 'REQUEST'))
      expect([firstValue(written, 'DTSTART'), firstValue(written, 'DTEND')]).toEqual(['20301127', '20301130'])
    }
  })
})

describe('DELETE of an event', () => {
  it('is for good, names what it deleted, and is audited', async () => {
    const { id } = await newEvent(omar, { name: 'يوم الانتقال' })
    const { status, body } = await omar.api.delete(`/events/${id}`)
    expect([status, body]).toEqual([200, { data: { deleted: true, event: { id, name: 'يوم الانتقال' } } }])
    expect(await audit(company)).toMatchObject([{ outcome: 'allowed', operation: 'events:destructive', status: 200 }])
    expectRefusal(await omar.api.get(`/events/${id}`), 404, 'not_found')
    expect(await names(omar, 'include_past=true')).not.toContain('يوم الانتقال')
  })
})
