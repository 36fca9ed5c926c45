import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CalendarEvent, toICalendar } from '../../src/domain/calendars/icalendar.ts'
import { hasEvent, mergeEvent } from '../../src/domain/calendars/icalendar-merge.ts'
import { firstValue, readIcs } from '../support/ics.ts'

const EVENT: CalendarEvent = {
  uid: '7d1c@diwan',
  sequence: 1,
  name: 'Visit',
  description: 'Bring boots',
  starts_at: '2026-12-01T07:00:00.000Z',
  ends_at: '2026-12-01T08:30:00.000Z',
  all_day: false,
  starts_clock: null,
  ends_clock: null,
  meeting_url: null,
  organizer: { name: 'Layla', email: 'layla@example.com' },
  attendees: [
    { name: 'عمر', email: 'omar@example.com' },
    { name: 'Sara', email: 'sara@example.com' },
  ],
}
const write = (fields: Partial<CalendarEvent> = {}) => toICalendar({ ...EVENT, ...fields }, undefined)
const OURS = write({ sequence: 2, name: 'Moved', description: null })

/** The stored event with lines added to it, before its end. */
const stored = (lines: string[], text = write()) =>
  text.replace('END:VEVENT', () => [...lines, 'END:VEVENT'].join('\r\n'))
const linesOf = (text: string) => text.replace(/\r\n[ \t]/g, '').split('\r\n')

