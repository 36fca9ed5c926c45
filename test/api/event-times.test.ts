import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { toTimestamp } from '../../src/db/instants.ts'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
beforeAll(async () => {
  company = await app.diwan.company()
})

const OUTSIDE = 'must be a Gregorian date from 1900 to 9999'

const newEvent = async ({ api }: TestCompany, starts_at: string, fields: Record<string, unknown> = {}) =>
  (await created(api.post('/events', { name: starts_at, starts_at, ends_at: starts_at, ...fields }))).data
const moveTo = async ({ admin }: TestCompany, time_zone: string) =>
  expect([time_zone, (await admin.patch('', { time_zone })).status]).toEqual([time_zone, 200])
const names = async ({ api }: TestCompany, query: string) =>
  (await api.get(`/events?${query}`)).body.data.map(({ name }: { name: string }) => name)

/** The instants of an event in epoch milliseconds, computed by the database itself. */
const storedTimes = ({ id: companyId }: TestCompany, id: number) =>
  app.database.db.one(sql`
    select (extract(epoch from starts_at) * 1000)::float8 as starts, (extract(epoch from ends_at) * 1000)::float8 as ends
    from events where company_id = ${companyId} and id = ${id}`)

/** East and west of UTC, with whole hours and with offsets that had seconds until 1900, 1947 and 1972. */
const ZONES = [
  'Asia/Riyadh',
  'UTC',
  'Africa/Cairo',
  'Africa/Monrovia',
  'America/New_York',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]

