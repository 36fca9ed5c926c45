import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { openEmbedded } from '../../src/db/embedded.ts'
import type { Database } from '../../src/db/postgres.ts'
import { ALLOWED, type CalendarPeople, newEvent, type Person, useCalendarPeople } from '../support/calendar-people.ts'
import { useCalendarWorkers } from '../support/calendar-workers.ts'
import { describeWith } from '../support/describe-with.ts'
import { type FlakyProxy, startFlakyProxy } from '../support/flaky-proxy.ts'
import { random } from '../support/random.ts'
import { type Env, embedded, type ServerProcess, serve } from '../support/server-process.ts'
import { freePort, until } from '../support/servers.ts'
import { tell } from '../support/trial.ts'

const PEOPLE = 3
const FAILING = 0.3
/** What a killed server had begun comes back by itself after a minute, and what failed after a pause. */
const SETTLED_WITHIN_MS = 10 * 60_000

const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T

/** People with calendars, reached through the proxy, who invite each other, change their events and delete them. */
async function startChanging({ newPerson }: CalendarPeople, server: ServerProcess, proxy: FlakyProxy) {
  const company = await server.diwan.company()
  const people: Person[] = []
  while (people.length < PEOPLE) people.push(await newPerson(server, company, proxy.url))
  for (const person of people) await person.connect()
  proxy.failing = FAILING

  const ids: { id: number; by: Person }[] = []
  const guests = () => people.filter(() => random() < 0.6).map(({ email }) => email)
  async function change(n: number): Promise<void> {
    const target = ids.length > 0 ? pick(ids) : undefined
    if (!target || random() < 0.4) {
      const by = pick(people)
      ids.push({ id: (await newEvent(by, { name: `Event ${n}`, attendee_emails: guests() })).id, by })
    } else if (random() < 0.75) {
      await target.by.api.patch(`/events/${target.id}`, { name: `Changed ${n}`, attendee_emails: guests() })
    } else {
      ids.splice(ids.indexOf(target), 1)
      await target.by.api.delete(`/events/${target.id}`)
    }
  }
  /** What is in the calendar of each, and what should be there. */
  async function compare({ parsed }: CalendarPeople) {
    type Answer = { name: string; attendees: { email: string }[] }
    const [there, wanted]: unknown[][][] = [[], []]
    for (const { api, calendar } of people) {
      const { data } = (await api.get('/events?include_past=true&limit=100')).body
      const events = data.map(({ name, attendees }: Answer) => [
        name,
        attendees.map(({ email }) => `mailto:${email}`).sort(),
      ])
      wanted?.push(events.sort())
      there?.push((await parsed(calendar)).map(({ summary, attendees }) => [summary, attendees]).sort())
    }
    return { there, wanted }
  }
  return { people, ids, change, compare }
}
type Changing = Awaited<ReturnType<typeof startChanging>>

/** In the end all events are in the calendars; then half of them are deleted, and have to go from there. */
async function expectRight(
  calendars: CalendarPeople,
  { people, ids, compare }: Changing,
  settled: () => Promise<void>,
  pool: () => Promise<Database['pool']>,
): Promise<void> {
  await settled()
  for (const { id, by } of ids.splice(0, Math.ceil(ids.length / 2))) await by.api.delete(`/events/${id}`)
  await settled()
  const { there, wanted } = await compare(calendars)
  expect(there).toEqual(wanted)
  const { rows } = await (await pool()).query('select uid, sequence from events')
  const sequences = new Map(rows.map(({ uid, sequence }) => [uid, sequence]))
  for (const { calendar } of people)
    for (const { uid, sequence } of await calendars.parsed(calendar)) expect(sequence).toBe(sequences.get(uid))
  // An event may have gone there without an answer that says so: then its removal is still owed, and is tried again.
  const left = `select from calendar_entries x where not exists (select from events e where e.uid = x.uid)
    and x.synced_version >= x.version`
  expect((await (await pool()).query(left)).rowCount).toBe(0)
}

/** Changes events, at least so often, while their server fails and workers are killed: two at a time, four or more. */
export function describeFailingCalendars({ changes, kills }: { changes: number; kills: number }): void {
  describeWith(['radicale', 'postgres'], 'Calendars whose server and workers fail', () => {
    const calendars = useCalendarPeople('radicale')
    const { running, work, hurry, bury, settled } = useCalendarWorkers(calendars)

    it(`are right in the end after ${changes} changes: with 30 % failing answers, ${kills} workers killed and a server stopped`, {
      timeout: 420_000,
    }, async () => {
      const { server, proxy } = running
      const { caldav } = calendars
      const changing = await startChanging(calendars, server, proxy)
      let isWriting = true
      let killed = 0
      let changed = 0
      const writing = (async () => {
        for (; changed < changes || killed < kills; changed++) {
          await changing.change(changed)
          await sleep(changed < changes ? 100 : 500)
        }
        isWriting = false
      })()
      while (isWriting || killed < kills) {
        const workers = await Promise.all([work(), work()])
        for (let n = 0; n < 4 && isWriting; n++) {
          await sleep(400)
          await hurry()
        }
        if (killed === 2) await caldav.down()
        for (const worker of workers) await worker.end('SIGKILL')
        killed += workers.length
        await bury()
        if (killed === kills) await caldav.up()
      }
      await writing

      const workers = await Promise.all([work(), work()])
      await expectRight(calendars, changing, settled, async () => running.database.pool)
      expect(proxy.failures).toBeGreaterThan(changes / 12)
      for (const worker of workers) await worker.end('SIGTERM')
      const { length: events } = changing.ids
      tell('calendars', { changes: changed, events, kills: killed, 'failed answers': proxy.failures })
    })
  })
}

/** Changes events while a server that does its own jobs is killed so often, and the server of the calendars fails. */
export function describeCalendarsOfKilledServers(kills: number): void {
  describeWith('radicale', 'Calendars whose server fails, on the embedded database,', () => {
    const calendars = useCalendarPeople('radicale')

    it(`are right in the end: with 30 % failing answers and ${kills} kills`, { timeout: 3_600_000 }, async () => {
      // The people go on at the same address.
      const env: Env = { ...embedded(), ...ALLOWED, PORT: String(await freePort()) }
      const proxy = await startFlakyProxy(calendars.caldav.url)
      let server = await serve(env)
      const changing = await startChanging(calendars, server, proxy)
      let changed = 0
      for (let kill = 0; kill < kills; kill++) {
        let isKilled = false
        const writing = (async () => {
          for (; !isKilled; changed++) {
            // For one without an answer, nobody knows.
            await changing.change(changed).catch(error => {
              if (!isKilled) throw error
            })
            await sleep(50)
          }
        })()
        const enough = changed + 3 + Math.round(random() * 10)
        await until(async () => changed >= enough)
        isKilled = true
        await server.end('SIGKILL')
        await writing
        server = await serve(env)
      }
      const isSettled = async () => {
        const { there, wanted } = await changing.compare(calendars)
        if (isDeepStrictEqual(there, wanted)) return true
        await sleep(1_000)
        return false
      }
      const settled = () => until(isSettled, SETTLED_WITHIN_MS)
      let stopped: Database | undefined
      const pool = async () => {
        if (!stopped) {
          expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
          stopped = await openEmbedded(env.DATA_DIR as string, error => console.error(error))
        }
        return stopped.pool
      }
      await expectRight(calendars, changing, settled, pool)
      await stopped?.close()
      tell('calendars, embedded', { changes: changed, kills, 'failed answers': proxy.failures })
    })
  })
}
