import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventAsSeenBy } from '../../src/domain/calendars/event-invitations.ts'
import { type CalendarEvent, toICalendar } from '../../src/domain/calendars/icalendar.ts'
import { useApp } from '../support/app.ts'
import type { Client, TestCompany } from '../support/diwan.ts'
import { created } from '../support/diwan.ts'
import { audit } from '../support/factories.ts'
import { inPagesOfTwo, NOT_IDS } from '../support/furnished.ts'
import { firstValue, readIcs } from '../support/ics.ts'
import { noonZone } from '../support/noon-zone.ts'
import { expectRefusal } from '../support/refusal.ts'
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
  it('is created with 201 and shows exactly the fields of the specification', async () => {
    const { status, body } = await company.api.post('/events', {
      name: 'زيارة الموقع ',
      description: 'Bring boots\n<3',
      ...TIMES,
      meeting_url: 'https://meet.example.com/a?b=1',
      attendee_emails: [sara.email.toUpperCase(), omar.email, sara.email],
    })
    expect([status, body]).toEqual([
      201,
      {
        data: {
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
      },
    ])
    const read = await company.api.get(`/events/${body.data.id}`)
    expect([read.status, read.body]).toEqual([200, body])
  })

  it('needs a name, a start and an end; the rest is null, false or empty', async () => {
    expect(await newEvent(company)).toMatchObject({
      description: null,
      all_day: false,
      meeting_url: null,
      attendees: [],
    })
    const nulls = await newEvent(company, { description: null, meeting_url: null, attendee_emails: [] })
    expect(nulls).toMatchObject({ description: null, meeting_url: null, attendees: [] })
  })

  it.each([
    ['name', { name: undefined }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(256) }],
    ['starts_at', { starts_at: undefined }],
    ['starts_at', { starts_at: '2030-02-30T10:00' }],
    ['starts_at', { starts_at: '2030-02-03T24:30' }],
    ['starts_at', { starts_at: 'tomorrow' }],
    ['starts_at', { starts_at: 5 }],
    ['starts_at', { starts_at: null }],
    ['ends_at', { ends_at: undefined }],
    ['ends_at', { ends_at: '2030-12-01T10:00+25:00' }],
    ['ends_at', { ends_at: '2030-12-01T09:59' }],
    ['ends_at', { starts_at: '2030-12-01T10:00+03:00', ends_at: '2030-12-01T10:00+04:00' }],
    ['all_day', { all_day: 'yes' }],
    ['meeting_url', { meeting_url: 'ftp://example.com' }],
    ['meeting_url', { meeting_url: 'javascript:alert(1)' }],
    ['meeting_url', { meeting_url: 'meet.example.com' }],
    ['meeting_url', { meeting_url: `https://example.com/${'x'.repeat(2_048)}` }],
    ['description', { description: 5 }],
    ['attendee_emails', { attendee_emails: 'omar@example.com' }],
    ['attendee_emails', { attendee_emails: null }],
    ['attendee_emails', { attendee_emails: ['nobody@example.com'] }],
    ['attendee_emails', { attendee_emails: [''] }],
  ])('is 422 naming %s for %j, and nothing is saved', async (field, fields) => {
    const before = await eventsOf(company)
    const answer = await company.api.post('/events', { name: 'x', ...TIMES, ...fields })
    expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(new RegExp(`^${field}\\b`)))
    expect(await eventsOf(company)).toEqual(before)
  })

  it('names the address that nobody active has, and invites nobody of those before it', async () => {
    const [gone, stranger] = [await newPerson(company), (await app.diwan.company()).owner]
    await company.admin.patch(`/users/${gone.id}`, { active: false })
    const before = await eventsOf(company)
    for (const email of [gone.email, stranger.email, 'Nobody@Example.com']) {
      const answer = await company.api.post('/events', { name: 'x', ...TIMES, attendee_emails: [omar.email, email] })
      expectRefusal(answer, 422, 'unprocessable_entity', expect.stringContaining(email))
    }
    expect(await eventsOf(company)).toEqual(before)
  })

  it('may end when it starts, and may be given in any offset and in Arabic digits', async () => {
    const event = await newEvent(company, { starts_at: '2030-12-01T07:00:00Z', ends_at: '٢٠٣٠-١٢-٠١T١٠:٠٠' })
    expect([event.starts_at, event.ends_at]).toEqual(['2030-12-01T10:00:00+03:00', '2030-12-01T10:00:00+03:00'])
    const exact = await newEvent(company, { starts_at: '2030-12-01T10:00:00.123-05:00', ends_at: '2030-12-02T10:00' })
    expect(exact.starts_at).toBe('2030-12-01T18:00:00.123+03:00')
  })
})