describe('The time of an event', () => {
  it.each([
    ['20270101T100000Z', '2027-01-01T13:00:00+03:00'],
    ['20270101T1000', '2027-01-01T10:00:00+03:00'],
    ['20270101', '2027-01-01T00:00:00+03:00'],
    ['2027-01-01T10:00+05', '2027-01-01T08:00:00+03:00'],
    ['2027-01-01T10:00+0530', '2027-01-01T07:30:00+03:00'],
    ['2027-01-01T10:00:00,25-03', '2027-01-01T16:00:00.25+03:00'],
    ['٢٠٢٧٠١٠١T١٠٠٠', '2027-01-01T10:00:00+03:00'],
  ])('%s is read as %s', async (sent, shown) => {
    expect((await newEvent(company, sent)).starts_at).toBe(shown)
  })

  it.each([
    ['0001-01-01T00:00:00', OUTSIDE],
    ['0001-01-01', OUTSIDE],
    ['0001-01-01T00:00:00Z', OUTSIDE],
    ['0000-01-01T00:00:00+14:00', OUTSIDE],
    ['0050-06-01T10:00', OUTSIDE],
    ['1899-12-31T23:59:59.999', OUTSIDE],
    ['9999-12-31T23:59:59.9999999Z', OUTSIDE],
    ['9999-12-31T23:59:59-23:59', OUTSIDE],
    ['1448-06-05T10:00', `${OUTSIDE}; 1448 looks like a Hijri year`],
    ['14480230T1000Z', `${OUTSIDE}; 1448 looks like a Hijri year`],
    ['2027-01-01 10:00', 'must be a time that exists, in ISO 8601'],
    ['2027-W01-1', 'must be a time that exists, in ISO 8601'],
  ])('%s is refused in Riyadh: %s', async (text, problem) => {
    const times = { starts_at: '2027-01-01', ends_at: '2027-01-01' }
    const event = await newEvent(company, '2027-01-01')
    for (const field of ['starts_at', 'ends_at']) {
      const answers = [
        await company.api.post('/events', { name: 'x', ...times, [field]: text }),
        await company.api.patch(`/events/${event.id}`, { [field]: text }),
      ]
      for (const answer of answers) expectRefusal(answer, 422, 'unprocessable_entity', `${field} ${problem}`)
    }
  })

  it.each(ZONES)(
    'reaches from the first to the last moment of the years in %s, and stays when it is read, kept or sent back',
    async time_zone => {
      const own = await app.diwan.company({ time_zone })
      for (const [sent, start] of [
        ['1900-01-01T00:00', '1900-01-01T00:00:00'],
        ['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.999'],
        ['9999-12-31', '9999-12-31T00:00:00'],
      ] as const) {
        const { id, starts_at } = await newEvent(own, sent)
        expect(starts_at.slice(0, -6)).toBe(start)
        const before = await storedTimes(own, id)
        for (const change of [
          { name: 'x' },
          { all_day: false },
          { starts_at, ends_at: starts_at },
          { ends_at: starts_at },
        ]) {
          const { status, body } = await own.api.patch(`/events/${id}`, change)
          expect([status, body.data.starts_at, body.data.ends_at]).toEqual([200, starts_at, starts_at])
          expect(await storedTimes(own, id)).toEqual(before)
        }
        for (const side of ['from', 'to', 'from=2000-01-01&to'])
          expect((await own.api.get(`/events?${side}=${encodeURIComponent(starts_at)}`)).status).toBe(200)
        expect((await own.api.delete(`/events/${id}`)).status).toBe(200)
      }
    },
  )

  it('at either edge does not keep the company from moving, and is never shown in another year', async () => {
    const own = await app.diwan.company({ time_zone: 'UTC' })
    const starts = ['1900-01-01', '9999-12-31', '9999-12-31T23:59:59.999']
    for (const all_day of [true, false])
      for (const text of starts) await newEvent(own, text, { name: `${all_day} ${text}`, all_day })
    const shown = async () => (await own.api.get('/events?include_past=1')).body.data
    for (const zone of [...ZONES, 'UTC']) {
      await moveTo(own, zone)
      const events: { name: string; starts_at: string; all_day: boolean }[] = await shown()
      expect(events).toHaveLength(6)
      for (const { name, starts_at, all_day } of events) {
        expect(starts_at).toMatch(/^(1900-01-01|9999-12-31|9999-12-30)T/)
        if (all_day) expect(starts_at.slice(0, 10)).toBe(name.slice(5, 15))
      }
      // The windows match the times that are shown.
      expect(await names(own, 'to=1900-01-01')).toHaveLength(2)
      expect(await names(own, 'from=1900-01-01&to=9999-12-31')).toHaveLength(6)
      const inLastDay = events.filter(({ starts_at }) => starts_at.startsWith('9999-12-31'))
      expect((await names(own, 'from=9999-12-31')).length).toBe(inLastDay.length)
    }
    // Back in the first zone, everything is as it was.
    expect((await shown()).map(({ starts_at }: { starts_at: string }) => starts_at.slice(0, 10)).sort()).toEqual([
      ...['1900-01-01', '1900-01-01', '9999-12-31', '9999-12-31', '9999-12-31', '9999-12-31'],
    ])
  })

  it('beyond the edge since the company has moved can be changed like any other', async () => {
    const own = await app.diwan.company({ time_zone: 'America/New_York' })
    const { id } = await newEvent(own, '9999-12-31T23:59:59')
    await moveTo(own, 'Asia/Riyadh')
    const edge = '9999-12-31T23:59:59.999+03:00'
    const stored = await storedTimes(own, id)
    const renamed = (await own.api.patch(`/events/${id}`, { name: 'x' })).body.data
    expect([renamed.starts_at, renamed.ends_at, await storedTimes(own, id)]).toEqual([edge, edge, stored])
    for (const change of [{ ends_at: edge }, { all_day: true }, { all_day: false }, { starts_at: '2027-01-01' }])
      expect((await own.api.patch(`/events/${id}`, change)).status).toBe(200)
  })

  it('of an all-day event whose end would come before its start where the company moves ends with its start', async () => {
    const own = await app.diwan.company({ time_zone: 'Asia/Riyadh' })
    // The clocks of Berlin skip 02:00 to 03:00, and those of Apia a whole day.
    for (const [zone, starts_at, ends_at] of [
      ['Europe/Berlin', '2030-03-31T02:30', '2030-03-31T03:00'],
      ['Pacific/Apia', '2011-12-30T23:00', '2011-12-31T05:00'],
    ] as const) {
      const { id } = await newEvent(own, starts_at, { ends_at, all_day: true })
      await moveTo(own, zone)
      const event = (await own.api.get(`/events/${id}`)).body.data
      expect(event.ends_at).toBe(event.starts_at)
      expect((await own.api.patch(`/events/${id}`, { name: 'x' })).body.data).toEqual({ ...event, name: 'x' })
      await moveTo(own, 'Asia/Riyadh')
      const back = (await own.api.get(`/events/${id}`)).body.data
      expect([back.starts_at, back.ends_at]).toEqual([`${starts_at}:00+03:00`, `${ends_at}:00+03:00`])
    }
  })

  it('is the same instant when it is read, kept by a PATCH of the name, and sent back, in any zone and year', async () => {
    const own = await app.diwan.company()
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const old = fc.integer({ min: Date.UTC(1900, 0, 2), max: Date.UTC(1973) })
    const any = fc.integer({ min: Date.UTC(1900, 0, 2), max: Date.UTC(9999, 11, 31) - 1 })
    await fc.assert(
      fc.asyncProperty(zone, fc.oneof(old, any), async (time_zone, at) => {
        await moveTo(own, time_zone)
        const { id, starts_at } = await newEvent(own, toTimestamp(at))
        expect(await storedTimes(own, id)).toEqual({ starts: at, ends: at })
        for (const change of [{ name: 'x' }, { starts_at }, { ends_at: starts_at }]) {
          const { data } = (await own.api.patch(`/events/${id}`, change)).body
          expect([data.starts_at, data.ends_at]).toEqual([starts_at, starts_at])
          expect(await storedTimes(own, id)).toEqual({ starts: at, ends: at })
        }
        const bound = encodeURIComponent(starts_at)
        expect(await names(own, `from=${bound}&to=${bound}`)).toEqual(['x'])
        await own.api.delete(`/events/${id}`)
      }),
      { numRuns: 30 },
    )
  })
})
