import { beforeAll, expect, it } from 'vitest'
import { createCalDav } from '../../../src/adapters/caldav/client.ts'
import type { CalendarAccess, CalendarObject } from '../../../src/domain/ports/calendar-server.ts'
import { type CalDavServer, PASSWORD, USERNAME } from '../../support/caldav-server.ts'
import { CALDAV_KINDS, startCalDav } from '../../support/calendar-people.ts'
import { describeWith } from '../../support/describe-with.ts'

const event = (uid: string, summary: string) =>
  [
    `BEGIN:VCALENDAR|VERSION:2.0|PRODID:-//Test//EN|BEGIN:VEVENT|UID:${uid}|DTSTAMP:20261101T080000Z`,
    `DTSTART:20301201T080000Z|DTEND:20301201T090000Z|SUMMARY:${summary}|END:VEVENT|END:VCALENDAR|`,
  ]
    .join('|')
    .replaceAll('|', '\r\n')

for (const kind of CALDAV_KINDS)
  describeWith(kind, `The versions of an event on ${kind}`, () => {
    const client = createCalDav({ allowPrivate: true })
    let caldav: CalDavServer
    let access: CalendarAccess
    let calendars = 0
    beforeAll(async () => {
      caldav = await startCalDav(kind)
    })
    const fresh = async () => {
      const url = await caldav.calendar(`calendar-${++calendars}`)
      access = { company_id: 1, url, username: USERNAME, password: PASSWORD }
    }
    const read = async (uid: string, href: string | null = null) =>
      (await client.read(access, uid, href)) as CalendarObject
    const summary = async (uid: string) => (await read(uid))?.content.match(/^SUMMARY:(.*?)\r?$/m)?.[1]

    it('are read where they are said to be, or wherever they have gone', async () => {
      await fresh()
      expect(await client.read(access, 'a@diwan', null)).toBe(undefined)
      expect(await client.read(access, 'a@diwan', `${new URL(access.url).pathname}a.ics`)).toBe(undefined)
      await caldav.write({ href: `${access.url}moved.ics` }, event('a@diwan', 'a'))
      await caldav.write({ href: `${access.url}longer.ics` }, event('aa@diwan', 'another'))
      const found = await read('a@diwan')
      expect(found).toMatchObject({ href: expect.stringMatching(/\/moved\.ics$/), etag: expect.stringMatching(/^"/) })
      expect(found.content).toContain('UID:a@diwan')
      const { etag } = await read('a@diwan', found.href)
      expect(etag).toBe(found.etag)
      expect((await read('a@diwan', found.href.replace('moved', 'gone'))).href).toBe(found.href)
    })

    it('are written and removed only over the one that was read', async () => {
      await fresh()
      const put = (uid: string, there: CalendarObject | undefined, name: string) =>
        client.put(access, uid, there, event(uid, name))
      const first = await put('b@diwan', undefined, 'first')
      expect(first).toEqual({ href: `${new URL(access.url).pathname}b-diwan.ics` })
      const known = await read('b@diwan')
      expect(await put('b@diwan', undefined, 'twice')).toBe('changed')
      expect(await put('b@diwan', known, 'second')).toEqual(first)
      expect(await put('b@diwan', known, 'late')).toBe('changed')
      expect(await client.remove(access, known)).toBe('changed')
      expect(await summary('b@diwan')).toBe('second')
      const last = await read('b@diwan')
      expect(await client.remove(access, last)).toBe('removed')
      expect(await put('b@diwan', last, 'gone')).toBe('changed')
      expect(await summary('b@diwan')).toBe(undefined)
      expect(['removed', 'changed']).toContain(await client.remove(access, last))
    })

    it('are not there twice: one that lies under another name is not created beside it', async () => {
      await fresh()
      await caldav.write({ href: `${access.url}accepted.ics` }, event('c@diwan', 'by mail'))
      expect(await client.put(access, 'c@diwan', undefined, event('c@diwan', 'ours'))).toBe('changed')
      expect((await caldav.events(access.url)).map(({ href }) => href.split('/').at(-1))).toEqual(['accepted.ics'])
    })
  })