describe('Times', () => {
  it('without an offset are those of the company zone, on both sides of a clock change', async () => {
    const own = await app.diwan.company({ time_zone: 'Europe/Berlin' })
    for (const [sent, shown] of [
      ['2030-03-30T12:00', '2030-03-30T12:00:00+01:00'],
      ['2030-03-31T12:00', '2030-03-31T12:00:00+02:00'],
      // A skipped time is moved later by the length of the gap; of a repeated time the first is meant.
      ['2030-03-31T02:30', '2030-03-31T03:30:00+02:00'],
      ['2030-10-27T02:30', '2030-10-27T02:30:00+02:00'],
      ['2030-10-27T02:30+01:00', '2030-10-27T02:30:00+01:00'],
      ['2030-10-27T12:00', '2030-10-27T12:00:00+01:00'],
    ] as const) {
      const event = await newEvent(own, { starts_at: sent, ends_at: '2030-12-31T00:00' })
      expect([sent, event.starts_at]).toEqual([sent, shown])
      // Sending it again changes nothing.
      const again = await own.api.patch(`/events/${event.id}`, { starts_at: shown, name: 'x' })
      expect(again.body.data.starts_at).toBe(shown)
    }
  })

  it('are the same instants in new words after the company has moved', async () => {
    const own = await app.diwan.company({ time_zone: 'Asia/Riyadh' })
    const { id } = await newEvent(own)
    expect((await own.admin.patch('', { time_zone: 'America/New_York' })).status).toBe(200)
    const { data } = (await own.api.get(`/events/${id}`)).body
    expect([data.starts_at, data.ends_at]).toEqual(['2030-12-01T02:00:00-05:00', '2030-12-01T03:30:00-05:00'])
  })

  it('of an all-day event stay on their day when the company moves, and when anything else is changed there', async () => {
    const own = await app.diwan.company({ time_zone: 'Asia/Riyadh' })
    const { id, ...event } = await newEvent(own, { all_day: true, starts_at: '2030-04-26', ends_at: '2030-04-27' })
    expect([event.starts_at, event.ends_at]).toEqual(['2030-04-26T00:00:00+03:00', '2030-04-27T00:00:00+03:00'])
    await own.admin.patch('', { time_zone: 'Pacific/Auckland' })
    const moved = (await own.api.get(`/events/${id}`)).body.data
    expect([moved.starts_at, moved.ends_at]).toEqual(['2030-04-26T00:00:00+12:00', '2030-04-27T00:00:00+12:00'])
    expect(await names(own, 'from=2030-04-26&to=2030-04-26')).toEqual(['Site visit'])
    // In Cairo that Friday begins at 01:00, because the clocks skip midnight. The event is still on that day, and stays on it.
    await own.admin.patch('', { time_zone: 'Africa/Cairo' })
    for (const body of [{}, { name: 'x' }, { description: 'y' }]) {
      const { data } = (await own.api.patch(`/events/${id}`, body)).body
      expect([data.starts_at, data.ends_at]).toEqual(['2030-04-26T01:00:00+03:00', '2030-04-27T00:00:00+03:00'])
    }
    await own.admin.patch('', { time_zone: 'Asia/Riyadh' })
    const back = (await own.api.get(`/events/${id}`)).body.data
    expect([back.starts_at, back.ends_at]).toEqual([event.starts_at, event.ends_at])
  })
})

