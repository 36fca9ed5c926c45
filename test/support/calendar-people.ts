import { beforeAll } from 'vitest'
import { type Client, created, type TestCompany } from './diwan.ts'
import { findParts } from './parts.ts'
import { PASSWORD, type Radicale, startRadicale, USERNAME } from './radicale.ts'
import { type Env, newFolder, OPERATOR_TOKEN, SERVER_SECRET, type ServerProcess } from './server-process.ts'
import { type ParsedEvent, readWithVobject } from './vobject.ts'

export const { radicale: program } = findParts()
export const ALLOWED = { ALLOW_PRIVATE_CALENDARS: '1' }
export const postgresEnv = (url: string): Env => ({
  DATABASE_URL: url,
  DATA_DIR: newFolder(),
  SERVER_SECRET,
  OPERATOR_TOKEN,
  BURST_PER_MINUTE: '0',
  ...ALLOWED,
})

export let radicale: Radicale
let calendars = 0
beforeAll(async () => {
  if (program) radicale = await startRadicale(program)
})

export const parsed = async (calendar: string): Promise<ParsedEvent[]> =>
  readWithVobject(
    program as string,
    (await radicale.events(calendar)).map(({ text }) => text),
  )
export const summaries = async (calendar: string) => (await parsed(calendar)).map(({ summary }) => summary).sort()

/** A person with a key that carries their signature, and a connected calendar. */
export async function newPerson({ diwan }: ServerProcess, company: TestCompany, base = radicale.url) {
  const person = await diwan.person(company.id)
  const calendar = await radicale.calendar(`calendar-${++calendars}`)
  const connect = () =>
    created(
      person.admin.post('/calendars', {
        url: calendar.replace(radicale.url, base),
        username: USERNAME,
        password: PASSWORD,
      }),
    )
  const api = diwan.api(await diwan.key(company.id, { created_by: person.id }))
  return { ...person, email: person.email as string, api, calendar, connect }
}
export type Person = Awaited<ReturnType<typeof newPerson>>

const TIMES = { starts_at: '2030-12-01T10:00', ends_at: '2030-12-01T11:30' }
export const newEvent = async ({ api }: { api: Client }, fields: Record<string, unknown> = {}) =>
  (await created(api.post('/events', { name: 'Site visit', ...TIMES, ...fields }))).data
