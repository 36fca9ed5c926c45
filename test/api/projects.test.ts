import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { furnishWork, INSTANT, newComment, newLink } from '../support/factories.ts'
import { expectRefusal, refusal, unprocessable } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
beforeAll(async () => {
  company = await app.diwan.company()
})

/** A project with every field that can be set. */
const full = {
  name: 'Full',
  description: 'All of it',
  is_public: false,
  start_date: '2026-01-01',
  end_date: '2026-12-31',
}
const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)

describe('A project', () => {
  it('is created from a name alone with 201 and the defaults, and shown whole when it is read, without its slug in the list', async () => {
    const own = await app.diwan.company()
    const empty = { data: [], meta: { total: 0, limit: 50, offset: 0, count: 0, next_cursor: null } }
    expect((await own.api.get('/projects')).body).toEqual(empty)
    const { status, body } = await own.api.post('/projects', { name: 'Riyadh office' })
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^prj-[0-9a-hjkmnp-tv-z]{10}$/),
        slug: 'riyadh-office',
        name: 'Riyadh office',
        description: null,
        is_public: true,
        archived: false,
        start_date: null,
        end_date: null,
        task_lists_count: 0,
        tasks_count: 0,
        external_id: null,
        metadata: {},
        created_at: INSTANT,
        updated_at: body.data.created_at,
      },
    ])
    expect((await own.api.get(`/projects/${body.data.id}`)).body).toEqual(body)
    const { slug, ...listed } = body.data
    const meta = { total: 1, limit: 50, offset: 0, count: 1, next_cursor: null }
    expect((await own.api.get('/projects')).body).toEqual({ data: [listed], meta })
  })

  it('keeps every field it is given, up to its limits, and any text exactly', async () => {
    for (const fields of [
      full,
      { name: 'م', description: '🏗'.repeat(65_535) },
      { start_date: '2026-02-02', end_date: '2026-02-02' },
      { start_date: null, end_date: '1900-01-01', description: null },
      ...[
        '  Cafe\u0301 and Caf\u00e9, tab\tnewline\nreturn\r\n  ',
        '\u202bمَشْروعُ الرِّيـاض\u202c ٢٠٢٦ 👩🏽‍💻',
        '<b>&amp;</b> "quotes" \'single\' \\u0041 %20 $x',
        "'; drop table projects; --",
        '\ufeffmark \u200b\u00ad\u2028\ufffd\uffff ﷺ',
      ].map(text => ({ name: text, description: text })),
    ]) {
      const project = await app.diwan.project(company, fields)
      expect(project).toMatchObject(fields)
      expect((await company.api.get(`/projects/${project.id}`)).body.data).toEqual(project)
    }
  })

  it('never ends before it starts: not as created, nor with the dates that a change leaves as they are', async () => {
    const own = await app.diwan.company()
    const message = /^end_date .*start_date/
    const backwards = { name: 'x', start_date: '2026-02-02', end_date: '2026-02-01' }
    expect(refusal(await own.api.post('/projects', backwards))).toEqual(unprocessable(message))
    expect((await own.api.get('/projects')).body.meta.total).toBe(0)
    const project = await app.diwan.project(own, full)
    for (const change of [{ end_date: '2025-12-31' }, { start_date: '2027-01-01', name: 'New' }])
      expect(refusal(await own.api.patch(`/projects/${project.id}`, change))).toEqual(unprocessable(/start_date/))
    expect((await own.api.get(`/projects/${project.id}`)).body.data).toEqual(project)
    for (const change of [
      { start_date: '2027-01-01', end_date: '2027-01-01' },
      { start_date: null, end_date: '2020-01-01' },
      { start_date: '2030-01-01', end_date: null },
    ])
      expect((await own.api.patch(`/projects/${project.id}`, change)).body.data).toMatchObject(change)
  })
})