describe('The events of a key', () => {
  it('are what its signature organizes or is invited to; everything else was never there', async () => {
    const own = await app.diwan.company()
    const [guest, stranger] = [await newPerson(own), await newPerson(own)]
    const event = await newEvent(own, { attendee_emails: [guest.email] })
    await newEvent(stranger, { name: 'Private' })
    expect([await names(own, ''), await names(guest, ''), await names(stranger, '')]).toEqual([
      ['Site visit'],
      ['Site visit'],
      ['Private'],
    ])
    expect((await guest.api.get(`/events/${event.id}`)).body.data).toEqual(event)
    const foreign = await app.diwan.company()
    for (const { api } of [stranger, foreign]) {
      expectRefusal(await api.get(`/events/${event.id}`), 404, 'not_found')
      expectRefusal(await api.patch(`/events/${event.id}`, { name: '' }), 404, 'not_found')
      expectRefusal(await api.delete(`/events/${event.id}`), 404, 'not_found')
    }
    for (const handle of [...NOT_IDS, String(event.id + 100_000)])
      expectRefusal(await own.api.get(`/events/${handle}`), 404, 'not_found')
  })

  it('belong to a person who has left as before', async () => {
    const own = await app.diwan.company()
    const leaver = await newPerson(own)
    const { id } = await newEvent(leaver)
    await own.admin.patch(`/users/${leaver.id}`, { active: false })
    expect((await leaver.api.patch(`/events/${id}`, { name: 'Still mine' })).body.data.organizer).toBe(leaver.name)
  })

  it('are changed and deleted by the organizer alone: a guest is refused with 403, which is audited', async () => {
    const event = await newEvent(company, { attendee_emails: [omar.email] })
    const path = `/events/${event.id}`
    expectRefusal(await omar.api.patch(path, { name: 'Mine' }), 403, 'forbidden')
    expect(await audit(company)).toMatchObject([
      { outcome: 'denied', operation: 'events:write', method: 'PATCH', path: `/api/v1${path}`, status: 403 },
    ])
    // The policy is checked before the body.
    expectRefusal(await omar.api.patch(path, { name: '' }), 403, 'forbidden')
    expectRefusal(await omar.api.delete(path), 403, 'forbidden')
    expect(await audit(company)).toMatchObject([{ outcome: 'denied', operation: 'events:destructive', status: 403 }])
    expect((await company.api.get(path)).body.data).toEqual(event)
  })
})

describe('PATCH of an event', () => {
  it('changes what was sent, clears on null, and nothing on an empty or refused body', async () => {
    const event = await newEvent(company, {
      description: 'a',
      meeting_url: 'https://a.example',
      attendee_emails: [omar.email],
    })
    for (const [change, expected] of [
      [undefined, {}],
      [{}, {}],
      [{ name: 'B' }, { name: 'B' }],
      [{ description: null }, { description: null }],
      [{ meeting_url: null }, { meeting_url: null }],
      [{ ends_at: '2030-12-01T12:00' }, { ends_at: '2030-12-01T12:00:00+03:00' }],
      [{ starts_at: '2030-12-01T11:00', all_day: false }, { starts_at: '2030-12-01T11:00:00+03:00' }],
      [{ all_day: true }, { all_day: true }],
      [{ all_day: false }, { all_day: false }],
      [{ organizer: 'x', id: 5, attendees: [] }, {}],
    ] as const) {
      Object.assign(event, expected)
      const { status, body } = await company.api.patch(`/events/${event.id}`, change)
      expect([change, status, body]).toEqual([change, 200, { data: event }])
    }
    for (const bad of [
      { name: '' },
      { name: null },
      { starts_at: null },
      { starts_at: '2030-12-01T12:01' },
      { ends_at: '2030-11-01T00:00' },
      { meeting_url: 'x' },
      { attendee_emails: ['nobody@example.com'] },
    ]) {
      const answer = await company.api.patch(`/events/${event.id}`, { description: 'good', ...bad })
      expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(/^\w+ /))
    }
    expect((await company.api.get(`/events/${event.id}`)).body.data).toEqual(event)
  })

  it('replaces the whole list of attendees when it is sent, and leaves it when it is not', async () => {
    const { id } = await newEvent(company, { attendee_emails: [omar.email] })
    const attendees = async (body: object) => (await company.api.patch(`/events/${id}`, body)).body.data.attendees
    expect(await attendees({ name: 'x' })).toEqual([attendee(omar)])
    expect(await attendees({ attendee_emails: [sara.email] })).toEqual([attendee(sara)])
    expect(await attendees({ attendee_emails: [sara.email, omar.email] })).toEqual([attendee(omar), attendee(sara)])
    expect(await attendees({ attendee_emails: [] })).toEqual([])
  })
})

