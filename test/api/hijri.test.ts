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
