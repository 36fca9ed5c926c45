import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CalendarEvent } from '../../src/domain/calendars/icalendar.ts'
import { NOTIFICATION_KINDS } from '../../src/domain/people/notifications.ts'
import { composeNotification, type NotificationFacts } from '../../src/jobs/mail/text.ts'
import { fromRichText } from '../../src/lib/rich-text.ts'

const facts = (fields: Partial<NotificationFacts> = {}): NotificationFacts => ({
  kind: 'discussion_created',
  title: 'Moving day',
  name: 'Omar Aziz',
  language: 'en',
  actor: 'Layla Haddad',
  project: 'Office move',
  public_url: 'https://diwan.example.com',
  ...fields,
})

const EVENT: CalendarEvent = {
  uid: '1@diwan',
  sequence: 0,
  name: 'Site visit',
  description: 'Bring a helmet.\n\nأحضر «خوذة» (2).',
  starts_at: '2026-12-01T07:00:00.000Z',
  ends_at: '2026-12-01T08:30:00.000Z',
  all_day: false,
  starts_clock: null,
  ends_clock: null,
  meeting_url: 'https://meet.example.com/site',
  organizer: { name: 'Layla Haddad', email: 'layla@example.com' },
  attendees: [{ name: 'Omar Aziz', email: 'omar@example.com' }],
}

const eventFacts = (fields: Partial<NotificationFacts> = {}): NotificationFacts =>
  facts({
    kind: 'event_invited',
    title: 'Site visit',
    project: null,
    event: EVENT,
    time_zone: 'Asia/Riyadh',
    ...fields,
  })

const LOCALES = { en: 'en-GB', ar: 'ar-u-ca-gregory-nu-latn' }
/** How a time is written differs a little from one version of Node to the next. */
const span = (from: string, to: string, language: 'en' | 'ar' = 'en') =>
  new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: 'Asia/Riyadh',
  }).formatRange(new Date(from), new Date(to))
const day = (date: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(date))

const COMMANDS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** What a reader sees, without what only directs it. */
const seen = (text: string) => text.replace(COMMANDS, '').replace(/ +/g, ' ')
const words = (text: string) => seen(text).replace(/^--/gm, '').match(/\S+/g)
const wordsOfHtml = (html: string) => words(fromRichText(html.slice(html.indexOf('<body>'))).text)

