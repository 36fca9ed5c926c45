import { expect, it } from 'vitest'
import { ALLOWED, newEvent, postgresEnv, useCalendarPeople } from '../support/calendar-people.ts'
import { diwan } from '../support/command.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { faultsIn, found } from '../support/doctor.ts'
import { type Env, embedded, serve } from '../support/server-process.ts'
import { askPostgres, freePort, until } from '../support/servers.ts'

/** What the doctor says about calendars when nothing needs attention. */
async function saidOfCalendars(env: Env): Promise<string[]> {
  const { stdout } = await diwan({ PORT: String(await freePort()), ...env }, 'doctor', '--json')
  const { findings } = JSON.parse(stdout) as { findings: { name: string; message: string }[] }
  return findings.filter(({ name }) => name === 'calendars').map(({ message }) => message)
}

describeWith('radicale', 'diwan doctor with connected calendars', () => {
  const people = useCalendarPeople('radicale')

  it('finds one that fails, since when and why, whether the embedded database is open in a server or not', async () => {
    const env = { ...embedded(), ...ALLOWED, PORT: String(await freePort()) }
    const server = await serve(env)
    expect(await saidOfCalendars(env)).toEqual(['None is connected.'])
    const sara = await people.newPerson(server, await server.diwan.company())
    const { id } = await sara.connect()
    expect(await saidOfCalendars(env)).toEqual(['1 connected, and none is behind.'])

    await people.caldav.down()
    await newEvent(sara)
    await until(async () => (await sara.admin.get('/calendars')).body.data[0].failing_since !== null)
    const failing = found(
      'calendars',
      new RegExp(`^The calendar of ${sara.email} on \\S+ has been failing since 20\\d\\d-.*Z: url `),
      new RegExp(`answers the workers.*PATCH /admin/v1/companies/\\d+/calendars/${id}\\.`),
    )
    expect(await faultsIn(env)).toEqual([failing])
    await server.end('SIGTERM')
    expect(await faultsIn(env)).toEqual([failing])
    await people.caldav.up()
  })
})

describeWith(['radicale', 'postgres'], 'diwan doctor with connected calendars, on PostgreSQL', () => {
  const people = useCalendarPeople('radicale')

  it('finds those that nobody works on, and counts what it does not name', async () => {
    const { url, drop } = await createPostgresDatabase()
    const env = { ...postgresEnv(url), WORKER: 'off' }
    const server = await serve(env)
    const company = await server.diwan.company()
    for (let n = 0; n < 7; n++) {
      const person = await people.newPerson(server, company)
      await person.connect()
      await newEvent(person)
    }
    const calendarsIn = async () => (await faultsIn(env)).filter(({ name }) => name === 'calendars')
    expect(await calendarsIn()).toEqual([])
    await askPostgres(url, "update calendar_entries set owed_since = now() - interval '31 minutes'")
    const waiting = found('calendars', /has been waiting for a change since 20\d\d-.*Z\.$/, /a worker runs/)
    const more = found('calendars', /^2 more are behind\.$/, /above/)
    expect(await calendarsIn()).toEqual([...Array(5).fill(waiting), more])
    await server.end('SIGTERM')
    await drop()
  })
})
