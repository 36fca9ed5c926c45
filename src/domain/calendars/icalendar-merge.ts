import {
  type Component,
  firstValue,
  joinLine,
  nameOf,
  parseComponent,
  splitLine,
  writeComponent,
} from '../../lib/icalendar-lines.ts'
import { INVITED_BY_US } from './icalendar.ts'

/** What the organizer decides. Everything else in an event belongs to the person whose calendar it is in. */
const OURS = new Set([
  ...['UID', 'SEQUENCE', 'DTSTAMP', 'LAST-MODIFIED', 'STATUS', 'SUMMARY', 'DESCRIPTION', 'LOCATION', 'URL'],
  ...['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'EXRULE', 'EXDATE', 'RECURRENCE-ID', 'ORGANIZER', 'ATTENDEE'],
  ...['X-MICROSOFT-CDO-ALLDAYEVENT', 'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT'],
])

/** Properties that repeat another one in the format of one program: wrong as soon as the other changes. */
const REPEATS: Record<string, string> = {
  'X-ALT-DESC': 'DESCRIPTION',
  GEO: 'LOCATION',
  'X-APPLE-STRUCTURED-LOCATION': 'LOCATION',
}

type FormerAddresses = ReadonlyMap<string, string>

/** No program writes longer lines about a person. Whoever has a longer one is treated as a person who is new to the event. */
const PERSON_LINE_LENGTH = 10_000

/**
 * Merges our version of an event into the one in a person's calendar. What the person or their program has set there stays:
 * replies, reminders, categories, whether it blocks time, and whatever we know nothing of. Lines that are kept stay as they
 * were written. `formerAddresses` has the address under which the person with an address was known before.
 */
export function mergeEvent(theirs: string, ours: string, formerAddresses: FormerAddresses = new Map()): string {
  const [calendar, own] = [parseComponent(theirs), parseComponent(ours) as Component]
  const ownEvent = own.parts[0] as Component
  const uid = firstValue(ownEvent, 'UID') as string
  const event = calendar?.parts.find(part => isEvent(part, uid) && firstValue(part, 'RECURRENCE-ID') === undefined)
  if (!calendar || !event) return ours
  const merged = {
    name: 'VEVENT',
    lines: [...withTheirReplies(event, ownEvent, formerAddresses), ...event.lines.filter(isKept(event, ownEvent))],
    parts: event.parts,
  }
  return writeComponent({
    name: 'VCALENDAR',
    // What is stored has no method, also where it came by mail.
    lines: [...own.lines, ...calendar.lines.filter(line => !['VERSION', 'PRODID', 'METHOD'].includes(nameOf(line)))],
    // Our events do not repeat, so exceptions to a repetition no longer belong to anything.
    parts: [...calendar.parts.filter(part => !isEvent(part, uid)), merged],
  })
}

/** True if the text is a calendar that has this event in it. */
export function hasEvent(text: string, uid: string): boolean {
  return parseComponent(text)?.parts.some(part => isEvent(part, uid)) ?? false
}

function isEvent(part: Component, uid: string): boolean {
  return part.name === 'VEVENT' && firstValue(part, 'UID')?.trim() === uid
}

/** The lines of the event that are not ours, and repeat nothing that we change. */
function isKept(event: Component, ownEvent: Component): (line: string) => boolean {
  const outdated = Object.entries(REPEATS).flatMap(([name, original]) =>
    firstValue(event, original) === firstValue(ownEvent, original) ? [] : name,
  )
  const dropped = new Set([...OURS, ...outdated])
  return line => !dropped.has(nameOf(line))
}

/** Our lines; those of people keep what they have of their own in the calendar. */
function withTheirReplies(event: Component, ownEvent: Component, formerAddresses: FormerAddresses): string[] {
  const known = (name: string) =>
    new Map(
      event.lines
        .filter(line => nameOf(line) === name && line.length <= PERSON_LINE_LENGTH)
        .map(line => [addressOf(line), line]),
    )
  const [organizers, attendees] = [known('ORGANIZER'), known('ATTENDEE')]
  const merged = (line: string, people: Map<string, string>) => {
    const address = addressOf(line)
    return mergePerson(people.get(address) ?? people.get(formerAddresses.get(address) ?? ''), line)
  }
  const lines = ownEvent.lines.map(line => {
    const name = nameOf(line)
    if (name === 'ORGANIZER') return merged(line, organizers)
    return name === 'ATTENDEE' ? merged(line, attendees) : line
  })
  return [...lines, ...ownReply(ownEvent, attendees, formerAddresses)]
}

/** Many programs list the organizer among the attendees, with a reply of their own. A line that we wrote does not count. */
function ownReply(ownEvent: Component, attendees: Map<string, string>, formerAddresses: FormerAddresses): string[] {
  const organizer = ownEvent.lines.find(line => nameOf(line) === 'ORGANIZER') as string
  const address = addressOf(organizer)
  const isListed = ownEvent.lines.some(line => nameOf(line) === 'ATTENDEE' && addressOf(line) === address)
  const reply = attendees.get(address) ?? attendees.get(formerAddresses.get(address) ?? '')
  if (reply === undefined || isListed || splitLine(reply).parameters.some(isOurMark)) return []
  return [mergePerson(reply, organizer).replace(/^ORGANIZER/, 'ATTENDEE')]
}

function isOurMark(parameter: string): boolean {
  return parameter.toUpperCase().startsWith(`${INVITED_BY_US}=`)
}

function addressOf(line: string): string {
  return splitLine(line)
    .value.trim()
    .toLowerCase()
    .replace(/^mailto:/, '')
}

/** We decide who somebody is and who sends the invitations; the rest is theirs. What they removed stays removed. */
function mergePerson(theirs: string | undefined, ours: string): string {
  if (theirs === undefined) return ours
  const own = splitLine(ours)
  const isOurs = (parameter: string) => /^(CN|SCHEDULE-AGENT)=/i.test(parameter) || isOurMark(parameter)
  const kept = splitLine(theirs).parameters.filter(parameter => !isOurs(parameter))
  return joinLine({ ...own, parameters: [...kept, ...own.parameters.filter(isOurs)] })
}
