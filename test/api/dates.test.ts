import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { furnishWork, newTask, type Work } from '../support/factories.ts'
import { refusal, unprocessable } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan, { time_zone: 'Asia/Riyadh' })
  company = work.company
})

const OUTSIDE = 'must be a Gregorian date from 1900 to 9999'
const NO_DATE = 'must be a date that exists, written YYYY-MM-DD'
const NO_TIME = 'must be a time that exists, in ISO 8601'
const HIJRI = 'calendar=islamic-umalqura'
const NO_HIJRI = 'must be a day of the Umm al-Qura calendar from 1318 to 1600, such as 1448-06-05'

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

it('A date runs from 1900-01-01 to 9999-12-31, in any digits and between direction marks', async () => {
  const writers = {
    due_at: (due_at: string) => company.api.patch(`/tasks/${work.task.id}`, { due_at }),
    start_date: (start_date: string) => company.api.patch(`/projects/${work.project.id}`, { start_date }),
    end_date: (end_date: string) => company.api.post('/projects', { name: 'x', end_date }),
  }
  for (const [field, write] of Object.entries(writers)) {
    for (const [sent, shown] of [
      ['1900-01-01', '1900-01-01'],
      ['9999-12-31', '9999-12-31'],
      ['٢٠٢٧-٠٢-٠١', '2027-02-01'],
      ['\u200f2027-02-08\u200f', '2027-02-08'],
    ] as const)
      expect([field, (await write(sent)).body.data?.[field]]).toEqual([field, shown])
    for (const [sent, problem] of [
      ['1899-12-31', OUTSIDE],
      ['1448-06-05', `${OUTSIDE}; 1448 looks like a Hijri year`],
      ['2027-02-29', NO_DATE],
      ['9'.repeat(100_000), NO_DATE],
    ] as const)
      expect(refusal(await write(sent))).toEqual(unprocessable(`${field} ${problem}`))
  }
})

it('A window is moved to the edge of the years, and refused when it is too long to be a date', async () => {
  const own = await app.diwan.company({ time_zone: 'America/New_York' })
  const all = ['1900-01-01', '1900-01-02', '2027-06-01T10:00', '9999-12-30', '9999-12-31T23:59:59.999']
  for (const start of all) await newEvent(own, start)
  for (const [query, expected] of [
    ['from=0000-01-01T00:00:00%2B14:00', all],
    ['from=1900-01-01', all],
    ['from=1900-01-01T00:00:00.001', all.slice(1)],
    ['to=99991231', all],
    ['to=9999-12-31T23:59:59.9999999', all],
    ['to=9999-12-31T23:59:59.9999999Z', all.slice(0, 4)],
    ['from=20270601T1400+00&to=20270601T1700+0300', all.slice(2, 3)],
  ] as const)
    expect([query, await names(own, query)]).toEqual([query, expected])
  for (const text of ['T'.repeat(15_500), `2027-01-01${'+'.repeat(55)}`])
    for (const side of ['from', 'to'])
      expect(refusal(await own.api.get(`/events?${side}=${text}`))).toEqual(
        unprocessable(`${side} must be a date or a time that exists, in ISO 8601`),
      )
})

it('The expiry of a key is read in the company zone, and must lie in the future and within the years', async () => {
  const own = await app.diwan.company({ time_zone: 'America/New_York' })
  const [key] = (await own.admin.get('/keys')).body.data
  // In UTC that is the year 10000.
  for (const [sent, expires_at] of [
    ['٢٠٣١٠١٠١T١٠٠٠', '2031-01-01T15:00:00.000Z'],
    ['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.999Z'],
  ])
    expect((await own.admin.patch(`/keys/${key.id}`, { expires_at: sent })).body.data.expires_at).toBe(expires_at)
  expect((await own.api.get('/me')).status).toBe(200)
  for (const [expires_at, problem] of [
    ['1899-12-31', OUTSIDE],
    ['1900-01-01T00:00:00', "can't be in the past"],
    ['T'.repeat(65), NO_TIME],
  ] as const)
    for (const answer of [
      await own.admin.post('/keys', { name: 'x', access: 'read', expires_at }),
      await own.admin.patch(`/keys/${key.id}`, { expires_at }),
    ])
      expect(refusal(answer)).toEqual(unprocessable(`expires_at ${problem}`))
})

