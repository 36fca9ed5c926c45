import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import { hasCalDav, newEvent, type Person, useCalendarPeople } from '../support/calendar-people.ts'
import { useCalendarWorkers } from '../support/calendar-workers.ts'
import { random } from '../support/random.ts'
import { tell } from '../support/trial.ts'

/** Changes events, at least so often, while their server fails and workers are killed: two at a time, four or more. */
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
      const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T
      const guests = () => people.filter(() => random() < 0.6).map(({ email }) => email)
      const change = async (n: number) => {
        const target = ids.length > 0 ? pick(ids) : undefined
        if (!target || random() < 0.4) {
          const by = pick(people)
          ids.push({ id: (await newEvent(by, { name: `Event ${n}`, attendee_emails: guests() })).id, by })
        } else if (random() < 0.75) {
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
      let killed = 0
      let changed = 0
      const writing = (async () => {
        for (; changed < changes || killed < kills; changed++) {
          await change(changed)
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
      await settled()
      // Now all of them are in the calendars. What is deleted has to go from there.
      for (const { id, by } of ids.splice(0, Math.ceil(ids.length / 2))) await by.api.delete(`/events/${id}`)
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
      tell('calendars', { changes: changed, events: ids.length, kills: killed, 'failed answers': proxy.failures })
    })
  })
}
