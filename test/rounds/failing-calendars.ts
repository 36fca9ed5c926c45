import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import { hasCalDav, newEvent, type Person, useCalendarPeople } from '../support/calendar-people.ts'
import { useCalendarWorkers } from '../support/calendar-workers.ts'

/** Changes events while the calendar server fails and workers are killed, two at a time and at least four in all. */
export function describeFailingCalendars({ changes, kills }: { changes: number; kills: number }): void {
  describe.skipIf(!hasCalDav('radicale') || !inject('postgresUrl'))('Calendars whose server and workers fail', () => {
    const calendars = useCalendarPeople('radicale')
    const { running, work, count, hurry, bury, settled } = useCalendarWorkers(calendars)

    it(`are right in the end after ${changes} changes: with 30 % failing answers, ${kills} workers killed and a server stopped`, {
      timeout: 420_000,
    }, async () => {
      const { server, proxy } = running
      const { pool } = running.database
      const company = await server.diwan.company()
      const { caldav, newPerson, parsed } = calendars
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
          await target.by.api.patch(`/events/${target.id}`, {
            name: `Changed ${n}`,
            attendee_emails: guests(),
          })
        } else {
          ids.splice(ids.indexOf(target), 1)
          await target.by.api.delete(`/events/${target.id}`)
        }
      }
      let isWriting = true
      const writing = (async () => {
        for (let n = 0; n < changes; n++) {
          await change(n)
          await sleep(100)
        }
        isWriting = false
      })()
      let killed = 0
      while (isWriting || killed < kills) {
        const workers = [await work(), await work()]
        for (let n = 0; n < 6 && isWriting; n++) {
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
      expect(proxy.failures).toBeGreaterThan(changes / 12)
      expect(
        await count(
          'select count(*) from calendar_entries x where not exists (select from events e where e.uid = x.uid)',
        ),
      ).toBe(0)
      for (const worker of workers) await worker.end('SIGTERM')
    })
  })
}
