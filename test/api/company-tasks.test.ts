import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { noonZone } from '../support/noon-zone.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let project: { id: string; slug: string }
let list: string
let omar: { id: number; email: string }
beforeAll(async () => {
  company = await app.diwan.company()
  project = await app.diwan.project(company, { name: 'Office move' })
  list = (await newList(company, project.id)).id
  omar = await app.diwan.person(company.id)
})

const titles = async (path: string, own = company): Promise<string[]> => {
  const { status, body } = await own.api.get(path)
  expect([path, status, body.error]).toEqual([path, 200, undefined])
  return body.data.map(({ title }: { title: string }) => title)
}

/** A company with a task for each of these, by its title. */
async function withTasks(tasks: Record<string, Record<string, unknown>>, settings: Record<string, unknown> = {}) {
  const own = await app.diwan.company(settings)
  const place = await newList(own, (await app.diwan.project(own, { name: 'Office' })).id)
  for (const [title, fields] of Object.entries(tasks)) await newTask(own, place.id, { title, ...fields })
  return own
}

describe('The tasks of a company', () => {
  it('of an archived project show when asked for, and when the project is named', async () => {
    const own = await app.diwan.company()
    const [open, archived] = [await app.diwan.project(own), await app.diwan.project(own, { name: 'Old' })]
    const done = await newTask(own, (await newList(own, open.id)).id, { title: 'Open' })
    await newTask(own, (await newList(own, archived.id)).id, { title: 'Archived' })
    await own.api.delete(`/tasks/${(await newTask(own, done.task_list_id)).id}`)
    await own.api.post(`/projects/${archived.id}/archive`)
    await own.api.post(`/tasks/${done.id}/complete`)
    for (const [query, ...expected] of [
      ['', 'Open'],
      ['?include_archived=false', 'Open'],
      ['?include_archived=1', 'Open', 'Archived'],
      ['?project=old', 'Archived'],
      ['?include_archived=1&completed=0', 'Archived'],
      // An unescaped + arrives as a space.
      ['?updated_since=2020-01-01T00:00+03:00', 'Open'],
    ])
      expect([query, ...(await titles(`/company/tasks${query}`, own))]).toEqual([query, ...expected])
    expect(await titles('/projects/old/tasks', own)).toEqual(['Archived'])
    expect((await own.api.get(`/company/tasks`)).body.data).toEqual([
      (await own.api.get(`/tasks/${done.id}`)).body.data,
    ])
  })

  it('of a project are found by its ref, its slug and a slug it had', async () => {
    const own = await app.diwan.company()
    const place = await app.diwan.project(own, { name: 'مشروع' })
    await newTask(own, (await newList(own, place.id)).id, { title: 'There' })
    await own.api.patch(`/projects/${place.id}`, { name: 'New' })
    for (const name of [place.id, 'new', encodeURIComponent('مشروع')])
      for (const path of [`/projects/${name}/tasks`, `/company/tasks?project=${name}`])
        expect(await titles(path, own)).toEqual(['There'])
  })
})

describe('A filter', () => {
  it('by person takes the address in any case, and adds up with nobody; of an address that nobody has, nothing', async () => {
    const own = await app.diwan.company()
    const place = await newList(own, (await app.diwan.project(own)).id)
    await newTask(own, place.id, { title: 'nobody' })
    await newTask(own, place.id, { title: 'of Layla', assignee_email: own.owner.email })
    const [layla, nobody] = [own.owner.email.toUpperCase(), 'nobody@example.com']
    for (const [query, ...expected] of [
      [`assignee_email=${layla}`, 'of Layla'],
      [`assignee_email=${layla}&assignee_email=${layla}&assignee_email=${nobody}`, 'of Layla'],
      [`assignee_email=${nobody}`],
      ['unassigned=true', 'nobody'],
      [`unassigned=true&assignee_email=${layla}`, 'nobody', 'of Layla'],
      ['unassigned=false', 'nobody', 'of Layla'],
    ])
      expect([query, ...(await titles(`/company/tasks?${query}`, own))]).toEqual([query, ...expected])
  })

  it('by due date includes both days, in any digits, and leaves out what has none', async () => {
    const own = await withTasks({ early: { due_at: '2027-01-01' }, late: { due_at: '2027-03-01' }, none: {} })
    for (const [query, ...expected] of [
      ['due_from=2027-01-01&due_to=2027-01-01', 'early'],
      ['due_to=%D9%A2%D9%A0%D9%A2%D9%A7-%D9%A0%D9%A2-%D9%A0%D9%A1', 'early'],
      ['due_from=0001-01-01', 'early', 'late'],
      ['due_to=1448-06-05'],
    ])
      expect([query, ...(await titles(`/company/tasks?${query}`, own))]).toEqual([query, ...expected])
  })

  it('by what is overdue finds what was due before today in the company zone and is open', async () => {
    // In a zone where it is noon and the same day as in UTC, so that midnight does not pass during the test.
    const settings = { time_zone: noonZone() }
    const today = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const own = await withTasks({ past: { due_at: today(-1) }, today: { due_at: today(0) }, none: {} }, settings)
    expect(await titles('/company/tasks?overdue=true', own)).toEqual(['past'])
    const [past] = (await own.api.get('/company/tasks?overdue=true')).body.data
    await own.api.post(`/tasks/${past.id}/complete`)
    expect(await titles('/company/tasks?overdue=true', own)).toEqual([])
    expect(await titles('/company/tasks?overdue=true&completed=true', own)).toEqual([])
    expect(await titles('/company/tasks?overdue=false', own)).toHaveLength(3)
  })

  it('that cannot be read is 422 and named, and only where the project is there', async () => {
    const foreign = await app.diwan.project(await app.diwan.company())
    for (const [name, value] of [
      ['unassigned', 'yes'],
      ['overdue', 'TRUE'],
      ['include_archived', '2'],
      ['due_from', '2027-02-30'],
      ['due_from', '20270101'],
      ['due_to', '2027-01-01T10:00'],
      ['updated_since', 'yesterday'],
      ['sort', 'toString'],
      ['project', 'missing'],
      ['project', foreign.id],
      ['assignee_email', '%00'],
    ] as const) {
      const problem = expect.stringMatching(new RegExp(`^${name} `))
      const paths = [`/company/tasks?${name}=${value}`, `/projects/${project.id}/tasks?${name}=${value}`]
      for (const path of ['project', 'include_archived'].includes(name) ? paths.slice(0, 1) : paths)
        expectRefusal(await company.api.get(path), 422, 'unprocessable_entity', problem)
      for (const missing of ['missing', foreign.id])
        expectRefusal(await company.api.get(`/projects/${missing}/tasks?sort=x&${name}=${value}`), 404, 'not_found')
    }
  })

  it('may be given 50 times, and not more', async () => {
    const query = (times: number) => `?${Array.from({ length: times }, () => `assignee_email=${omar.email}`).join('&')}`
    expect(await titles(`/company/tasks${query(50)}`)).toEqual([])
    const refused = await company.api.get(`/company/tasks${query(51)}`)
    expectRefusal(refused, 422, 'unprocessable_entity', 'assignee_email must not be given more than 50 times')
  })

  it('of the company alone is unknown to a project', async () => {
    await newTask(company, list)
    const { status, headers } = await company.api.get(
      `/projects/${project.slug}/tasks?project=x&include_archived=maybe`,
    )
    expect([status, headers.get('x-ignored-parameters')]).toEqual([200, 'project, include_archived'])
  })
})
