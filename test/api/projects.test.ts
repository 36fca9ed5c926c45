import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
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
      { name: 'م'.repeat(255), description: '' },
      { name: '𐎠'.repeat(255), description: '🏗'.repeat(65_535) },
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

  it('is refused with what it cannot have, and not created', async () => {
    const own = await app.diwan.company()
    for (const [fields, message] of [
      [{ name: undefined }, /^name can't be blank$/],
      [{ name: null }, /^name can't be blank$/],
      [{ name: ' \t\n\u00a0\u3000\ufeff' }, /^name can't be blank$/],
      [{ name: 'x'.repeat(256) }, /^name is too long/],
      [{ name: '𐎠'.repeat(256) }, /^name is too long/],
      [{ name: ['x'] }, /^name must be a string/],
      [{ description: 5 }, /^description must be/],
      [{ description: 'x'.repeat(65_536) }, /^description is too long/],
      [{ is_public: 'true' }, /^is_public must be true or false/],
      [{ is_public: null }, /^is_public /],
      [{ start_date: '2026-02-03T00:00:00Z' }, /^start_date must be/],
      [{ start_date: 20260203 }, /^start_date must be/],
      [{ end_date: '2025-02-29' }, /^end_date must be/],
      [{ start_date: '2026-02-02', end_date: '2026-02-01' }, /^end_date .*start_date/],
    ] as const) {
      const answer = await own.api.post('/projects', { name: 'Valid', ...fields })
      expect([fields, ...refusal(answer)]).toEqual([fields, ...unprocessable(message)])
    }
    expect((await own.api.get('/projects')).body.meta.total).toBe(0)
  })
})

describe('PATCH of a project', () => {
  it('changes what was sent, clears on null, and compares the dates as they will be', async () => {
    const project = await app.diwan.project(company, full)
    for (const [change, expected] of [
      [undefined, {}],
      [{}, {}],
      [{ is_public: true }, { is_public: true }],
      [{ description: null }, { description: null }],
      [
        { start_date: '2027-01-01', end_date: '2027-01-01' },
        { start_date: '2027-01-01', end_date: '2027-01-01' },
      ],
      [
        { start_date: null, end_date: '2020-01-01' },
        { start_date: null, end_date: '2020-01-01' },
      ],
      [
        { start_date: '2030-01-01', end_date: null },
        { start_date: '2030-01-01', end_date: null },
      ],
    ] as const) {
      if (Object.keys(expected).length > 0) project.updated_at = INSTANT
      Object.assign(project, expected)
      const { status, body } = await company.api.patch(`/projects/${project.id}`, change)
      expect([change, status, body]).toEqual([change, 200, { data: project }])
    }
  })

  it('is refused with what a project cannot have, and changes nothing', async () => {
    const project = await app.diwan.project(company, full)
    for (const [change, message] of [
      [{ name: null }, /^name can't be blank/],
      [{ name: ' ' }, /^name can't be blank/],
      [{ is_public: null }, /^is_public /],
      [{ name: 'Good', start_date: 'bad' }, /^start_date must be/],
      [{ end_date: '2025-12-31' }, /^end_date .*start_date/],
      [{ start_date: '2027-01-01' }, /start_date/],
    ] as const) {
      const answer = await company.api.patch(`/projects/${project.id}`, change)
      expect([change, ...refusal(answer)]).toEqual([change, ...unprocessable(message)])
    }
    expect((await company.api.get(`/projects/${project.id}`)).body.data).toEqual(project)
  })
})

describe('The list of projects', () => {
  it('goes through all of them newest first, in pages whose limit and offset are read kindly', async () => {
    const many = await app.diwan.company()
    const newestFirst: string[] = []
    for (let n = 0; n < 12; n++) newestFirst.unshift((await app.diwan.project(many, { name: `P ${n}` })).id)
    for (const [query, limit, offset] of [
      ['', 50, 0],
      ['limit=1', 1, 0],
      ['limit=100', 100, 0],
      ['limit=101', 100, 0],
      ['limit=99999999999999999999', 100, 0],
      ['limit=0', 1, 0],
      ['limit=-5', 1, 0],
      ['limit=abc', 50, 0],
      ['limit=1.5', 50, 0],
      ['limit=1e1', 50, 0],
      ['limit=', 50, 0],
      ['limit=۷&offset=٣', 7, 3],
      ['offset=-1', 50, 0],
      ['offset=x', 50, 0],
      ['limit=5&offset=7', 5, 7],
      ['limit=5&offset=11', 5, 11],
      ['limit=5&offset=12', 5, 12],
    ] as const) {
      const { body } = await many.api.get(`/projects?${query}`)
      const expected = newestFirst.slice(offset, offset + limit)
      const next_cursor = offset + limit < 12 ? expect.any(String) : null
      expect([query, body.meta]).toEqual([query, { total: 12, limit, offset, count: expected.length, next_cursor }])
      expect([query, ids(body)]).toEqual([query, expected])
    }
    const { status, body } = await many.api.get(`/projects?offset=${'9'.repeat(30)}`)
    expect([status, body.data, body.meta.total, body.meta.count]).toEqual([200, [], 12, 0])
  })

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
  it('is soft: it and all in it are gone from every read at once, its slug is kept, and an administrator restores it whole', async () => {
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
    for (const address of addresses) expect([address, (await api.get(address)).status]).toEqual([address, 404])
    for (const write of [
      await api.patch(`/projects/${project.id}`, {}),
      await api.post(`/projects/${project.id}/archive`),
      await api.delete(`/projects/${project.id}`),
      await api.post(`/lists/${own.list.id}/tasks`, { title: 'Late' }),
      await api.post(`/tasks/${own.task.id}/complete`),
      await api.patch(`/tasks/${own.task.id}/comments/${comment.id}`, { content: 'Late' }),
      await api.post(`/discussions/${own.discussion.id}/comments`, { content: 'Late' }),
    ])
      expectRefusal(write, 404, 'not_found')
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
  it('freezes it until it is unarchived; doing either again changes nothing', async () => {
    const project = await app.diwan.project(company, full)
    const at = `/projects/${project.id}`
    const { status, body } = await company.api.post(`${at}/archive`)
    expect([status, body.data]).toEqual([200, { ...project, archived: true, updated_at: INSTANT }])
    expect((await company.api.post(`${at}/archive`)).body).toEqual(body)
    for (const answer of [await company.api.patch(at, {}), await company.api.delete(at)])
      expectRefusal(answer, 403, 'forbidden')
    expect((await company.api.get(at)).body).toEqual(body)
    const unarchived = await company.api.post(`${at}/unarchive`)
    expect([unarchived.status, unarchived.body.data]).toEqual([200, { ...project, updated_at: INSTANT }])
    expect((await company.api.post(`${at}/unarchive`)).body).toEqual(unarchived.body)
    expect((await company.api.patch(at, { name: 'Thawed' })).status).toBe(200)
  })
})

describe('A read-only subscription', () => {
  it('refuses every write, audited, and leaves every read', async () => {
    const own = await app.diwan.company()
    const project = await app.diwan.project(own)
    const at = `/projects/${project.id}`
    await app.diwan.operator.patch(`/companies/${own.id}`, { subscription: 'read_only' })
    const refused = [
      await own.api.post('/projects', { name: 'New' }),
      await own.api.patch(at, { name: 'New' }),
      await own.api.delete(at),
      await own.api.post(`${at}/archive`),
      await own.api.post('/company/tasks/batch', { changes: [{ task: 'tsk-0000000000', do: 'complete' }] }),
    ]
    for (const answer of refused) expectRefusal(answer, 403, 'forbidden', "The company's subscription is read-only.")
    const { body } = await own.admin.get('/audit?limit=5')
    const denied = body.data.map(({ outcome, status }: Record<string, unknown>) => [outcome, status])
    expect(denied).toEqual(Array(5).fill(['denied', 403]))
    for (const path of ['/me', '/projects', `${at}/members`]) expect((await own.api.get(path)).status).toBe(200)
    expect((await own.api.get(at)).body.data).toEqual(project)
    await app.diwan.operator.patch(`/companies/${own.id}`, { subscription: 'active' })
    await created(own.api.post('/projects', { name: 'New' }))
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
