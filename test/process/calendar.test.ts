import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openJobQueue } from '../../src/adapters/job-queue.ts'
import { type Database, openPostgres } from '../../src/db/postgres.ts'
import { catchUpCalendars } from '../../src/jobs/catch-up-calendars.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { type FlakyProxy, startFlakyProxy } from '../support/flaky-proxy.ts'
import { findParts } from '../support/parts.ts'
import { PASSWORD, type Radicale, startRadicale, USERNAME } from '../support/radicale.ts'
import {
  type Env,
  embedded,
  type Launched,
  launch,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
} from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { type ParsedEvent, readWithVobject } from '../support/vobject.ts'

const { radicale: program } = findParts()
const ALLOWED = { ALLOW_PRIVATE_CALENDARS: '1' }
const postgresEnv = (url: string): Env => ({
  DATABASE_URL: url,
  DATA_DIR: newFolder(),
  SERVER_SECRET,
  OPERATOR_TOKEN,
  BURST_PER_MINUTE: '0',
  ...ALLOWED,
})

let radicale: Radicale
let calendars = 0
beforeAll(async () => {
  if (program) radicale = await startRadicale(program)
})

const parsed = async (calendar: string): Promise<ParsedEvent[]> =>
  readWithVobject(
    program as string,
    (await radicale.events(calendar)).map(({ text }) => text),
  )
const summaries = async (calendar: string) => (await parsed(calendar)).map(({ summary }) => summary).sort()

