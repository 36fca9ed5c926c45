import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'

const app = useApp()
let company: TestCompany
let list: { id: string }
let project: { id: string }
beforeAll(async () => {
  company = await app.diwan.company({ time_zone: 'Asia/Riyadh' })
  project = await app.diwan.project(company, { start_date: '2026-11-15', end_date: null })
  list = await newList(company, project.id)
})
const HIJRI = 'calendar=islamic-umalqura'

describe('A read with a calendar', () => {
  it('tells the days of each record a second time, in single answers and in lists', async () => {
    const { id } = await newTask(company, list.id, { due_at: '2026-11-15' })
    const { data } = (await company.api.get(`/tasks/${id}?${HIJRI}`)).body
    expect(data).toMatchObject({ due_at: '2026-11-15', hijri: { due_at: '1448-06-05' } })
    const listed = (await company.api.get(`/lists/${list.id}/tasks?${HIJRI}&limit=100`)).body.data
    expect(listed.find((task: { id: string }) => task.id === id).hijri).toEqual({ due_at: '1448-06-05' })
    const shown = (await company.api.get(`/projects/${project.id}?${HIJRI}`)).body.data
    expect(shown.hijri).toEqual({ start_date: '1448-06-05', end_date: null })
    expect((await company.api.get(`/projects?${HIJRI}`)).body.data[0].hijri).toEqual(shown.hijri)
  })

  it('tells the day of an event where the company is', async () => {
    const times = { starts_at: '2026-11-14T22:30:00Z', ends_at: '2026-11-15T22:30:00Z' }
    const { id } = (await company.api.post('/events', { name: 'Visit', ...times })).body.data
    const { data } = (await company.api.get(`/events/${id}?${HIJRI}`)).body
    expect(data.hijri).toEqual({ starts_at: '1448-06-05', ends_at: '1448-06-06' })
    const refused = await company.api.get('/events?calendar=lunar')
    expect([refused.status, refused.body.error.message]).toEqual([422, 'calendar must be islamic-umalqura'])
  })

  it('has nothing of it otherwise, passes over calendars that it does not know, and names the parameter where there are no days', async () => {
    const { id } = await newTask(company, list.id, { due_at: '2026-11-15' })
    expect((await company.api.get(`/tasks/${id}`)).body.data).not.toHaveProperty('hijri')
    const { status, body } = await company.api.get(`/tasks/${id}?calendar=lunar`)
    expect([status, body.data.hijri]).toEqual([200, undefined])
    expect((await company.api.get(`/tasks/${id}?${HIJRI}`)).headers.get('x-ignored-parameters')).toBe(null)
    expect((await company.api.get(`/me?${HIJRI}`)).headers.get('x-ignored-parameters')).toBe('calendar')
  })

  it('has null for a day that the calendar does not have', async () => {
    const { id } = await newTask(company, list.id, { due_at: '2500-01-01' })
    expect((await company.api.get(`/tasks/${id}?${HIJRI}`)).body.data.hijri).toEqual({ due_at: null })
  })
})

describe('A Hijri day', () => {
  it('is taken in the place of the Gregorian one, in any digits, and null clears it', async () => {
    const task = await newTask(company, list.id, { due_at_hijri: '١٤٤٨-٠٦-٠٥' })
    expect(task.due_at).toBe('2026-11-15')
    const changed = await company.api.patch(`/tasks/${task.id}`, { due_at_hijri: '1448-07-01' })
    expect(changed.body.data.due_at).toBe('2026-12-10')
    expect((await company.api.patch(`/tasks/${task.id}`, { due_at_hijri: null })).body.data.due_at).toBe(null)
    const dates = { start_date_hijri: '1448-01-01', end_date_hijri: '1448-12-01' }
    const made = (await company.api.post('/projects', { name: 'Hijri', ...dates })).body.data
    expect([made.start_date, made.end_date]).toEqual(['2026-06-16', '2027-05-07'])
  })

  it.each([
    [
      { due_at_hijri: '1448-06-31' },
      'due_at_hijri must be a day of the Umm al-Qura calendar from 1318 to 1600, such as 1448-06-05',
    ],
    [
      { due_at_hijri: '2026-11-15' },
      'due_at_hijri must be a day of the Umm al-Qura calendar from 1318 to 1600, such as 1448-06-05',
    ],
    [{ due_at_hijri: 14480605 }, 'due_at_hijri must be a string or null'],
    [{ due_at_hijri: '1448-06-05', due_at: '2026-11-15' }, "due_at_hijri can't be sent together with due_at"],
    [{ due_at_hijri: '1448-06-05', due_at: null }, "due_at_hijri can't be sent together with due_at"],
  ])('is 422 as %j', async (fields, message) => {
    const { status, body } = await company.api.post(`/lists/${list.id}/tasks`, { title: 'X', ...fields })
    expect([status, body.error.message]).toEqual([422, message])
  })

  it('obeys the rules of its sister', async () => {
    const dates = { start_date_hijri: '1448-12-01', end_date: '2026-01-01' }
    const { status, body } = await company.api.post('/projects', { name: 'Hijri', ...dates })
    expect([status, body.error.message]).toEqual([422, "end_date can't be before start_date"])
  })
})