describe('A merged event', () => {
  it('says what we say, and keeps every line that is not ours as it was written', () => {
    const own = [
      'CATEGORIES:a,b',
      'TRANSP:TRANSPARENT',
      'X-A;X-B="c;d:e":f\\, g',
      'x-lower:1',
      'ATTACH:https://example.com/',
    ]
    const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Theirs', 'TRIGGER:-PT15M', 'END:VALARM']
    const merged = linesOf(mergeEvent(stored([...own, ...alarm]), OURS))
    for (const line of [...own, ...linesOf(OURS)]) expect(merged).toContain(line)
    expect(merged.join('\n')).toContain(alarm.join('\n'))
    expect(merged.filter(line => line.startsWith('DESCRIPTION'))).toEqual(['DESCRIPTION:Theirs'])
    expect(merged.length).toBe(linesOf(OURS).length + own.length + alarm.length)
  })

  it('is the same when it is merged again', () => {
    const once = mergeEvent(stored(['CATEGORIES:a', 'BEGIN:VALARM', 'TRIGGER:-PT5M', 'END:VALARM']), OURS)
    expect(mergeEvent(once, OURS)).toBe(once)
  })

  it('has no repetition, duration or exception that somebody else gave it, and no method', () => {
    const exception = ['BEGIN:VEVENT', 'UID:7d1c@diwan', 'RECURRENCE-ID:20261208T070000Z', 'SUMMARY:Once', 'END:VEVENT']
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Asia/Riyadh', 'END:VTIMEZONE']
    const theirs = stored(['RRULE:FREQ=WEEKLY', 'EXDATE:20261215T070000Z', 'DURATION:PT1H'])
      .replace('VERSION:2.0', ['VERSION:2.0', 'METHOD:REQUEST', 'X-WR-CALNAME:Mine', ...zone].join('\r\n'))
      .replace('END:VCALENDAR', [...exception, 'END:VCALENDAR'].join('\r\n'))
    const merged = mergeEvent(theirs, OURS)
    expect(merged).not.toMatch(/RRULE|EXDATE|DURATION|RECURRENCE-ID|METHOD|Once/)
    for (const line of ['X-WR-CALNAME:Mine', ...zone]) expect(linesOf(merged)).toContain(line)
  })

  it.each([
    ['keeps a reply', 'PARTSTAT=ACCEPTED;RSVP=FALSE', 'mailto:omar@example.com', ['ACCEPTED', 'FALSE']],
    [
      'finds it however the address is written',
      'PARTSTAT=DECLINED',
      'MAILTO:OMAR@Example.com',
      ['DECLINED', undefined],
    ],
    ['asks anew who was not there', 'PARTSTAT=ACCEPTED', 'mailto:other@example.com', ['NEEDS-ACTION', 'TRUE']],
  ])('%s', (_, parameters, value, expected) => {
    const theirs = stored([`ATTENDEE;CN="x: y; z";${parameters};X-P="a;b":${value}`], write({ attendees: [] }))
    const { event } = readIcs(mergeEvent(theirs, OURS))
    const [omar, sara] = event.ATTENDEE ?? []
    expect([omar?.parameters.PARTSTAT, omar?.parameters.RSVP]).toEqual(expected)
    expect([omar?.value.toLowerCase(), omar?.parameters.CN]).toEqual(['mailto:omar@example.com', 'عمر'])
    expect([omar, sara].map(person => person?.parameters['SCHEDULE-AGENT'])).toEqual(['CLIENT', 'CLIENT'])
    expect([sara?.parameters.PARTSTAT, event.ATTENDEE?.length]).toEqual(['NEEDS-ACTION', 2])
  })

  it('keeps the reply of a person whose address has changed, and gives it to nobody else', () => {
    const theirs = write({ attendees: [{ name: 'عمر', email: 'old@example.com' }] }).replace('NEEDS-ACTION', 'ACCEPTED')
    const former = new Map([['omar@example.com', 'old@example.com']])
    const { event } = readIcs(mergeEvent(theirs, OURS, former))
    expect(event.ATTENDEE?.map(({ value, parameters }) => [value.toLowerCase(), parameters.PARTSTAT])).toEqual([
      ['mailto:omar@example.com', 'ACCEPTED'],
      ['mailto:sara@example.com', 'NEEDS-ACTION'],
    ])
  })

  it('keeps the reply of an organizer who is listed among the attendees, under the present address', () => {
    const theirs = stored(['ATTENDEE;PARTSTAT=ACCEPTED;CN=L:mailto:before@example.com'])
    const former = new Map([['layla@example.com', 'before@example.com']])
    const { event } = readIcs(mergeEvent(theirs, OURS, former))
    expect(event.ATTENDEE?.at(-1)).toEqual({
      value: 'mailto:layla@example.com',
      parameters: { PARTSTAT: 'ACCEPTED', CN: 'Layla' },
    })
  })

  it('takes an organizer off the list whom we had put there, also after a reply', () => {
    const [omar, sara] = EVENT.attendees as [CalendarEvent['organizer'], CalendarEvent['organizer']]
    const invited = write({ attendees: [omar, EVENT.organizer] }).replaceAll('NEEDS-ACTION', 'ACCEPTED')
    const without = mergeEvent(invited, write({ attendees: [omar, sara] }))
    expect(readIcs(without).event.ATTENDEE?.map(({ value }) => value.toLowerCase())).toEqual([
      'mailto:omar@example.com',
      'mailto:sara@example.com',
    ])
    const listed = stored(['ATTENDEE;PARTSTAT=ACCEPTED:mailto:layla@example.com'])
    const invitedAfter = mergeEvent(listed, write({ attendees: [EVENT.organizer] }))
    expect(readIcs(invitedAfter).event.ATTENDEE?.map(({ parameters }) => parameters.PARTSTAT)).toEqual(['ACCEPTED'])
    expect(readIcs(mergeEvent(invitedAfter, OURS)).event.ATTENDEE).toHaveLength(2)
  })

  it('drops what repeats a description or place in the way of one program as soon as that has changed', () => {
    const repeats = ['X-ALT-DESC;FMTTYPE=text/html:<p>Bring boots</p>', 'GEO:24.7;46.7']
    expect(mergeEvent(stored(repeats), OURS)).not.toContain('X-ALT-DESC')
    expect(mergeEvent(stored(repeats), write({ name: 'Moved' }))).toContain('X-ALT-DESC')
    expect(mergeEvent(stored(repeats), write({ name: 'Moved' }))).toContain('GEO:24.7;46.7')
    expect(mergeEvent(stored(repeats), write({ meeting_url: 'https://meet.example.com' }))).not.toContain('GEO')
  })

  it.each([
    ['nothing', ''],
    ['a page', '<html></html>'],
    ['an event that does not end', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:7d1c@diwan\r\nEND:VCALENDAR'],
    ['another event', write({ uid: 'other@diwan' })],
    ['nests without end', 'BEGIN:VEVENT\r\n'.repeat(50_000)],
  ])('is ours alone where there is %s', (_, theirs) => {
    expect(mergeEvent(theirs, OURS)).toBe(OURS)
    expect(hasEvent(theirs, EVENT.uid)).toBe(false)
  })

  it('is well formed whatever lies there, with every line in 75 bytes and no character cut', () => {
    const value = fc.string({ unit: 'grapheme', maxLength: 300 }).map(text => text.replace(/[\r\n]/g, ' '))
    fc.assert(
      fc.property(value, fc.constantFrom('X-OWN', 'COMMENT', 'CATEGORIES'), (text, name) => {
        const merged = mergeEvent(stored([`${name}:${text}.`]), OURS)
        expect(readIcs(merged).event[name]?.[0]?.value).toBe(`${text}.`)
        expect(firstValue(readIcs(merged).event, 'SUMMARY')).toBe('Moved')
      }),
      { numRuns: 300 },
    )
  })
})
