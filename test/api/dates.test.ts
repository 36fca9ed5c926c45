import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { furnishWork, type Work } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  company = work.company
})

const OUTSIDE = 'must be a Gregorian date from 1900 to 9999'

const newEvent = async ({ api }: TestCompany, starts_at: string, fields: Record<string, unknown> = {}) =>
  (await created(api.post('/events', { name: starts_at, starts_at, ends_at: starts_at, ...fields }))).data
const names = async ({ api }: TestCompany, query: string) =>
  (await api.get(`/events?${query}`)).body.data.map(({ name }: { name: string }) => name)

describe('A date', () => {
  const writers = {
    due_at: (due_at: string) => company.api.patch(`/tasks/${work.task.id}`, { due_at }),
    start_date: (start_date: string) => company.api.patch(`/projects/${work.project.id}`, { start_date }),
    end_date: (end_date: string) => company.api.post('/projects', { name: 'x', end_date }),
  }

  it.each(Object.entries(writers))('as %s runs from 1900-01-01 to 9999-12-31', async (field, write) => {
    for (const date of ['1900-01-01', '9999-12-31']) {
      const { status, body } = await write(date)
      expect([status < 300, body.data[field]]).toEqual([true, date])
    }
    for (const [date, hint] of [
      ['0001-01-01', ''],
      ['0000-01-01', ''],
      ['1899-12-31', ''],
      ['1299-01-01', ''],
      ['1601-01-01', ''],
      ['1448-06-05', '; 1448 looks like a Hijri year'],
      ['1448-02-30', '; 1448 looks like a Hijri year'],
      ['١٤٤٨-٠٦-٠٥', '; 1448 looks like a Hijri year'],
    ])
      expectRefusal(await write(date as string), 422, 'unprocessable_entity', `${field} ${OUTSIDE}${hint}`)
    for (const text of ['20270101', '2027-02-29', '10000-01-01', '9'.repeat(100_000)])
      expectRefusal(
        await write(text),
        422,
        'unprocessable_entity',
        `${field} must be a date that exists, written YYYY-MM-DD`,
      )
  })
})

describe('A window', () => {
  let own: TestCompany
  const all = ['1900-01-01', '1900-01-02', '2027-06-01T10:00', '9999-12-30', '9999-12-31T23:59:59.999']
  beforeAll(async () => {
    own = await app.diwan.company({ time_zone: 'America/New_York' })
    for (const start of all) await newEvent(own, start)
  })

  it.each([
    ['from=0001-01-01', all],
    ['from=0001-01-01T00:00:00', all],
    ['from=0001-01-01T00:00:00.0000000Z', all],
    ['from=0000-01-01', all],
    ['from=0000-01-01T00:00:00%2B14:00', all],
    ['from=1448-06-05', all],
    ['from=1900-01-01', all],
    ['from=1900-01-01T00:00:00.001', all.slice(1)],
    ['to=9999-12-31', all],
    ['to=99991231', all],
    ['to=9999-12-31T23:59:59.9999999', all],
    ['to=9999-12-31T23:59:59.9999999Z', all.slice(0, 4)],
    ['to=9999-12-31T23:59:59-23:59', all],
    ['to=9999-12-31T20:00', all.slice(0, 4)],
    ['from=0001-01-01&to=9999-12-31', all],
    ['from=0001-01-01T00:00:00&to=9999-12-31T23:59:59.9999999', all],
    // Clamped to the limits: the first day, the first moment, the last moment.
    ['to=0001-01-01', all.slice(0, 1)],
    ['to=0001-01-01T00:00:00', all.slice(0, 1)],
    ['from=9999-12-31', all.slice(4)],
    ['from=9999-12-31T23:59:59.9999999', all.slice(4)],
    ['from=9999-12-31T23:59:59-23:59', all.slice(4)],
    ['from=20270601T1000&to=20270601T140000Z', all.slice(2, 3)],
    ['from=20270601&to=20270601', all.slice(2, 3)],
    // An unescaped + arrives as a space.
    ['from=2027-06-01T14:00+00&to=2027-06-01T17:00+03', all.slice(2, 3)],
    ['from=20270601T1400+00&to=20270601T1700+0300', all.slice(2, 3)],
  ])('with %s has %j', async (query, expected) => {
    expect(await names(own, query)).toEqual(expected)
  })

  it('is refused for what is too long to be a date', async () => {
    for (const text of [
      'T'.repeat(15_500),
      `${'T'.repeat(15_000)} 03:00`,
      '+'.repeat(15_500),
      `2027-01-01${'+'.repeat(55)}`,
    ])
      for (const side of ['from', 'to']) {
        const answer = await own.api.get(`/events?${side}=${text}`)
        expectRefusal(answer, 422, 'unprocessable_entity', `${side} must be a date or a time that exists, in ISO 8601`)
      }
  })
})

describe('The expiry of a key', () => {
  it.each([
    ['Asia/Riyadh', '9999-12-31T23:59:59.9999999', '9999-12-31T20:59:59.999Z'],
    // In UTC that is the year 10000.
    ['America/New_York', '9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.999Z'],
    ['America/New_York', '9999-12-31', '9999-12-31T05:00:00.000Z'],
    ['Asia/Riyadh', '٢٠٣١٠١٠١T١٠٠٠+03', '2031-01-01T07:00:00.000Z'],
  ])('in %s sent as %s is %s', async (time_zone, sent, expires_at) => {
    const own = await app.diwan.company({ time_zone })
    const [key] = (await own.admin.get('/keys')).body.data
    expect((await own.admin.patch(`/keys/${key.id}`, { expires_at: sent })).body.data.expires_at).toBe(expires_at)
    for (let call = 0; call < 2; call++) expect((await own.api.get('/me')).status).toBe(200)
  })

  it.each([
    ['0001-01-01T00:00:00', OUTSIDE],
    ['1899-12-31', OUTSIDE],
    ['1900-01-01T00:00:00', "can't be in the past"],
    ['9999-12-31T23:59:59Z', OUTSIDE],
    ['1448-06-05T00:00', `${OUTSIDE}; 1448 looks like a Hijri year`],
    ['T'.repeat(65), 'must be a time that exists, in ISO 8601'],
  ])('%s is refused: %s', async (expires_at, problem) => {
    const [key] = (await company.admin.get('/keys')).body.data
    const answers = [
      await company.admin.post('/keys', { name: 'x', access: 'read', expires_at }),
      await company.admin.patch(`/keys/${key.id}`, { expires_at }),
    ]
    for (const answer of answers) expectRefusal(answer, 422, 'unprocessable_entity', `expires_at ${problem}`)
  })
})

describe('An instant', () => {
  it('comes from the database as it is there, to the millisecond, from year 1 to 10000', async () => {
    const years = fc.integer({ min: Date.parse('0001-01-01T00:00:00Z'), max: Date.UTC(10_001) })
    await fc.assert(
      fc.asyncProperty(fc.array(years, { minLength: 50, maxLength: 50 }), async instants => {
        const rows = await app.database.db.many<{ at: string }>(sql`
          select (timestamp 'epoch' + ms / 86400000 * interval '1 day' + ms % 86400000 * interval '1 millisecond')
            at time zone 'UTC' as at
          from unnest(${instants}::bigint[]) with ordinality as sent (ms, n) order by n`)
        expect(rows.map(({ at }) => Date.parse(at))).toEqual(instants)
      }),
      { numRuns: 10 },
    )
  })
})