describe('The list of events', () => {
  let own: TestCompany
  const today = () => new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 10)
  const day = (offset: number) => new Date(Date.parse(today()) + offset * 86_400_000).toISOString().slice(0, 10)
  beforeAll(async () => {
    own = await app.diwan.company({ time_zone: 'Asia/Riyadh' })
    for (const [name, starts_at] of [
      ['last year', '2020-06-01T10:00'],
      ['yesterday', `${day(-1)}T23:59:59.999`],
      ['midnight', `${day(0)}T00:00`],
      ['tomorrow', `${day(1)}T09:00`],
      ['first', '2031-05-10T00:00'],
      ['noon', '2031-05-10T12:00'],
      ['last', '2031-05-10T23:59:59.999'],
      ['next', '2031-05-11T00:00'],
    ])
      await newEvent(own, { name, starts_at, ends_at: '2032-01-01' })
  })

  it('is upcoming by default: from the first instant of today in the company zone', async () => {
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
  })

  it('has the past too when that is asked for', async () => {
    for (const value of ['true', '1'])
      expect(await names(own, `include_past=${value}`)).toEqual([
        'last year',
        'yesterday',
        'midnight',
        'tomorrow',
        'first',
        'noon',
        'last',
        'next',
      ])
  })

  it.each([
    ['from=2031-05-10&to=2031-05-10', ['first', 'noon', 'last']],
    ['from=2031-05-10', ['first', 'noon', 'last', 'next']],
    ['from=2031-05-11', ['next']],
    ['to=2020-06-01', ['last year']],
    ['to=2020-05-31', []],
    ['to=2020-12-31&include_past=false', ['last year']],
    ['from=2031-05-10T12:00&to=2031-05-10T12:00', ['noon']],
    ['from=2031-05-10T09:00:00Z&to=2031-05-10T12:00:00%2B03:00', ['noon']],
    ['from=2031-05-10T12:00:00.001&to=2031-05-10', ['last']],
    ['from=2031-05-10&to=2031-05-10T11:59', ['first']],
    // An unescaped + arrives as a space.
    ['from=2031-05-10T12:00:00+03:00&to=2031-05-10T12:00:00+03:00', ['noon']],
    ['from=٢٠٣١-٠٥-١٠&to=۲۰۳۱-۰۵-۱۰', ['first', 'noon', 'last']],
    ['from=2031-05-11&to=2031-05-10', []],
  ])('with %s is %j', async (query, expected) => {
    expect(await names(own, query)).toEqual(expected)
  })

  it.each([
    '2031-02-29',
    '2031-13-01',
    'tomorrow',
    '2031-05-10T25:00',
    '2031-5-1',
    '12:00',
    '0',
    '2031-05-10T12:00+99:99',
  ])('answers 422 to the date %j on either side', async text => {
    for (const side of ['from', 'to']) {
      const answer = await own.api.get(`/events?${side}=${encodeURIComponent(text)}`)
      expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(new RegExp(`^${side} must`)))
    }
  })

  it('pages by start, then id, and its total is right past the end too', async () => {
    const twins = await app.diwan.company()
    for (const name of ['a', 'b', 'c']) await newEvent(twins, { name })
    await newEvent(twins, { name: 'earlier', starts_at: '2030-11-30T10:00' })
    const pages = await inPagesOfTwo(twins.api, '/events')
    expect(pages.map(({ data }) => data.map(({ name }: { name: string }) => name))).toEqual([
      ['earlier', 'a'],
      ['b', 'c'],
      [],
    ])
    expect(pages.at(-1).meta).toEqual({ total: 4, limit: 2, offset: 4, count: 0, next_cursor: null })
    expect((await twins.api.get('/events?limit=x&offset=-3')).body.meta).toMatchObject({ limit: 50, offset: 0 })
  })

  it('shows each event as it is shown alone', async () => {
    const event = await newEvent(company, {
      name: 'Whole',
      starts_at: '2031-01-01',
      ends_at: '2031-01-02',
      attendee_emails: [omar.email],
    })
    expect((await company.api.get('/events?from=2031-01-01&to=2031-01-01')).body.data).toEqual([event])
  })
})

