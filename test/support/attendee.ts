import type { WholeEvent, WrittenProperty } from './vobject.ts'

// What a person's calendar program writes into an event that they were invited to.

const ALARMS = [
  [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT15M',
    'DESCRIPTION:تذكير: خذ الخوذة',
    'X-APPLE-DEFAULT-ALARM:TRUE',
    'END:VALARM',
  ],
  ['BEGIN:VALARM', 'ACTION:AUDIO', 'TRIGGER;VALUE=DATE-TIME:20301201T050000Z', 'END:VALARM'],
]
const OWN = [
  'CATEGORIES:عمل,Site',
  'TRANSP:TRANSPARENT',
  'CLASS:PRIVATE',
  'COMMENT;LANGUAGE=ar:أصل متأخرا',
  'X-MOZ-LASTACK:20261101T080000Z',
  `X-NOTE;X-COLOUR="red;dark: 1":a\\, b\\; c\\n${'ملاحظة طويلة جدا '.repeat(12)}.`,
]

/** The event as the attendee left it: with a reply, two reminders, and properties of their own. */
export function withOwnSettings(text: string, email: string, partstat: string): string {
  const written = linesOf(withReply(text, email, `${partstat};X-REPLIED=20261101T080000Z`)).flatMap(line => {
    if (line === 'END:VEVENT') return [...OWN, ...ALARMS.flat(), line]
    return line === 'VERSION:2.0' ? [line, 'X-WR-TIMEZONE:Asia/Riyadh'] : [line]
  })
  return written.join('\r\n')
}

/** The event with the attendee's reply replaced. */
export function withReply(text: string, email: string, partstat: string): string {
  const written = linesOf(text).map(line =>
    isAttendee(line, email)
      ? line.replace(/PARTSTAT=[\w-]+/, `PARTSTAT=${partstat}`).replace('RSVP=TRUE', 'RSVP=FALSE')
      : line,
  )
  return written.join('\r\n')
}

function linesOf(text: string): string[] {
  return text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)
}

function isAttendee(line: string, email: string): boolean {
  return line.startsWith('ATTENDEE') && line.toLowerCase().endsWith(`mailto:${email.toLowerCase()}`)
}

const ORGANIZERS = new Set([
  ...['UID', 'SEQUENCE', 'DTSTAMP', 'STATUS', 'SUMMARY', 'DESCRIPTION', 'LOCATION', 'URL', 'DTSTART', 'DTEND'],
  ...['ORGANIZER', 'ATTENDEE', 'X-MICROSOFT-CDO-ALLDAYEVENT', 'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT'],
])

/** What in an event does not belong to the organizer. It must be the same before and after a change. */
export function ownSettings({ properties, alarms, calendar }: WholeEvent) {
  return {
    properties: properties.filter(([name]) => !ORGANIZERS.has(name.toUpperCase())),
    alarms,
    calendar: calendar.filter(([name]) => !['PRODID', 'VERSION'].includes(name.toUpperCase())),
  }
}

/** What an event says about its attendees, by address: the reply, and whether one is requested. */
export function replies({ properties }: WholeEvent): Record<string, (string | undefined)[]> {
  const attendees = properties.filter(([name]) => name.toUpperCase() === 'ATTENDEE')
  return Object.fromEntries(
    attendees.map(([, parameters, value]) => [
      value.toLowerCase().replace('mailto:', ''),
      [...(parameters.PARTSTAT ?? []), ...(parameters.RSVP ?? []), ...(parameters['X-REPLIED'] ?? [])],
    ]),
  )
}

export function firstOf({ properties }: WholeEvent, name: string): WrittenProperty | undefined {
  return properties.find(([candidate]) => candidate.toUpperCase() === name)
}