/** A person with a key that carries their signature, and a connected calendar. */
async function newPerson({ diwan }: ServerProcess, company: TestCompany, base = radicale.url) {
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
type Person = Awaited<ReturnType<typeof newPerson>>

const TIMES = { starts_at: '2030-12-01T10:00', ends_at: '2030-12-01T11:30' }
const newEvent = async ({ api }: { api: Client }, fields: Record<string, unknown> = {}) =>
  (await created(api.post('/events', { name: 'Site visit', ...TIMES, ...fields }))).data

describe.skipIf(!program).each(['embedded', 'postgres'])('A connected calendar, on %s,', engine => {
  const isHere = engine === 'embedded' || inject('postgresUrl') !== undefined
  let server: ServerProcess
  let company: TestCompany
  let layla: Person
  let omar: Person
  let drop = async () => {}

  beforeAll(async () => {
    if (!isHere) return
    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined
    if (database) drop = database.drop
    server = await serve(database ? postgresEnv(database.url) : { ...embedded(), ...ALLOWED })
    company = await server.diwan.company({ time_zone: 'Europe/Berlin' })
    layla = await newPerson(server, company)
    omar = await newPerson(server, company)
    for (const person of [layla, omar]) await person.connect()
  })
  afterAll(async () => {
    await server?.end('SIGTERM')
    await drop()
  })

  it.skipIf(!isHere)('gets an event as it is, then as it is changed, and loses it when it is deleted', async () => {
    const { id } = await newEvent(layla, {
      name: 'زيارة; الموقع, «هنا»',
      description: 'First\nsecond, \\ third',
      attendee_emails: [omar.email],
    })
    const expected = {
      uid: expect.stringMatching(/^[\da-f-]{36}@diwan$/),
      sequence: 0,
      summary: 'زيارة; الموقع, «هنا»',
      description: 'First\nsecond, \\ third',
      start: '2030-12-01T09:00:00.000Z',
      end: '2030-12-01T10:30:00.000Z',
      organizer: `mailto:${layla.email}`,
      attendees: [`mailto:${omar.email}`],
      method: null,
    }
    const both = async () => [await parsed(layla.calendar), await parsed(omar.calendar)]
    await until(async () => (await both()).every(events => events.length === 1))
    const [[first]] = (await both()) as [[ParsedEvent]]
    expect(await both()).toEqual([[expected], [expected]])

    await layla.api.patch(`/events/${id}`, { name: 'Visit', starts_at: '2030-07-01T10:00', description: null })
    const changed = {
      ...expected,
      uid: first.uid,
      sequence: 1,
      summary: 'Visit',
      description: null,
      start: '2030-07-01T08:00:00.000Z',
    }
    await until(async () => (await both()).every(([event]) => event?.sequence === 1))
    expect(await both()).toEqual([[changed], [changed]])

    await layla.api.patch(`/events/${id}`, { attendee_emails: [] })
    await until(async () => (await parsed(omar.calendar)).length === 0)
    await until(async () => (await parsed(layla.calendar))[0]?.sequence === 2)
    expect(await both()).toEqual([[{ ...changed, sequence: 2, attendees: [] }], []])

    await layla.api.patch(`/events/${id}`, { attendee_emails: [omar.email] })
    await until(async () => (await parsed(omar.calendar)).length === 1)
    await layla.api.delete(`/events/${id}`)
    await until(async () => (await both()).every(events => events.length === 0))
    const { data } = (await company.admin.get('/calendars')).body
    for (const connection of data)
      expect(connection).toMatchObject({ state: 'connected', last_error: null, last_synced_at: expect.any(String) })
  })

  it.skipIf(!isHere)('gets all-day events as days, which stay when the company moves', async () => {
    const { id } = await newEvent(layla, { all_day: true, starts_at: '2030-03-30', ends_at: '2030-03-31' })
    await until(async () => (await parsed(layla.calendar)).length === 1)
    const days = async () => (await parsed(layla.calendar)).map(({ start, end }) => [start, end])
    // The end at midnight is where the last day stops.
    expect(await days()).toEqual([['2030-03-30', '2030-03-31']])
    await company.admin.patch('', { time_zone: 'Pacific/Auckland' })
    await layla.api.patch(`/events/${id}`, { name: 'Holiday' })
    await until(async () => (await summaries(layla.calendar))[0] === 'Holiday')
    expect(await days()).toEqual([['2030-03-30', '2030-03-31']])
    await company.admin.patch('', { time_zone: 'Europe/Berlin' })
    await layla.api.delete(`/events/${id}`)
    await until(async () => (await parsed(layla.calendar)).length === 0)
  })

  it.skipIf(!isHere)('gets what its person has before them when it is connected', async () => {
    const sara = await newPerson(server, company)
    await newEvent(sara, { name: 'own' })
    const { id } = await newEvent(layla, { name: 'invited', attendee_emails: [sara.email] })
    await newEvent(layla, { name: 'not hers' })
    await newEvent(sara, { name: 'over', starts_at: '2020-01-01', ends_at: '2020-01-02' })
    await sara.connect()
    await until(async () => (await summaries(sara.calendar)).length === 2)
    expect(await summaries(sara.calendar)).toEqual(['invited', 'own'])
    await layla.api.delete(`/events/${id}`)
    await until(async () => (await summaries(sara.calendar)).length === 1)
  })

  it.skipIf(!isHere)('keeps what its person did by hand until the event changes here: then ours wins', async () => {
    const sara = await newPerson(server, company)
    await sara.connect()
    const { id } = await newEvent(sara)
    const stored = async () => (await radicale.events(sara.calendar))[0]
    await until(async () => (await stored()) !== undefined)
    const { href, text } = (await stored()) as { href: string; text: string }
    const address = new URL(href, radicale.url).href

    await radicale.send('DELETE', address)
    await sleep(1_500)
    expect(await summaries(sara.calendar)).toEqual([])
    await sara.api.patch(`/events/${id}`, { name: 'Back' })
    await until(async () => (await summaries(sara.calendar))[0] === 'Back')

    const headers = { 'content-type': 'text/calendar' }
    await radicale.send('PUT', address, { body: text.replace('Site visit', 'By hand'), headers })
    expect(await summaries(sara.calendar)).toEqual(['By hand'])
    await sara.api.patch(`/events/${id}`, { name: 'Ours' })
    await until(async () => (await summaries(sara.calendar))[0] === 'Ours')

    // The same event under another name, as a mail program stores an invitation that was accepted.
    await radicale.send('DELETE', address)
    await radicale.send('PUT', `${sara.calendar}accepted.ics`, { body: text, headers })
    await sara.api.patch(`/events/${id}`, { name: 'One' })
    await until(async () => (await summaries(sara.calendar))[0] === 'One')
    expect((await radicale.events(sara.calendar)).map(event => event.href.split('/').at(-1))).toEqual(['accepted.ics'])
    await sara.api.delete(`/events/${id}`)
    await until(async () => (await summaries(sara.calendar)).length === 0)
  })

  it.skipIf(!isHere)(
    'gets what happened while its server was away, and nobody waited for it',
    { timeout: 240_000 },
    async () => {
      const sara = await newPerson(server, company)
      await sara.connect()
      const [kept, doomed] = [await newEvent(sara, { name: 'kept' }), await newEvent(sara, { name: 'doomed' })]
      await until(async () => (await summaries(sara.calendar)).length === 2)
      await radicale.down()
      const startedAt = performance.now()
      await sara.api.patch(`/events/${kept.id}`, { name: 'changed' })
      await sara.api.delete(`/events/${doomed.id}`)
      await newEvent(sara, { name: 'new' })
      expect(performance.now() - startedAt).toBeLessThan(5_000)
      const connection = async () => (await sara.admin.get('/calendars')).body.data[0]
      await until(async () => (await connection()).last_error !== null)
      expect(await connection()).toMatchObject({ state: 'connected', last_error: "url can't be reached: ECONNREFUSED" })
      await radicale.up()
      await until(async () => (await summaries(sara.calendar)).join() === 'changed,new', 120_000)
      await until(async () => (await connection()).last_error === null)
    },
  )

  it.skipIf(!isHere)('gives its password to nobody: not to the log, and not to an answer', async () => {
    const words = [PASSWORD, Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')]
    const answers = JSON.stringify([
      (await company.admin.get('/calendars')).body,
      (await company.admin.get('/audit?limit=100')).body,
      (await server.diwan.operator.get('/jobs/failed')).body,
    ])
    for (const word of words) expect(server.stderr() + server.stdout() + answers).not.toContain(word)
  })
})

describe.skipIf(!program || !inject('postgresUrl'))('Calendars and workers that fail', () => {
  let env: Env
  let opened: Database
  let pool: Database['pool']
  let drop: () => Promise<void>
  let server: ServerProcess
  let proxy: FlakyProxy

  beforeAll(async () => {
    const database = await createPostgresDatabase()
    drop = database.drop
    env = { ...postgresEnv(database.url), WORKER: 'off' }
    server = await serve(env)
    opened = await openPostgres(database.url, { poolSize: 3, onError: () => {} })
    pool = opened.pool
    proxy = await startFlakyProxy(radicale.url)
  })
  afterAll(async () => {
    await server?.end('SIGTERM')
    await opened?.close()
    await drop?.()
  })

  const work = async (): Promise<Launched> => {
    const worker = launch(env, ['worker'])
    await until(async () => worker.stdout().includes('working on jobs') || worker.hasExited())
    expect(worker.hasExited(), worker.stderr()).toBe(false)
    return worker
  }
  const count = async (query: string) => Number((await pool.query(query)).rows[0].count)
  const OWED = 'select count(*) from calendar_entries where carried < changes'
  /** So that a test need not wait for the pauses that a real outage would have. */
  const hurry = () => pool.query(`update pgboss.job set start_after = now() where state = 'retry'`)
  /** What comes back by itself a minute after a worker was killed. Only while nobody works. */
  const bury = async () => {
    await pool.query(`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`)
    await pool.query('update calendar_entries set leased_until = null')
  }
  const settled = () =>
    until(async () => {
      await hurry()
      return (await count(OWED)) === 0
    }, 150_000)

  it('leave exactly the right events in the end: with 30 % failing answers, workers killed and a server stopped', {
    timeout: 420_000,
  }, async () => {
    const company = await server.diwan.company()
    const people: Person[] = []
    for (let n = 0; n < 3; n++) people.push(await newPerson(server, company, proxy.url))
    for (const person of people) await person.connect()
    proxy.failing = 0.3

    const ids: { id: number; by: Person }[] = []
    const pick = <T>(list: T[]) => list[Math.floor(Math.random() * list.length)] as T
    const guests = () => people.filter(() => Math.random() < 0.6).map(({ email }) => email)
    const change = async (n: number) => {
      const target = ids.length > 0 ? pick(ids) : undefined
      if (!target || Math.random() < 0.4) {
        const by = pick(people)
        ids.push({ id: (await newEvent(by, { name: `Event ${n}`, attendee_emails: guests() })).id, by })
      } else if (Math.random() < 0.75) {
        await target.by.api.patch(`/events/${target.id}`, { name: `Changed ${n}`, attendee_emails: guests() })
      } else {
        ids.splice(ids.indexOf(target), 1)
        await target.by.api.delete(`/events/${target.id}`)
      }
    }
    let isWriting = true
    const writing = (async () => {
      for (let n = 0; n < 120; n++) {
        await change(n)
        await sleep(100)
      }
      isWriting = false
    })()
    let kills = 0
    while (isWriting || kills < 6) {
      const workers = [await work(), await work()]
      for (let n = 0; n < 6 && isWriting; n++) {
        await sleep(400)
        await hurry()
      }
      if (kills === 2) await radicale.down()
      for (const worker of workers) await worker.end('SIGKILL')
      kills += workers.length
      await bury()
      if (kills === 6) await radicale.up()
    }
    await writing

    const workers = [await work(), await work()]
    await settled()
    proxy.failing = 0
    for (const { api, calendar } of people) {
      const { data } = (await api.get('/events?include_past=true&limit=100')).body
      type Answer = { name: string; attendees: { email: string }[] }
      const wanted = data.map(({ name, attendees }: Answer) => [
        name,
        attendees.map(({ email }) => `mailto:${email}`).sort(),
      ])
      const there = (await parsed(calendar)).map(({ summary, attendees }) => [summary, attendees])
      expect(there.sort()).toEqual(wanted.sort())
    }
    const { rows } = await pool.query('select uid, sequence from events')
    const sequences = new Map(rows.map(({ uid, sequence }) => [uid, sequence]))
    for (const { calendar } of people)
      for (const { uid, sequence } of await parsed(calendar)) expect(sequence).toBe(sequences.get(uid))
    expect(proxy.failures).toBeGreaterThan(10)
    expect(
      await count(
        'select count(*) from calendar_entries x where not exists (select from events e where e.uid = x.uid)',
      ),
    ).toBe(0)
    for (const worker of workers) await worker.end('SIGTERM')
  })

  it('are told to their person once when they have failed for more than a day, are tried now and then, and catch up by themselves', async () => {
    const company = await server.diwan.company()
    const sara = await newPerson(server, company)
    await sara.connect()
    const worker = await work()
    const connection = async () => (await sara.admin.get('/calendars')).body.data[0]
    const notes = async () => (await sara.admin.get('/notifications')).body.data
    const waiting = () =>
      count(`select count(*) from pgboss.job where name = 'sync-calendar' and state in ('created', 'retry', 'active')`)
    await radicale.down()
    await newEvent(sara, { name: 'a' })
    await until(async () => (await connection()).last_error !== null)
    expect([(await connection()).state, await notes()]).toEqual(['connected', []])

    await pool.query(`update calendars set failing_since = now() - interval '25 hours' where failing_since is not null`)
    await hurry()
    await until(async () => (await connection()).state === 'failing')
    const subject = { type: 'calendar', id: String((await connection()).id), title: new URL(radicale.url).host }
    await newEvent(sara, { name: 'b' })
    await newEvent(sara, { name: 'c' })
    // Each is tried once and then left until the server is back.
    await until(async () => (await waiting()) === 0)
    expect(await notes()).toMatchObject([{ kind: 'calendar_failing', user: { id: sara.id }, subject }])
    expect(await count(OWED)).toBe(3)

    const jobs = await openJobQueue(opened, () => {})
    const catchUp = () => catchUpCalendars({ db: opened.db, jobs })
    await worker.end('SIGTERM')
    await catchUp()
    await catchUp()
    expect(await waiting()).toBeLessThanOrEqual(2)
    await radicale.up()
    const again = await work()
    await until(async () => (await summaries(sara.calendar)).join() === 'a,b,c', 60_000)
    await until(async () => (await connection()).state === 'connected')
    expect(await connection()).toMatchObject({ last_error: null, last_synced_at: expect.any(String) })
    expect(await notes()).toHaveLength(1)
    await jobs.close()
    await again.end('SIGTERM')
  })

  it('of people who have left are not written to any more', async () => {
    const company = await server.diwan.company()
    const leaver = await newPerson(server, company)
    await leaver.connect()
    const worker = await work()
    const { id } = await newEvent(company, { name: 'before', attendee_emails: [leaver.email] })
    await until(async () => (await summaries(leaver.calendar)).join() === 'before')
    await company.admin.patch(`/users/${leaver.id}`, { active: false })
    await company.api.patch(`/events/${id}`, { name: 'after' })
    await until(
      async () =>
        (await count(
          `select count(*) from pgboss.job where name = 'sync-calendar' and state in ('created', 'active')`,
        )) === 0,
    )
    expect(await summaries(leaver.calendar)).toEqual(['before'])
    await worker.end('SIGTERM')
  })
})