describe('A notification by mail', () => {
  it.each(['en', 'ar'] as const)(
    'of an invitation leads to where it is accepted, with the code after the # (%s)',
    language => {
      const code = 'svc_inv_0123456789'
      const { text, html } = composeNotification(
        facts({
          kind: 'invitation',
          title: 'Najd Trading',
          project: null,
          language,
          code,
          public_url: 'https://diwan.example',
        }),
      )
      const link = `https://diwan.example/console#invitation=${code}&language=${language}`
      expect(words(text)).toContain(link)
      expect(html).toContain(`href="${link.replace('&', '&#38;')}"`)
      // By itself, so that it can be copied as it is.
      expect(text.split('\n')).toContain(code)
      expect(html).toMatch(new RegExp(`<p dir="ltr" style="[^"]*word-break: break-all[^"]*">${code}</p>`))
    },
  )

  const about = { company_id: 7, subject_id: 'x-1', project_ref: 'prj-1' }
  it.each([
    ['discussion_replied', { about }, '/companies/7/projects/prj-1/discussions/x-1'],
    ['file_infected', { about }, '/companies/7/projects/prj-1/files/x-1'],
    ['file_infected', { about: { ...about, project_ref: null } }, ''],
    ['calendar_failing', { about }, '/companies/7/calendars'],
    ['webhook_failing', { about }, '/companies/7/webhooks/x-1'],
    // In the company's zone it is the next day.
    [
      'event_invited',
      { about, event: { ...EVENT, starts_at: '2026-12-01T22:00:00.000Z' } },
      '/companies/7/events?day=2026-12-02&event=x-1',
    ],
    [
      'event_changed',
      { about, event: { ...EVENT, all_day: true, starts_clock: '2026-12-05T00:00', ends_clock: '2026-12-06T00:00' } },
      '/companies/7/events?day=2026-12-05&event=x-1',
    ],
  ] as const)('of the kind %s leads to what it is about', (kind, fields, place) => {
    const { text } = composeNotification(facts({ kind, time_zone: 'Asia/Riyadh', ...fields }))
    expect(words(text)).toContain(`https://diwan.example.com/console${place}#language=en`)
  })

  it.each([
    ['en', /Hijri date: .*21 Jumada II 1448/],
    ['ar', /التاريخ الهجري: .*21 جمادى الآخرة 1448/],
  ] as const)('tells the day of an event in the second calendar of the company too: %s', (language, line) => {
    const second_calendar = 'islamic-umalqura'
    expect(seen(composeNotification(eventFacts({ language, second_calendar })).text)).toMatch(line)
    const { text } = composeNotification(eventFacts({ language, second_calendar, kind: 'event_cancelled' }))
    expect(seen(text)).toMatch(line)
    const days = { all_day: true, starts_clock: '2026-12-01T00:00', ends_clock: '2026-12-03T00:00' }
    const allDay = composeNotification(eventFacts({ language, second_calendar, event: { ...EVENT, ...days } }))
    expect(seen(allDay.text)).toMatch(/21 .*23 /)
    expect(seen(composeNotification(eventFacts({ language })).text)).not.toMatch(line)
  })

  it.each([
    ['en', 'ltr', 'New discussion: Moving day', 'Hello Omar Aziz'],
    ['ar', 'rtl', 'نقاش جديد: \u2068Moving day\u2069', 'مرحبًا Omar Aziz'],
  ] as const)('speaks %s, in the direction %s', (language, direction, subject, greeting) => {
    const mail = composeNotification(facts({ language }))
    expect(mail.subject).toBe(subject)
    for (const element of ['html', 'div'])
      expect(mail.html).toContain(`<${element} lang="${language}" dir="${direction}"`)
    for (const shown of [greeting, 'Layla Haddad', 'Moving day', 'Office move', 'https://diwan.example.com'])
      expect(seen(mail.text)).toContain(shown)
  })

  it('of each kind is aligned right line by line in Arabic, by programs that look at the first letter', () => {
    for (const kind of NOTIFICATION_KINDS) {
      const { text } = composeNotification(facts({ kind, language: 'ar', code: kind === 'invitation' ? 'c' : null }))
      const lines = text.split('\n').filter(line => line !== '' && line !== 'c')
      expect(lines.filter(line => !line.startsWith('\u200f'))).toEqual([])
    }
  })

  it('says the same in plain text and in HTML', () => {
    for (const language of ['en', 'ar'] as const)
      for (const each of [
        facts(),
        facts({ kind: 'discussion_replied' }),
        eventFacts(),
        eventFacts({ kind: 'event_changed', event_before: { ...EVENT, name: 'Visit' } }),
        facts({ kind: 'webhook_failing', project: null }),
        facts({ kind: 'webhook_switched_off', project: null }),
      ]) {
        const { text, html } = composeNotification({ ...each, language })
        // The address that a button opens is written only in plain text.
        const button = /: https:\S+console#\S+ *$/gm
        expect(wordsOfHtml(html)).toEqual(words(seen(text).replace(button, '')))
      }
  })

  it('isolates every name and title, and leaves nothing in them that could turn the mail around', () => {
    const [title, name, actor, project] = [
      'Visit \u202e(زيارة',
      'عمر \u2067',
      'Layla\u200f [حداد]',
      'نقل "Office"\u202d',
    ]
    for (const language of ['en', 'ar'] as const) {
      const { subject, text, html } = composeNotification(facts({ title, name, actor, project, language }))
      for (const shown of ['Visit (زيارة', 'عمر', 'Layla [حداد]']) {
        expect(text).toContain(`\u2068${shown}\u2069`)
        expect(html).toContain(`<bdi>${shown}</bdi>`)
      }
      expect(text).toContain('\u2068نقل "Office"\u2069')
      expect(html).toContain('<bdi>نقل &#34;Office&#34;</bdi>')
      expect(subject).toContain('\u2068Visit (زيارة\u2069')
      expect(html).not.toMatch(COMMANDS)
      // What is left are the isolates, also inside of one another, and the mark that a line begins with.
      const ordinary = text.replace(/^\u200f|^\u200e(?=\u2068)/gm, '')
      const withoutIsolates = (part: string) => part.replace(/[\u2066\u2068][^\u2066-\u2069]*\u2069/g, '')
      for (const part of [ordinary, subject]) expect(withoutIsolates(withoutIsolates(part))).not.toMatch(COMMANDS)
    }
  })

  it('lets nothing that people wrote become markup or another header line', () => {
    const hostile = fc.oneof(
      fc.constantFrom('<script>', '"><img>', '&lt;', 'x\r\nBcc: all@example.com', '\t'),
      fc.string(),
    )
    const property = fc.property(
      hostile,
      hostile,
      fc.constantFrom('en' as const, 'ar' as const),
      (title, name, language) => {
        const { subject, html } = composeNotification(facts({ title, name, language }))
        const harmless = composeNotification(facts({ title: 'x', name: 'x', language }))
        const tags = (each: string) => each.match(/<[^>]*>/g)
        expect(subject).not.toMatch(/[\r\n]/)
        expect(tags(html)).toEqual(tags(harmless.html))
      },
    )
    fc.assert(property)
  })
})