describe('The list of projects', () => {
  it('leaves archived projects out of data and total unless include_archived is true or 1', async () => {
    const own = await app.diwan.company()
    const [first, second] = [await app.diwan.project(own), await app.diwan.project(own)]
    await own.api.post(`/projects/${second.id}/archive`)
    for (const [query, expected] of [
      ['include_archived=true', [second.id, first.id]],
      ['include_archived=1', [second.id, first.id]],
      ['', [first.id]],
      ['include_archived=false', [first.id]],
      ['include_archived=yes', [first.id]],
    ]) {
      const { body } = await own.api.get(`/projects?${query}`)
      expect([query, ids(body), body.meta.total]).toEqual([query, expected, expected?.length])
    }
  })
})

describe('Deleting a project', () => {
  it('is soft: its slug is kept, and an administrator restores it whole, with all that is in it', async () => {
    const own = await furnishWork(app.diwan)
    const { api, admin, owner } = own.company
    const { project } = own
    const comment = await newComment(own.company, `/tasks/${own.task.id}`)
    const file = await newLink(own.company, project.id)
    const { data: renamed } = (await api.patch(`/projects/${project.id}`, { name: 'New name' })).body
    const addresses = [
      ...[project.id, 'new-name', encodeURIComponent(project.slug)].map(handle => `/projects/${handle}`),
      `/projects/${project.id}/members`,
      `/projects/${project.id}/lists`,
      `/projects/${project.id}/files/${file.ref}`,
      `/lists/${own.list.id}`,
      `/lists/${own.list.id}/tasks`,
      `/tasks/${own.task.id}`,
      `/tasks/${own.task.id}/comments/${comment.id}`,
      `/discussions/${own.discussion.id}`,
    ]
    const read = () => Promise.all(addresses.map(async address => (await api.get(address)).body.data))
    const before = await read()

    const answer = await api.delete(`/projects/${project.id}`)
    const deleted = { name: 'New name', id: project.id, slug: 'new-name' }
    expect([answer.status, answer.body]).toEqual([
      200,
      { data: { deleted: true, recoverable: true, project: deleted } },
    ])
    expect((await api.get('/projects?include_archived=true')).body.meta.total).toBe(0)
    expect((await app.diwan.project(own.company, { name: 'New name' })).slug).toBe('new-name-2')

    const trashed = { type: 'project', id: project.id, title: 'New name', deleted_at: INSTANT, deleted_by: owner.name }
    expect((await admin.get('/trash')).body.data).toEqual([trashed])
    const restored = await admin.post(`/trash/${project.id}/restore`)
    expect([restored.status, restored.body.data]).toEqual([200, renamed])
    expect(await read()).toEqual(before)
    expect((await admin.get('/trash')).body.meta.total).toBe(0)
    expectRefusal(await admin.post(`/trash/${project.id}/restore`), 404, 'not_found')
  })
})

describe('Archiving a project', () => {
  it('shows it, as does unarchiving it; doing either again changes nothing', async () => {
    const project = await app.diwan.project(company, full)
    const at = `/projects/${project.id}`
    const { status, body } = await company.api.post(`${at}/archive`)
    expect([status, body.data]).toEqual([200, { ...project, archived: true, updated_at: INSTANT }])
    expect((await company.api.post(`${at}/archive`)).body).toEqual(body)
    expect((await company.api.get(at)).body).toEqual(body)
    const unarchived = await company.api.post(`${at}/unarchive`)
    expect([unarchived.status, unarchived.body.data]).toEqual([200, { ...project, updated_at: INSTANT }])
    expect((await company.api.post(`${at}/unarchive`)).body).toEqual(unarchived.body)
  })
})

describe('GET /me', () => {
  it('names the key, its exact operations, rights and end, the company and the creator, and nothing else', async () => {
    const own = await app.diwan.company({ name: 'شركة نجد' })
    const key = {
      name: 'Reporting',
      access: 'read',
      operations: ['account:read'],
      rights: ['manage_files'],
      expires_at: '2099-01-01T00:00:00.000Z',
    }
    const { status, body } = await app.diwan.api(await app.diwan.key(own.id, key)).get('/me')
    const created_by = { name: own.owner.name, email: own.owner.email }
    expect([status, body]).toEqual([200, { data: { key, company: { name: 'شركة نجد', sandbox: false }, created_by } }])
    expect((await own.api.get('/me')).body.data.key).toMatchObject({ expires_at: null })
  })
})
