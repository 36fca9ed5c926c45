import { expect, it } from 'vitest'
import { openJobQueue } from '../../src/adapters/job-queue.ts'
import { catchUpCalendars } from '../../src/jobs/catch-up-calendars.ts'
import { describeFailingCalendars } from '../rounds/failing-calendars.ts'
import { newEvent, useCalendarPeople } from '../support/calendar-people.ts'
import { OWED, useCalendarWorkers } from '../support/calendar-workers.ts'
import { describeWith } from '../support/describe-with.ts'
import { startPlannedProxy } from '../support/planned-proxy.ts'
import { until } from '../support/servers.ts'

describeFailingCalendars({ changes: 12, kills: 4 })

describeWith(['postgres', 'radicale'], 'Calendars and workers that fail', () => {
  const people = useCalendarPeople('radicale')
  const { newPerson, summaries } = people
  const { running, work, count, hurry } = useCalendarWorkers(people)
  const waiting = () =>
    count(`select count(*) from pgboss.job where name = 'sync-calendar' and state in ('created', 'retry', 'active')`)

  it('are told to their person once after more than a day, are tried now and then, and catch up by themselves', async () => {
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
    await worker.end('SIGTERM')
    for (let n = 0; n < 2; n++) await catchUpCalendars({ db: database.db, jobs })
    expect(await waiting()).toBeLessThanOrEqual(2)
    await caldav.up()
    const again = await work()
    await until(async () => (await summaries(sara.calendar)).join() === 'a,b,c')
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
    await sara.api.patch(`/events/${id}`, { name: 'smaller' })
    await until(async () => (await summaries(sara.calendar)).join() === 'other,smaller')
    await worker.end('SIGTERM')
  })

  it('catch up when the server never takes one of their events, for which one job waits', async () => {
    const { server, database } = running
    const company = await server.diwan.company()
    const proxy = await startPlannedProxy(people.caldav.url)
    const sara = await newPerson(server, company, proxy.url)
    await sara.connect()
    for (const name of ['a', 'b', 'c']) await newEvent(sara, { name })
    const owed = `from calendar_entries where company_id = ${company.id}`
    const { rows } = await database.pool.query<{ uid: string }>(`select uid ${owed} order by uid limit 1`)
    const uid = rows[0]?.uid as string
    proxy.byRequest = ({ method, url }) =>
      method === 'PUT' && url.includes(uid.replace('@', '-')) ? response => response.writeHead(500).end() : undefined
    // As after an hour without the server: every job has been tried once and dropped.
    await database.pool.query(`delete from pgboss.job where name = 'sync-calendar'`)
    await database.pool.query(
      `update calendars set failing_since = now() - interval '1 hour' where company_id = ${company.id}`,
    )
    const jobs = await openJobQueue(database, () => {})
    const worker = await work()
    await until(async () => {
      if ((await waiting()) === 0) await catchUpCalendars({ db: database.db, jobs })
      return (await summaries(sara.calendar)).length === 2
    })
    expect(await count(`select count(*) ${owed} and synced_version < version`)).toBe(1)
    // The connection fails and works again and again.
    for (let n = 1; n <= 4; n++) {
      await until(async () => {
        await hurry()
        if ((await waiting()) === 0) await catchUpCalendars({ db: database.db, jobs })
        return (
          (await count(
            `select count(*) from calendars where company_id = ${company.id} and failing_since is not null`,
          )) === 1
        )
      })
      await newEvent(sara, { name: `event ${n}` })
      await until(async () => (await count(`select count(*) ${owed} and synced_version = version`)) === 2 + n)
    }
    await jobs.close()
    await worker.end('SIGTERM')
    const ofEvent = `select count(*) from pgboss.job where name = 'sync-calendar' and data ->> 'uid' = '${uid}'`
    expect(await count(ofEvent)).toBeLessThanOrEqual(2)
  })
})