it('An instant comes from the database as it is there, to the millisecond, from year 1 to 10000', async () => {
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

describe('The time of an event', () => {
  it('is read in the forms of ISO 8601, and refused outside the years', async () => {
    for (const [sent, shown] of [
      ['20270101', '2027-01-01T00:00:00+03:00'],
      ['2027-01-01T10:00:00,25-03', '2027-01-01T16:00:00.25+03:00'],
      ['\u2067٢٠٢٧٠١٠١T١٠٠٠\u2069', '2027-01-01T10:00:00+03:00'],
    ] as const)
      expect([sent, (await newEvent(company, sent)).starts_at]).toEqual([sent, shown])
    const event = await newEvent(company, '2027-01-01')
    for (const [text, problem] of [
      ['1899-12-31T23:59:59.999', OUTSIDE],
      ['9999-12-31T23:59:59.9999999Z', OUTSIDE],
      ['1448-06-05T10:00', `${OUTSIDE}; 1448 looks like a Hijri year`],
      ['2027-01-01 10:00', NO_TIME],
    ] as const)
      for (const field of ['starts_at', 'ends_at'])
        for (const answer of [
          await company.api.post('/events', {
            name: 'x',
            starts_at: '2027-01-01',
            ends_at: '2027-01-01',
            [field]: text,
          }),
          await company.api.patch(`/events/${event.id}`, { [field]: text }),
        ])
          expect([text, ...refusal(answer)]).toEqual([text, ...unprocessable(`${field} ${problem}`)])
  })

  /** East and west of UTC, with whole hours and with offsets that had seconds until 1947 and 1972. */
  const ZONES = ['Asia/Riyadh', 'Africa/Monrovia', 'America/New_York', 'Pacific/Kiritimati']

  it('reaches from the first to the last moment of the years, and stays when it is read, kept or sent back', async () => {
    for (const time_zone of ZONES) {
      const own = await app.diwan.company({ time_zone })
      for (const [sent, start] of [
        ['1900-01-01T00:00', '1900-01-01T00:00:00'],
        ['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.999'],
      ] as const) {
        const { id, starts_at } = await newEvent(own, sent)
        expect([time_zone, starts_at.slice(0, -6)]).toEqual([time_zone, start])
        const before = await storedTimes(own, id)
        for (const change of [{ name: 'x' }, { starts_at, ends_at: starts_at }, { ends_at: starts_at }]) {
          const { status, body } = await own.api.patch(`/events/${id}`, change)
          expect([status, body.data.starts_at, body.data.ends_at]).toEqual([200, starts_at, starts_at])
          expect([time_zone, change, await storedTimes(own, id)]).toEqual([time_zone, change, before])
        }
      }
    }
  })

  it('at either edge does not keep the company from moving, is never shown in another year, and can be changed there', async () => {
    const own = await app.diwan.company({ time_zone: 'America/New_York' })
    const late = await newEvent(own, '9999-12-31T23:59:59')
    for (const text of ['1900-01-01', '9999-12-31']) await newEvent(own, text, { all_day: true })
    for (const zone of ZONES) {
      await moveTo(own, zone)
      const events: { name: string; starts_at: string; all_day: boolean }[] = (
        await own.api.get('/events?include_past=1')
      ).body.data
      expect(events).toHaveLength(3)
      for (const { name, starts_at } of events)
        expect([zone, starts_at.slice(0, 10)]).toEqual([zone, name.slice(0, 10)])
      // The windows match the times that are shown.
      expect(await names(own, 'to=1900-01-01')).toHaveLength(1)
      expect(await names(own, 'from=9999-12-31')).toHaveLength(2)
    }
    await moveTo(own, 'Asia/Riyadh')
    const edge = '9999-12-31T23:59:59.999+03:00'
    const stored = await storedTimes(own, late.id)
    const renamed = (await own.api.patch(`/events/${late.id}`, { name: 'x' })).body.data
    expect([renamed.starts_at, renamed.ends_at, await storedTimes(own, late.id)]).toEqual([edge, edge, stored])
    for (const change of [{ ends_at: edge }, { all_day: true }, { all_day: false }, { starts_at: '2027-01-01' }])
      expect((await own.api.patch(`/events/${late.id}`, change)).status).toBe(200)
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
})

describe('The Hijri calendar', () => {
  it('tells the days of each record a second time, in single answers and in lists, where it is asked for', async () => {
    const { api } = company
    const project = await app.diwan.project(company, { start_date: '2026-11-15', end_date: null })
    const { id } = await newTask(company, work.list.id, { due_at: '2026-11-15' })
    const times = { starts_at: '2026-11-14T22:30:00Z', ends_at: '2026-11-15T22:30:00Z' }
    const event = (await created(api.post('/events', { name: 'Visit', ...times }))).data
    const far = await newTask(company, work.list.id, { due_at: '2500-01-01' })
    for (const [path, hijri] of [
      [`/tasks/${id}`, { due_at: '1448-06-05' }],
      // The calendar does not have that day.
      [`/tasks/${far.id}`, { due_at: null }],
      [`/projects/${project.id}`, { start_date: '1448-06-05', end_date: null }],
      [`/events/${event.id}`, { starts_at: '1448-06-05', ends_at: '1448-06-06' }],
    ] as const) {
      const { body, headers } = await api.get(`${path}?${HIJRI}`)
      expect([path, body.data.hijri, headers.get('x-ignored-parameters')]).toEqual([path, hijri, null])
      expect((await api.get(path)).body.data).not.toHaveProperty('hijri')
    }
    const listed = (await api.get(`/lists/${work.list.id}/tasks?${HIJRI}&limit=100`)).body.data
    expect(listed.find((task: { id: string }) => task.id === id).hijri).toEqual({ due_at: '1448-06-05' })
    expect((await api.get(`/projects?${HIJRI}`)).body.data[0].hijri).toEqual({
      start_date: '1448-06-05',
      end_date: null,
    })

    // A calendar that nobody knows is passed over, and refused where the query is strict.
    const other = await api.get(`/tasks/${id}?calendar=lunar`)
    expect([other.status, other.body.data.hijri]).toEqual([200, undefined])
    const strict = unprocessable('calendar must be islamic-umalqura')
    expect(refusal(await api.get('/events?calendar=lunar'))).toEqual(strict)
    expect((await api.get(`/me?${HIJRI}`)).headers.get('x-ignored-parameters')).toBe('calendar')
  })

  it('is taken in the place of the Gregorian one, in any digits, and null clears it', async () => {
    const task = await newTask(company, work.list.id, { due_at_hijri: '\u061c١٤٤٨\u200f-٠٦\u200f-٠٥' })
    expect(task.due_at).toBe('2026-11-15')
    for (const [due_at_hijri, due_at] of [
      ['1448-07-01', '2026-12-10'],
      [null, null],
    ])
      expect((await company.api.patch(`/tasks/${task.id}`, { due_at_hijri })).body.data.due_at).toBe(due_at)
    const dates = { start_date_hijri: '1448-01-01', end_date_hijri: '1448-12-01' }
    expect(await app.diwan.project(company, dates)).toMatchObject({ start_date: '2026-06-16', end_date: '2027-05-07' })
    for (const [path, fields, message] of [
      ['tasks', { due_at_hijri: '1448-06-31' }, `due_at_hijri ${NO_HIJRI}`],
      ['tasks', { due_at_hijri: 14480605 }, 'due_at_hijri must be a string or null'],
      ['tasks', { due_at_hijri: '1448-06-05', due_at: null }, "due_at_hijri can't be sent together with due_at"],
      ['projects', { start_date_hijri: '1448-12-01', end_date: '2026-01-01' }, "end_date can't be before start_date"],
    ] as const) {
      const address = path === 'tasks' ? `/lists/${work.list.id}/tasks` : '/projects'
      const answer = await company.api.post(address, { title: 'X', name: 'X', ...fields })
      expect([fields, ...refusal(answer)]).toEqual([fields, ...unprocessable(message)])
    }
  })

  it('in a filter means the same as the Gregorian days, and makes the same cursors', async () => {
    const { id } = await newTask(company, work.list.id, { due_at: '2027-02-08' })
    await newTask(company, work.list.id, { due_at: '2027-02-08' })
    const get = (query: string) => company.api.get(`/company/tasks?${query}`)
    for (const [query, isFound] of [
      ['due_from_hijri=1448-09-01&due_to_hijri=١٤٤٨-٠٩-٠١', true],
      [`due_from_hijri=${encodeURIComponent('\u200f')}1448-09-01`, true],
      ['due_from_hijri=1448-09-02', false],
      ['due_to_hijri=1448-08-29', false],
      ['updated_since_hijri=1600-01-01', false],
      ['completed_since_hijri=1448-01-01', false],
    ] as const) {
      const ids = (await get(query)).body.data.map((task: { id: string }) => task.id)
      expect([query, ids.includes(id)]).toEqual([query, isFound])
    }
    const { meta } = (await get('due_from_hijri=1448-09-01&limit=1')).body
    expect((await get(`due_from=2027-02-08&limit=1&cursor=${meta.next_cursor}`)).status).toBe(200)

    await newEvent(company, '2027-02-08T10:00')
    expect(await names(company, 'from_hijri=1448-09-01&to_hijri=1448-09-01')).toEqual(['2027-02-08T10:00'])
    expect(await names(company, 'from_hijri=1448-09-02')).toEqual([])
    expect((await company.admin.get('/audit?from_hijri=1500-01-01')).body.data).toEqual([])

    for (const [query, message] of [
      ['due_from_hijri=1448-13-01', /^due_from_hijri must be a day of the Umm al-Qura calendar/],
      ['due_to_hijri=1448-9-1', /^due_to_hijri must be a day/],
      ['due_from=2027-01-01&due_from_hijri=1448-09-01', /^due_from_hijri can't be sent together with due_from$/],
    ] as const)
      expect([query, ...refusal(await get(query))]).toEqual([query, ...unprocessable(message)])
  })
})
