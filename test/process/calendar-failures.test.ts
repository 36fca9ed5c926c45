import { describe, expect, inject, it } from 'vitest'
import { openJobQueue } from '../../src/adapters/job-queue.ts'
import { catchUpCalendars } from '../../src/jobs/catch-up-calendars.ts'
import { describeFailingCalendars } from '../rounds/failing-calendars.ts'
import { hasCalDav, newEvent, useCalendarPeople } from '../support/calendar-people.ts'
import { OWED, useCalendarWorkers } from '../support/calendar-workers.ts'
import { type PlannedProxy, startPlannedProxy } from '../support/planned-proxy.ts'
import { until } from '../support/servers.ts'

describeFailingCalendars({ changes: 30, kills: 4 })

/** The plan of a server that fails at one event and takes all others. */
function neverTaking(uid: string): PlannedProxy['byRequest'] {
  return ({ method, url }) =>
    method === 'PUT' && url.includes(uid.replace('@', '-')) ? response => response.writeHead(500).end() : undefined
}

describe.skipIf(!hasCalDav('radicale') || !inject('postgresUrl'))('Calendars and workers that fail', () => {
  const people = useCalendarPeople('radicale')
  const { newPerson, summaries } = people
  const { running, work, count, hurry } = useCalendarWorkers(people)

  it('are told to their person once when they have failed for more than a day, are tried now and then, and catch up by themselves', async () => {
    const { server, database } = running
    const { caldav } = people
    const company = await server.diwan.company()
    const sara = await newPerson(server, company)
    await sara.connect()
    const worker = await work()
    const connection = async () => (await sara.admin.get('/calendars')).body.data[0]
    const notes = async () => {
      const { data } = (await sara.admin.get('/notifications')).body
      return data.filter(({ kind }: { kind: string }) => kind !== 'calendar_connected')
    }
    const waiting = () =>
      count(`select count(*) from pgboss.job where name = 'sync-calendar' and state in ('created', 'retry', 'active')`)
    await caldav.down()
    await newEvent(sara, { name: 'a' })
    await until(async () => (await connection()).last_error !== null)
    expect([(await connection()).state, await notes()]).toEqual(['connected', []])

    await database.pool.query(
      `update calendars set failing_since = now() - interval '25 hours' where failing_since is not null`,
    )
    // The job that has just failed may not be back in the queue yet.
    await until(async () => {
      await hurry()
      return (await connection()).state === 'failing'
    })
    const subject = { type: 'calendar', id: String((await connection()).id), title: new URL(caldav.url).host }
    await newEvent(sara, { name: 'b' })
    await newEvent(sara, { name: 'c' })
    // Each is tried once and then left until the server is back.
    await until(async () => (await waiting()) === 0)
    await until(async () => (await notes()).length > 0)
    expect(await notes()).toMatchObject([{ kind: 'calendar_failing', user: { id: sara.id }, subject }])
    expect(await count(OWED)).toBe(3)

    const jobs = await openJobQueue(database, () => {})
    const catchUp = () => catchUpCalendars({ db: database.db, jobs })
    await worker.end('SIGTERM')
    await catchUp()
    await catchUp()
    expect(await waiting()).toBeLessThanOrEqual(2)
    await caldav.up()
    const again = await work()
    await until(async () => (await summaries(sara.calendar)).join() === 'a,b,c', 60_000)
    await until(async () => (await connection()).state === 'connected')
    expect(await connection()).toMatchObject({ last_error: null, last_synced_at: expect.any(String) })
    expect(await notes()).toHaveLength(1)
    await jobs.close()
    await again.end('SIGTERM')
  })

  it('go on with other events when one is refused, and try that again when it changes', async () => {
    const { server } = running
    const company = await server.diwan.company()
    const proxy = await startPlannedProxy(people.caldav.url)
    const sara = await newPerson(server, company, proxy.url)
    await sara.connect()
    const worker = await work()
    const connection = async () => (await sara.admin.get('/calendars')).body.data[0]
    proxy.always.PUT = response => response.writeHead(413).end()
    const { id } = await newEvent(sara, { name: 'too large' })
    await until(async () => (await connection()).last_error !== null)
    expect(await connection()).toMatchObject({
      state: 'connected',
      last_error: 'url does not take one of the events: the calendar server answers 413',
    })
    expect(await count(OWED)).toBe(0)
    proxy.always = {}
    await newEvent(sara, { name: 'other' })
    await until(async () => (await summaries(sara.calendar)).join() === 'other')
    // The worker notes it after the calendar has it.
    await until(async () => (await connection()).last_error === null)
    expect((await connection()).state).toBe('connected')
    await sara.api.patch(`/events/${id}`, { name: 'smaller' })
    await until(async () => (await summaries(sara.calendar)).join() === 'other,smaller')
    await worker.end('SIGTERM')
  })

  it('catch up when the server never takes one of their events', async () => {
    const { server, database } = running
    const company = await server.diwan.company()
    const proxy = await startPlannedProxy(people.caldav.url)
    const sara = await newPerson(server, company, proxy.url)
    await sara.connect()
    for (const name of ['a', 'b', 'c']) await newEvent(sara, { name })
    const owed = `from calendar_entries where company_id = ${company.id}`
    const { rows } = await database.pool.query<{ uid: string }>(`select uid ${owed} order by uid limit 1`)
    proxy.byRequest = neverTaking(rows[0]?.uid as string)
    // As after an hour without the server: every job has been tried once and dropped.
    await database.pool.query(`delete from pgboss.job where name = 'sync-calendar'`)
    await database.pool.query(
      `update calendars set failing_since = now() - interval '1 hour' where company_id = ${company.id}`,
    )
    const jobs = await openJobQueue(database, () => {})
    const worker = await work()
    const waiting = () =>
      count(`select count(*) from pgboss.job where name = 'sync-calendar' and state in ('created', 'active')`)
    await until(async () => {
      if ((await waiting()) === 0) await catchUpCalendars({ db: database.db, jobs })
      return (await summaries(sara.calendar)).length === 2
    })
    expect(await count(`select count(*) ${owed} and synced_version < version`)).toBe(1)
    await jobs.close()
    await worker.end('SIGTERM')
  })

  it('have one job for an event that waits, however often the connection fails and works again', async () => {
    const { server, database } = running
    const company = await server.diwan.company()
    const proxy = await startPlannedProxy(people.caldav.url)
    const sara = await newPerson(server, company, proxy.url)
    const { id } = await sara.connect()
    await newEvent(sara, { name: 'never taken' })
    const ofCalendar = `from calendar_entries where calendar_id = ${id}`
    const { rows } = await database.pool.query<{ uid: string }>(`select uid ${ofCalendar}`)
    const uid = rows[0]?.uid as string
    proxy.byRequest = neverTaking(uid)
    const worker = await work()
    const isFailing = async () =>
      (await count(`select count(*) from calendars where id = ${id} and failing_since is not null`)) === 1
    for (let n = 1; n <= 6; n++) {
      await until(async () => {
        await hurry()
        return isFailing()
      })
      await newEvent(sara, { name: `event ${n}` })
      await until(async () => (await count(`select count(*) ${ofCalendar} and synced_version = version`)) === n)
    }
    await worker.end('SIGTERM')
    expect(
      await count(`select count(*) from pgboss.job where name = 'sync-calendar' and data ->> 'uid' = '${uid}'`),
    ).toBeLessThanOrEqual(2)
  })

  it('of people who have left are not written to any more, and catch up at once when they are active again', async () => {
    const { server } = running
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
    await company.admin.patch(`/users/${leaver.id}`, { active: true })
    await until(async () => (await summaries(leaver.calendar)).join() === 'after')
    await worker.end('SIGTERM')
  })
})