describe("An event's mail", () => {
  it.each([
    ['en', 'Time: ', 'Saudi Arabia Time', 'Meeting link: '],
    ['ar', 'الوقت: ', 'توقيت المملكة العربية السعودية', 'رابط الاجتماع: '],
  ] as const)('tells in %s when it begins and ends, where it is and what it is about', (language, time, zone, link) => {
    const { text, html, calendar } = composeNotification(eventFacts({ language }))
    const lines = seen(text).split('\n')
    const range = span(EVENT.starts_at, EVENT.ends_at, language)
    expect(range).toMatch(/10:00.*11:30/)
    expect(lines).toContain(`${time}${seen(range)} (${zone})`)
    expect(lines).toContain(`${link}https://meet.example.com/site `)
    // Each line is aligned by its own words.
    expect(text).toContain('\n\u200e    \u2068Bring a helmet.\u2069\n\n\u200f    \u2068أحضر «خوذة» (2).\u2069\n')
    expect(html).toContain('<div dir="auto">Bring a helmet.</div>\n<div dir="auto"><br></div>\n<div dir="auto">أحضر')
    expect(html).toContain('<a href="https://meet.example.com/site" dir="ltr">')
    expect(html).toContain(`<a href="https://diwan.example.com/console#language=${language}" style=`)
    expect(calendar?.method).toBe('REQUEST')
  })

  const BEFORE = {
    ...EVENT,
    name: 'زيارة',
    starts_at: '2026-11-30T21:30:00.000Z',
    ends_at: '2026-12-01T21:30:00.000Z',
    meeting_url: 'https://meet.example.com/old',
  }

  it('says what changed, from what to what', () => {
    const { text } = composeNotification(eventFacts({ kind: 'event_changed', event_before: BEFORE }))
    const [then, now] = [span(BEFORE.starts_at, BEFORE.ends_at), span(EVENT.starts_at, EVENT.ends_at)]
    expect(seen(text)).toContain(
      [
        'What changed:',
        'Name: from “زيارة” to “Site visit”',
        `Time: from ${then} to ${now} (Saudi Arabia Time)`,
        'Meeting link: from https://meet.example.com/old to https://meet.example.com/site ',
        '',
        `Time: ${now} (Saudi Arabia Time)`,
      ].join('\n'),
    )
    const arabic = composeNotification(eventFacts({ kind: 'event_changed', event_before: BEFORE, language: 'ar' }))
    expect(seen(arabic.text)).toMatch(
      /ما تغيّر:\nالاسم: من «زيارة» إلى «Site visit»\nالوقت: من .+ إلى .+\nرابط الاجتماع: من /,
    )
  })

  it.each([
    [
      null,
      'https://meet.example.com/a',
      'Meeting link: added, https://meet.example.com/a ',
      'رابط الاجتماع: أُضيف، وهو ',
    ],
    ['https://meet.example.com/a', null, 'Meeting link: removed, it was https://meet.example.com/a ', 'أُزيل، وكان '],
  ])('says of a link that was %j and is %j: %s', (before, after, english, arabic) => {
    const change = { event: { ...EVENT, meeting_url: after }, event_before: { ...EVENT, meeting_url: before } }
    const mail = composeNotification(eventFacts({ kind: 'event_changed', ...change }))
    expect(seen(mail.text)).toContain(`What changed:\n${english}\n\nTime`)
    expect(composeNotification(eventFacts({ kind: 'event_changed', language: 'ar', ...change })).text).toContain(arabic)
  })

  it('keeps quiet about what nobody could see change', () => {
    const event_before = { ...EVENT, starts_at: '2026-12-01T07:00:30.000Z' }
    expect(composeNotification(eventFacts({ kind: 'event_changed', event_before })).text).not.toContain('What changed')
  })

  it.each([
    ['2026-12-01T00:00:00', '2026-12-01T00:00:00', `${day('2026-12-01')}, all day`],
    ['2026-12-01T00:00:00', '2026-12-02T00:00:00', `${day('2026-12-01')} – ${day('2026-12-02')}, all day`],
    ['2026-12-01T09:00:00', '2026-12-02T17:00:00', `${day('2026-12-01')} – ${day('2026-12-02')}, all day`],
  ])('names the days of one that lasts all day, from %s to %s', (starts_clock, ends_clock, shown) => {
    const event = { ...EVENT, all_day: true, starts_clock, ends_clock }
    expect(seen(composeNotification(eventFacts({ event })).text)).toContain(`Time: ${shown}\n`)
  })

  it.each(['event_removed', 'event_cancelled'] as const)(
    'says of one that is over for the reader (%s) when it was, and leads nowhere',
    kind => {
      const { text, calendar } = composeNotification(eventFacts({ kind }))
      expect(seen(text)).toContain('Time: Tuesday')
      expect(text).not.toMatch(/https:|helmet/)
      expect(calendar?.method).toBe('CANCEL')
    },
  )

  it('shows a description of nothing but spaces and commands as none', () => {
    const { text } = composeNotification(eventFacts({ event: { ...EVENT, description: ' \n\u202e\n' } }))
    expect(text).not.toContain('Description')
  })
})
