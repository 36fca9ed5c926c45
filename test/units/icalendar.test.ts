import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CalendarEvent, type CalendarMethod, toICalendar } from '../../src/domain/calendars/icalendar.ts'
import { firstValue, readIcs } from '../support/ics.ts'

const EVENT: CalendarEvent = {
  uid: '7d1c@diwan',
  sequence: 3,
  name: 'زيارة الموقع',
  description: 'Bring boots;\nand hats, \\ or not',
  starts_at: '2026-12-01T07:00:00.000Z',
  ends_at: '2026-12-01T08:30:00.000Z',
  all_day: false,
  starts_clock: null,
  ends_clock: null,
  meeting_url: 'https://meet.example.com/site?a=1,2;3',
  organizer: { name: 'Layla Haddad', email: 'layla@example.com' },
  attendees: [
    { name: 'عمر عزيز', email: 'omar@example.com' },
    { name: 'Sara; Q: "the", one', email: 'sara@example.com' },
  ],
}

const read = (event: Partial<CalendarEvent> = {}, method?: CalendarMethod) =>
  readIcs(toICalendar({ ...EVENT, ...event }, method))

describe('An event as iCalendar', () => {
  it('has what makes it the same event everywhere, its instants in UTC, and what it says', () => {
    const { calendar, event } = read()
    expect(firstValue(calendar, 'VERSION')).toBe('2.0')
    expect(
      Object.fromEntries(['UID', 'SEQUENCE', 'DTSTART', 'DTEND', 'STATUS'].map(key => [key, firstValue(event, key)])),
    ).toEqual({
      UID: '7d1c@diwan',
      SEQUENCE: '3',
      DTSTART: '20261201T070000Z',
      DTEND: '20261201T083000Z',
      STATUS: 'CONFIRMED',
    })
    expect([firstValue(event, 'SUMMARY'), firstValue(event, 'DESCRIPTION')]).toEqual([EVENT.name, EVENT.description])
    expect(firstValue(event, 'LOCATION')).toBe(EVENT.meeting_url)
    expect(firstValue(event, 'URL')).toBe('https://meet.example.com/site?a=1%2C2%3B3')
    expect(firstValue(event, 'DTSTAMP')).toMatch(/^\d{8}T\d{6}Z$/)
  })

  it('names its organizer and attendees', () => {
    const { event } = read()
    const people = [...(event.ORGANIZER ?? []), ...(event.ATTENDEE ?? [])]
    expect(people.map(({ value, parameters }) => [value.toLowerCase(), parameters.CN])).toEqual([
      ['mailto:layla@example.com', 'Layla Haddad'],
      ['mailto:omar@example.com', 'عمر عزيز'],
      ['mailto:sara@example.com', "Sara; Q: 'the', one"],
    ])
  })

  it.each([
    ['REQUEST', 'REQUEST', 'CONFIRMED', undefined],
    ['CANCEL', 'CANCEL', 'CANCELLED', undefined],
    // What is stored must not be sent out by the server that stores it.
    [undefined, undefined, 'CONFIRMED', 'CLIENT'],
  ] as const)('for %s has that method, status and scheduling agent', (method, written, status, agent) => {
    const { calendar, event } = read({}, method)
    expect([firstValue(calendar, 'METHOD'), firstValue(event, 'STATUS')]).toEqual([written, status])
    expect(event.ATTENDEE?.map(({ parameters }) => parameters['SCHEDULE-AGENT'])).toEqual([agent, agent])
  })

  it('cancels without a status what goes on without those who are uninvited (RFC 5546, 3.2.5)', () => {
    const { calendar, event } = read(
      { uninvited: true, attendees: [{ name: 'Omar', email: 'omar@example.com' }] },
      'CANCEL',
    )
    expect([firstValue(calendar, 'METHOD'), firstValue(event, 'STATUS'), event.ATTENDEE?.length]).toEqual([
      'CANCEL',
      undefined,
      1,
    ])
  })

  it.each([
    ['one day', '2026-12-01T00:00:00', '2026-12-01T00:00:00', '20261201', '20261202'],
    ['two days, written with hours', '2026-12-31T00:00:00', '2027-01-01T09:00:00', '20261231', '20270102'],
    ['a leap day', '2028-02-28T00:00:00', '2028-02-29T12:00:00', '20280228', '20280301'],
  ])('that takes %s has dates and no times', (_, starts_clock, ends_clock, first, after) => {
    const { event } = read({ all_day: true, starts_clock, ends_clock })
    const [start, end] = [event.DTSTART?.[0], event.DTEND?.[0]]
    expect([start?.value, start?.parameters.VALUE]).toEqual([first, 'DATE'])
    expect([end?.value, end?.parameters.VALUE]).toEqual([after, 'DATE'])
  })

  it.each([
    // Without an end it takes one day.
    ['9999-12-31T00:00:00', '9999-12-31T00:00:00', '99991231', undefined],
    ['2027-01-01T00:00:00', '9999-12-31T23:59:59', '20270101', '99991231'],
    ['1900-01-01T00:00:00', '1900-01-01T00:00:00', '19000101', '19000102'],
  ])('has years of four digits also from %s to %s', (starts_clock, ends_clock, first, after) => {
    const { event } = read({ all_day: true, starts_clock, ends_clock })
    expect([firstValue(event, 'DTSTART'), firstValue(event, 'DTEND')]).toEqual([first, after])
  })

  it('has years of four digits where 9999 is over in UTC', () => {
    const { event } = read({ starts_at: '1899-12-31T20:53:08.000Z', ends_at: '+010000-01-01T04:59:59.999Z' })
    expect([firstValue(event, 'DTSTART'), firstValue(event, 'DTEND')]).toEqual(['18991231T205308Z', '99991231T235959Z'])
  })

  it('is well formed whatever people write, and says it unchanged', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
      .filter(s => /\S/.test(s) && !/\r/.test(s))
    const name = fc.oneof(text, fc.constantFrom('a\nb', '";:,\\', 'x"\r\nATTENDEE:mailto:evil@example.com', '\tx'))
    fc.assert(
      fc.property(name, fc.option(text), name, (title, description, person) => {
        const { event } = read({ name: title, description, organizer: { name: person, email: 'x@example.com' } })
        expect(event.SUMMARY).toHaveLength(1)
        expect(firstValue(event, 'SUMMARY')?.replace(/\s+/g, ' ')).toBe(title.replace(/\s+/g, ' '))
        if (description) expect(firstValue(event, 'DESCRIPTION')).toBe(description)
        expect([event.ORGANIZER?.length, event.ATTENDEE?.length]).toEqual([1, 2])
        expect(firstValue(event, 'ORGANIZER')).toBe('mailto:x@example.com')
      }),
      { numRuns: 500 },
    )
  })
})