describe('People', () => {
  it('are told of an invitation, of a change, of no longer being invited and of a cancellation, each what concerns them', async () => {
    const own = await app.diwan.company()
    const [a, b, c] = [
      await newPerson(own, { name: 'A' }),
      await newPerson(own, { name: 'B' }),
      await newPerson(own, { name: 'C' }),
    ]
    let id = 0
    const change = (body: object) => told(own, () => own.api.patch(`/events/${id}`, body))
    const invited = await told(own, async () => {
      ;({ id } = await newEvent(own, { attendee_emails: [a.email, b.email, own.owner.email] }))
    })
    // The organizer is not notified.
    expect(invited).toEqual([
      ['event_invited', 'A', 'Site visit'],
      ['event_invited', 'B', 'Site visit'],
    ])
    expect(await change({ attendee_emails: [b.email, c.email] })).toEqual([
      ['event_invited', 'C', 'Site visit'],
      ['event_removed', 'A', 'Site visit'],
    ])
    const changed = (title: string) => [
      ['event_changed', 'B', title],
      ['event_changed', 'C', title],
    ]
    expect(await change({ starts_at: '2030-12-01T09:00' })).toEqual(changed('Site visit'))
    expect(await change({ meeting_url: 'https://meet.example.com' })).toEqual(changed('Site visit'))
    expect(await change({ name: 'Visit' })).toEqual(changed('Visit'))
    expect(await change({ name: 'Visit', starts_at: '2030-12-01T09:00' })).toEqual([])
    expect(await change({})).toEqual([])
    expect(await change({ name: '' })).toEqual([])
    expect(await change({ ends_at: '2030-12-02T09:00', attendee_emails: [a.email, b.email] })).toEqual([
      ['event_changed', 'B', 'Visit'],
      ['event_invited', 'A', 'Visit'],
      ['event_removed', 'C', 'Visit'],
    ])
    expect(await told(own, () => own.api.delete(`/events/${id}`))).toEqual([
      ['event_cancelled', 'A', 'Visit'],
      ['event_cancelled', 'B', 'Visit'],
    ])
  })

  it('get the event itself with the mail: the same UID always, and a sequence that rises', async () => {
    const own = await app.diwan.company()
    const [a, b] = [await newPerson(own), await newPerson(own)]
    const { id } = await newEvent(own, { attendee_emails: [a.email, b.email] })
    await own.api.patch(`/events/${id}`, { attendee_emails: [a.email] })
    await own.api.patch(`/events/${id}`, { starts_at: '2030-12-01T09:00' })
    await own.api.delete(`/events/${id}`)
    await tellPeople(app)
    const sent = await app.database.db.many<{ kind: string; uid: string; sequence: string }>(sql`
      select w.kind, w.event ->> 'uid' as uid, w.event ->> 'sequence' as sequence
      from notifications n join notices w on w.company_id = n.company_id and w.id = n.notice_id
      where n.company_id = ${own.id} order by n.id`)
    expect(new Set(sent.map(({ uid }) => uid)).size).toBe(1)
    expect(sent.map(({ kind, sequence }) => [kind, Number(sequence)])).toEqual([
      ['event_invited', 0],
      ['event_invited', 0],
      ['event_removed', 1],
      ['event_changed', 2],
      ['event_cancelled', 3],
    ])
  })

  it('get an all-day event with the day that was sent as its end, and the end of a DATE is the day after', async () => {
    const own = await app.diwan.company()
    const { email } = await newPerson(own)
    const days = { starts_at: '2030-11-27', ends_at: '2030-11-29', all_day: true }
    const { id, ends_at } = await newEvent(own, { ...days, attendee_emails: [email] })
    // What was shown can be sent back.
    await own.api.patch(`/events/${id}`, { ends_at, name: 'Exhibition' })
    await tellPeople(app)
    const sent = await app.database.db.many<{ event: CalendarEvent }>(sql`
      select w.event from notices w where w.company_id = ${own.id} and w.kind in ('event_invited', 'event_changed')`)
    expect(sent).toHaveLength(2)
    for (const { event } of sent) {
      const { event: written } = readIcs(toICalendar(event, 'REQUEST'))
      expect([firstValue(written, 'DTSTART'), firstValue(written, 'DTEND')]).toEqual(['20301127', '20301130'])
    }
  })

  it('who are uninvited get a cancellation that names nobody else; nobody else gets one', async () => {
    const own = await app.diwan.company()
    const [a, b, c, d] = [await newPerson(own), await newPerson(own), await newPerson(own), await newPerson(own)]
    const { id } = await newEvent(own, { attendee_emails: [a.email, b.email, c.email, d.email] })
    const cancellations = async () => {
      await tellPeople(app)
      return app.database.db.many<{ user_id: number; event: CalendarEvent }>(sql`
        select n.user_id, w.event from notifications n join notices w on w.company_id = n.company_id and w.id = n.notice_id
        where n.company_id = ${own.id} and w.kind = 'event_removed' order by n.id`)
    }
    await own.api.patch(`/events/${id}`, { attendee_emails: [a.email, d.email] })
    await own.api.patch(`/events/${id}`, { attendee_emails: [d.email] })
    const sent = await cancellations()
    expect(sent.map(({ user_id }) => user_id).sort()).toEqual([b.id, c.id, a.id].sort())
    for (const { user_id, event: stored } of sent) {
      const { name, email } = [a, b, c].find(person => person.id === user_id)
      const event = eventAsSeenBy(stored, { name, email })
      expect(event.attendees).toEqual([{ name, email }])
      const { calendar, event: written } = readIcs(toICalendar(event, 'CANCEL'))
      expect(written.ATTENDEE?.map(({ value }) => value.toLowerCase())).toEqual([`mailto:${email}`])
      expect([firstValue(calendar, 'METHOD'), written.STATUS, firstValue(written, 'SEQUENCE')]).toEqual([
        'CANCEL',
        undefined,
        user_id === a.id ? '2' : '1',
      ])
    }
  })
})

describe('DELETE of an event', () => {
  it('is for good, names what it deleted, and is audited', async () => {
    const own = await app.diwan.company()
    const { id } = await newEvent(own, { name: 'يوم الانتقال' })
    const { status, body } = await own.api.delete(`/events/${id}`)
    expect([status, body]).toEqual([200, { data: { deleted: true, event: { id, name: 'يوم الانتقال' } } }])
    expect(await audit(own)).toMatchObject([{ outcome: 'allowed', operation: 'events:destructive', status: 200 }])
    expectRefusal(await own.api.get(`/events/${id}`), 404, 'not_found')
    expectRefusal(await own.api.delete(`/events/${id}`), 404, 'not_found')
    expect(await names(own, 'include_past=true')).toEqual([])
  })
})