describe('The second calendar of a company', () => {
  it('is null at first, set by leaders, shown, kept in the audit and of one kind', async () => {
    expect((await company.admin.get('')).body.data.second_calendar).toBe(null)
    const { status, body } = await company.admin.patch('', { second_calendar: 'islamic-umalqura' })
    expect([status, body.data.second_calendar]).toEqual([200, 'islamic-umalqura'])
    const [entry] = (await company.admin.get('/audit?limit=1')).body.data
    expect(entry.changes).toHaveProperty('second_calendar')
    expect((await company.admin.patch('', { second_calendar: 'lunar' })).status).toBe(422)
  })
})

describe('A filter', () => {
  it('by Hijri days means the same as by Gregorian ones, and makes the same cursors', async () => {
    const { id } = await newTask(company, list.id, { due_at: '2027-02-08' })
    await newTask(company, list.id, { due_at: '2027-02-08' })
    const ids = async (query: string) => {
      const { body } = await company.api.get(`/company/tasks?${query}`)
      return body.data.map((task: { id: string }) => task.id)
    }
    expect(await ids('due_from_hijri=1448-09-01&due_to_hijri=١٤٤٨-٠٩-٠١')).toContain(id)
    expect(await ids('due_from_hijri=1448-09-02')).not.toContain(id)
    expect(await ids('due_to_hijri=1448-08-29')).not.toContain(id)
    expect(await ids('updated_since_hijri=1600-01-01')).toEqual([])
    expect(await ids('completed_since_hijri=1448-01-01')).toEqual([])
    const { meta } = (await company.api.get('/company/tasks?due_from_hijri=1448-09-01&limit=1')).body
    expect(
      (await company.api.get(`/company/tasks?due_from=2027-02-08&limit=1&cursor=${meta.next_cursor}`)).status,
    ).toBe(200)
  })

  it('by Hijri days finds events, and entries of the audit', async () => {
    const times = { starts_at: '2027-02-08T10:00', ends_at: '2027-02-08T11:00' }
    const { id } = (await company.api.post('/events', { name: 'Ramadan', ...times })).body.data
    const found = async (query: string) =>
      (await company.api.get(`/events?${query}`)).body.data.map((event: { id: number }) => event.id)
    expect(await found('from_hijri=1448-09-01&to_hijri=1448-09-01')).toEqual([id])
    expect(await found('from_hijri=1448-09-02')).toEqual([])
    expect((await company.admin.get('/audit?from_hijri=1500-01-01')).body.data).toEqual([])
  })

  it.each([
    ['due_from_hijri=1448-13-01', 'due_from_hijri must be a day of the Umm al-Qura calendar from 1318 to 1600'],
    ['due_from_hijri=1700-01-01', 'due_from_hijri must be a day'],
    ['due_to_hijri=2027-02-08', 'due_to_hijri must be a day'],
    ['due_to_hijri=1448-9-1', 'due_to_hijri must be a day'],
    ['due_from=2027-01-01&due_from_hijri=1448-09-01', "due_from_hijri can't be sent together with due_from"],
    ['updated_since=2027-01-01&updated_since_hijri=1448-09-01', "can't be sent together with updated_since"],
  ])('%s is refused', async (query, message) => {
    const { status, body } = await company.api.get(`/company/tasks?${query}`)
    expect([status, body.error.message]).toEqual([422, expect.stringContaining(message)])
  })
})

describe('Direction marks around a date or a number', () => {
  const RLM = encodeURIComponent('\u200f')

  it('are no part of it, in a query', async () => {
    for (const query of [
      `due_from=${RLM}2027-02-08${RLM}`,
      `due_from_hijri=${RLM}1448${RLM}-09-01`,
      `updated_since=${RLM}2026-01-01`,
    ])
      expect((await company.api.get(`/company/tasks?${query}`)).status).toBe(200)
    expect((await company.api.get(`/company/tasks?limit=${RLM}٢`)).body.meta.limit).toBe(2)
    const events = await company.api.get(`/events?from=${RLM}2027-02-08T10:00`)
    expect(events.status).toBe(200)
  })

  it('are no part of it, in a body', async () => {
    const task = await newTask(company, list.id, { due_at: '\u200f2027-02-08\u200f' })
    expect(task.due_at).toBe('2027-02-08')
    const hijri = await newTask(company, list.id, { due_at_hijri: '\u061c١٤٤٨\u200f-٠٩\u200f-٠١' })
    expect(hijri.due_at).toBe('2027-02-08')
    const timed = await company.api.post(`/tasks/${task.id}/time`, { time_spent: '\u200f1:30' })
    expect(timed.body.data.time_spent_minutes).toBe(90)
    const times = { starts_at: '\u200f2027-02-08T10:00', ends_at: '\u20672027-02-08T11:00\u2069' }
    expect((await company.api.post('/events', { name: 'Marks', ...times })).status).toBe(201)
  })
})
