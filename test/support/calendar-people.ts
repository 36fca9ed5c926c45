import { beforeAll } from 'vitest'
import { type CalDavServer, PASSWORD, type StoredEvent, USERNAME } from './caldav-server.ts'
import { type Client, created, type TestCompany } from './diwan.ts'
import { findPart } from './parts.ts'
import { startRadicale } from './radicale.ts'
import { type Env, newFolder, OPERATOR_TOKEN, SERVER_SECRET, type ServerProcess } from './server-process.ts'
import { type ParsedEvent, readWholeEvents, readWithVobject, type WholeEvent } from './vobject.ts'
import { startXandikos } from './xandikos.ts'

/** Its Python reads what either server stores. */
const RADICALE = findPart('radicale') as string
const START = { radicale: startRadicale, xandikos: startXandikos }

/** The CalDAV servers that we must work correctly with. */
export type CalDavKind = keyof typeof START
export const CALDAV_KINDS = Object.keys(START) as CalDavKind[]
export const startCalDav = (kind: CalDavKind) => START[kind](findPart(kind) as string)

export const ALLOWED = { ALLOW_PRIVATE_CALENDARS: '1' }
export const postgresEnv = (url: string): Env => ({
  DATABASE_URL: url,
  DATA_DIR: newFolder(),
  SERVER_SECRET,
  OPERATOR_TOKEN,
  BURST_PER_MINUTE: '0',
  ...ALLOWED,
})

/** People with calendars on one server, which the tests of a `describe` share. */
export function useCalendarPeople(kind: CalDavKind) {
  const people = { caldav: {} as CalDavServer, parsed, summaries, whole, newPerson }
  let calendars = 0
  beforeAll(async () => {
    people.caldav = await startCalDav(kind)
  })
  return people

  async function parsed(calendar: string): Promise<ParsedEvent[]> {
    const events = await people.caldav.events(calendar)
    return readWithVobject(
      RADICALE,
      events.map(({ text }) => text),
    )
  }

  async function summaries(calendar: string) {
    return (await parsed(calendar)).map(({ summary }) => summary).sort()
  }

  /** The only event in a calendar: its address and its whole content; undefined when there is none. */
  async function whole(calendar: string): Promise<(StoredEvent & WholeEvent) | undefined> {
    const [event, ...others] = await people.caldav.events(calendar)
    if (others.length > 0) throw new Error(`${calendar} has ${others.length + 1} events`)
    const [read] = event ? readWholeEvents(RADICALE, [event.text]) : []
    return event && { ...event, ...(read as WholeEvent) }
  }

  /** A person with a key that signs as them, and a calendar that can be connected. */
  async function newPerson({ diwan }: ServerProcess, company: TestCompany, base = people.caldav.url) {
    const person = await diwan.person(company.id)
    const calendar = await people.caldav.calendar(`calendar-${++calendars}`)
    const connect = async (fields: object = {}) => {
      const url = calendar.replace(people.caldav.url, base)
      const access = { url, username: USERNAME, password: PASSWORD, ...fields }
      return (await created(person.admin.post('/calendars', access))).data as { id: number; url: string }
    }
    const api = diwan.api(await diwan.key(company.id, { created_by: person.id }))
    return { ...person, name: person.name as string, email: person.email as string, api, calendar, connect }
  }
}
export type CalendarPeople = ReturnType<typeof useCalendarPeople>
export type Person = Awaited<ReturnType<CalendarPeople['newPerson']>>

const TIMES = { starts_at: '2030-12-01T10:00', ends_at: '2030-12-01T11:30' }
export const newEvent = async ({ api }: { api: Client }, fields: Record<string, unknown> = {}) =>
  (await created(api.post('/events', { name: 'Site visit', ...TIMES, ...fields }))).data
