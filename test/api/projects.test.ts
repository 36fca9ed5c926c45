import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
beforeAll(async () => {
  company = await app.diwan.company()
})

const UTC = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const REF = expect.stringMatching(/^prj-[0-9a-hjkmnp-tv-z]{10}$/)

/** A project with every field that can be set. */
const full = {
  name: 'Full',
  description: 'All of it',
  is_public: false,
  start_date: '2026-01-01',
  end_date: '2026-12-31',
}
const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)

describe('Creating a project', () => {
  it('with a name alone answers 201 with the defaults, the list shape plus slug and nothing else', async () => {
    const { status, body } = await company.api.post('/projects', { name: 'Riyadh office' })
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: REF,
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
        created_at: UTC,
        updated_at: body.data.created_at,
      },
    })
    expect((await company.api.get(`/projects/${body.data.id}`)).body).toEqual(body)
  })

  it('keeps every field it is given, and answers get and update in the same shape', async () => {
    const project = await app.diwan.project(company, full)
    expect(project).toMatchObject(full)
    expect((await company.api.get(`/projects/${project.id}`)).body.data).toEqual(project)
    const updated = (await company.api.patch(`/projects/${project.id}`, { is_public: true })).body.data
    expect(updated).toEqual({ ...project, is_public: true, updated_at: UTC })
  })

  it.each<[string, object, RegExp]>([
    ['a missing name', { name: undefined }, /^name can't be blank$/],
    ['a null name', { name: null }, /^name can't be blank$/],
    ['an empty name', { name: '' }, /^name can't be blank$/],
    ['a name of spaces', { name: ' \t\n\u00a0\u3000\ufeff' }, /^name can't be blank$/],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, /^name is too long/],
    ['a name of 256 characters beyond the plane', { name: '𐎠'.repeat(256) }, /^name is too long/],
    ['a number as name', { name: 5 }, /^name must be a string/],
    ['a list as name', { name: ['x'] }, /^name must be a string/],
    ['a number as description', { description: 5 }, /^description must be/],
    ['a description of 65,536 characters', { description: 'x'.repeat(65_536) }, /^description is too long/],
    ['a word as is_public', { is_public: 'true' }, /^is_public must be true or false/],
    ['1 as is_public', { is_public: 1 }, /^is_public must be true or false/],
    ['a null is_public', { is_public: null }, /^is_public /],
    ...[
      '2026-02-30',
      '2026-2-3',
      '2026-02-03T00:00:00Z',
      '03-02-2026',
      '0000-01-01',
      'today',
      '',
      ' 2026-02-03',
      20260203,
      true,
    ].map(
      start_date =>
        [`${JSON.stringify(start_date)} as start_date`, { start_date }, /^start_date must be/] as [
          string,
          object,
          RegExp,
        ],
    ),
    ['a day that does not exist as end_date', { end_date: '2025-02-29' }, /^end_date must be/],
    ['an end before the start', { start_date: '2026-02-02', end_date: '2026-02-01' }, /^end_date .*start_date/],
  ])('is 422 with %s, and creates nothing', async (_, fields, message) => {
    const own = await app.diwan.company()
    const answer = await own.api.post('/projects', { name: 'Valid', ...fields })
    expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(message))
    expect((await own.api.get('/projects')).body.meta.total).toBe(0)
  })

  it.each<[string, Record<string, unknown>]>([
    ['a name of 255 characters', { name: 'م'.repeat(255) }],
    ['a name of 255 characters beyond the plane', { name: '𐎠'.repeat(255) }],
    ['a description of 65,535 characters', { description: '🏗'.repeat(65_535) }],
    ['an empty description', { description: '' }],
    ['a start and end on one day', { start_date: '2026-02-02', end_date: '2026-02-02' }],
    ['an end without a start', { end_date: '1900-01-01' }],
    ['a start without an end', { start_date: '9999-12-31' }],
    ['nulls', { description: null, start_date: null, end_date: null }],
  ])('takes %s', async (_, fields) => {
    expect(await app.diwan.project(company, fields)).toMatchObject(fields)
  })

  it.each(['٢٠٢٦-٠٢-٠٣', '۲۰۲۶-۰۲-۰۳'])('reads the date %s', async date => {
    const project = await app.diwan.project(company, { start_date: date, end_date: date })
    expect([project.start_date, project.end_date]).toEqual(['2026-02-03', '2026-02-03'])
  })

  it.each([
    '  Spaces around  ',
    'Cafe\u0301 and Caf\u00e9',
    'Tab\tnewline\nreturn\r\n',
    '\u202bمَشْروعُ الرِّيـاض\u202c ٢٠٢٦',
    '👩🏽‍💻 and 🇸🇦',
    '<b>&amp;</b> "quotes" \'single\' \\u0041 %20 $x',
    "'; drop table projects; --",
    '\ufeffmark \u200b\u00ad\u2028\ufffd\uffff',
    'ﷺ ㎏ Å',
  ])('gives the text %j back exactly', async text => {
    const project = await app.diwan.project(company, { name: text, description: text })
    expect([project.name, project.description]).toEqual([text, text])
    const { data } = (await company.api.get(`/projects/${project.id}`)).body
    expect([data.name, data.description]).toEqual([text, text])
  })
})

describe('Updating a project', () => {
  it.each<[string, object | undefined]>([
    ['no body', undefined],
    ['an empty object', {}],
    ['unknown fields', { archived: true, id: 'prj-0123456789', slug: 'x', created_at: null, tasks_count: 9 }],
  ])('with %s changes nothing and answers 200', async (_, body) => {
    const project = await app.diwan.project(company, full)
    const answer = await company.api.patch(`/projects/${project.id}`, body)
    expect([answer.status, answer.body]).toEqual([200, { data: project }])
    expect((await company.api.get(`/projects/${project.id}`)).body.data).toEqual(project)
  })

  it.each(['description', 'start_date', 'end_date'])('clears %s by null and leaves the rest', async field => {
    const project = await app.diwan.project(company, full)
    const { status, body } = await company.api.patch(`/projects/${project.id}`, { [field]: null })
    expect([status, body.data]).toEqual([200, { ...project, [field]: null, updated_at: UTC }])
    expect(Date.parse(body.data.updated_at)).toBeGreaterThanOrEqual(Date.parse(project.updated_at))
  })

  it.each<[object, RegExp]>([
    [{ name: null }, /^name can't be blank/],
    [{ name: ' ' }, /^name can't be blank/],
    [{ is_public: null }, /^is_public /],
    [{ name: 'Good', start_date: 'bad' }, /^start_date must be/],
    [{ end_date: '2025-12-31' }, /^end_date .*start_date/],
    [{ start_date: '2027-01-01' }, /start_date/],
    [{ start_date: '2026-05-02', end_date: '2026-05-01' }, /^end_date .*start_date/],
  ])('is 422 with %j, and changes nothing', async (changes, message) => {
    const project = await app.diwan.project(company, full)
    const answer = await company.api.patch(`/projects/${project.id}`, changes)
    expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(message))
    expect((await company.api.get(`/projects/${project.id}`)).body.data).toEqual(project)
  })

  it.each<[object]>([
    [{ start_date: '2027-01-01', end_date: '2027-01-01' }],
    [{ start_date: null, end_date: '2020-01-01' }],
    [{ start_date: '2030-01-01', end_date: null }],
  ])('compares the dates as they will be: %j', async changes => {
    const project = await app.diwan.project(company, full)
    expect((await company.api.patch(`/projects/${project.id}`, changes)).body.data).toMatchObject(changes)
  })
})

describe('Writers at the same moment', () => {
  it('cannot together leave an end before the start, though each alone would be right', async () => {
    const projects = await Promise.all(Array.from({ length: 20 }, () => app.diwan.project(company, full)))
    const changes = [{ start_date: '2026-08-01' }, { end_date: '2026-06-01' }]
    for (const { id } of projects) {
      const answers = await Promise.all(changes.map(change => company.api.patch(`/projects/${id}`, change)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    }
  })

  it('delete a project once: one is told so, the others do not find it', async () => {
    for (let n = 0; n < 5; n++) {
      const { id } = await app.diwan.project(company)
      const answers = await Promise.all(Array.from({ length: 6 }, () => company.api.delete(`/projects/${id}`)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404])
    }
  })

  it('never change a project that is archived by the time they write', async () => {
    for (let n = 0; n < 10; n++) {
      const { id } = await app.diwan.project(company)
      const calls = [
        company.api.post(`/projects/${id}/archive`),
        company.api.patch(`/projects/${id}`, { name: 'Late' }),
      ]
      const [archived, changed] = await Promise.all(calls)
      const isBefore = archived?.body.data.name === 'Late'
      expect(changed?.status).toBe(isBefore ? 200 : 403)
      expect((await company.api.get(`/projects/${id}`)).body.data.name === 'Late').toBe(isBefore)
    }
  })
})

describe('Listing projects', () => {
  let many: TestCompany
  let newestFirst: string[]
  beforeAll(async () => {
    many = await app.diwan.company()
    newestFirst = []
    for (let n = 0; n < 104; n++) newestFirst.unshift((await app.diwan.project(many, { name: `P ${n}` })).id)
  })

  it('shows each as the list shape and nothing else, an empty company as no records', async () => {
    const own = await app.diwan.company()
    expect((await own.api.get('/projects')).body).toEqual({
      data: [],
      meta: { total: 0, limit: 50, offset: 0, count: 0, next_cursor: null },
    })
    const { slug, ...listed } = await app.diwan.project(own, full)
    expect(slug).toBe('full')
    const { status, body } = await own.api.get('/projects')
    expect([status, body]).toEqual([
      200,
      { data: [listed], meta: { total: 1, limit: 50, offset: 0, count: 1, next_cursor: null } },
    ])
  })

  it('goes through all of them newest first, page by page, without overlap', async () => {
    const seen: string[] = []
    for (let offset = 0; offset < 104; offset += 30) {
      const { body } = await many.api.get(`/projects?limit=30&offset=${offset}`)
      const next_cursor = offset < 90 ? expect.any(String) : null
      expect(body.meta).toEqual({ total: 104, limit: 30, offset, count: Math.min(30, 104 - offset), next_cursor })
      seen.push(...ids(body))
    }
    expect(seen).toEqual(newestFirst)
  })

  it.each([
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
    ['limit=0x10', 50, 0],
    ['limit=', 50, 0],
    ['limit=٧', 7, 0],
    ['limit=۱۲&offset=۳', 12, 3],
    ['limit=٢&offset=٣', 2, 3],
    ['offset=-1', 50, 0],
    ['offset=x', 50, 0],
    ['offset=2.0', 50, 0],
    ['limit=5&offset=103', 5, 103],
    ['limit=5&offset=104', 5, 104],
    ['limit=5&offset=1000000', 5, 1_000_000],
  ])('reads ?%s as limit %i and offset %i, and the total is right on every page', async (query, limit, offset) => {
    const { status, body } = await many.api.get(`/projects?${query}`)
    const expected = newestFirst.slice(offset, offset + limit)
    expect(status).toBe(200)
    const next_cursor = offset + limit < 104 ? expect.any(String) : null
    expect(body.meta).toEqual({ total: 104, limit, offset, count: expected.length, next_cursor })
    expect(ids(body)).toEqual(expected)
  })

  it('takes an offset beyond all numbers', async () => {
    const { status, body } = await many.api.get(`/projects?offset=${'9'.repeat(30)}`)
    expect([status, body.data, body.meta.total, body.meta.count]).toEqual([200, [], 104, 0])
  })

  it('leaves archived projects out of data and total unless include_archived is true or 1', async () => {
    const own = await app.diwan.company()
    const [first, second] = [await app.diwan.project(own), await app.diwan.project(own)]
    await own.api.post(`/projects/${second.id}/archive`)
    for (const value of ['true', '1']) {
      const { body } = await own.api.get(`/projects?include_archived=${value}`)
      expect([ids(body), body.meta.total]).toEqual([[second.id, first.id], 2])
      expect(body.data[0].archived).toBe(true)
    }
    for (const query of [
      '',
      '?include_archived=false',
      '?include_archived=yes',
      '?include_archived=0',
      '?include_archived=',
    ]) {
      const { body } = await own.api.get(`/projects${query}`)
      expect([ids(body), body.meta.total]).toEqual([[first.id], 1])
    }
  })
})

describe('Deleting a project', () => {
  it('is soft: gone from every read at once, its slug kept, and an administrator restores it whole', async () => {
    const own = await app.diwan.company()
    const project = await app.diwan.project(own, { ...full, name: 'Old name' })
    const { data: renamed } = (await own.api.patch(`/projects/${project.id}`, { name: 'New name' })).body
    const answer = await own.api.delete(`/projects/${project.id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      data: { deleted: true, recoverable: true, project: { name: 'New name', id: project.id, slug: 'new-name' } },
    })
    for (const handle of [project.id, 'new-name', 'old-name']) {
      expectRefusal(await own.api.get(`/projects/${handle}`), 404, 'not_found')
      expectRefusal(await own.api.get(`/projects/${handle}/members`), 404, 'not_found')
      expectRefusal(await own.api.patch(`/projects/${handle}`, {}), 404, 'not_found')
      expectRefusal(await own.api.post(`/projects/${handle}/archive`), 404, 'not_found')
      expectRefusal(await own.api.delete(`/projects/${handle}`), 404, 'not_found')
    }
    expect((await own.api.get('/projects?include_archived=true')).body.meta.total).toBe(0)
    expect((await app.diwan.project(own, { name: 'New name' })).slug).toBe('new-name-2')
    expect((await own.admin.get('/trash')).body.data).toEqual([
      { type: 'project', id: project.id, title: 'New name', deleted_at: UTC, deleted_by: own.owner.name },
    ])
    const restored = await own.admin.post(`/trash/${project.id}/restore`)
    expect([restored.status, restored.body]).toEqual([200, { data: renamed }])
    for (const handle of [project.id, 'new-name', 'old-name'])
      expect((await own.api.get(`/projects/${handle}`)).body.data).toEqual(renamed)
    expect((await own.admin.get('/trash')).body.meta.total).toBe(0)
    expectRefusal(await own.admin.post(`/trash/${project.id}/restore`), 404, 'not_found')
  })
})

describe('An archived project', () => {
  it('is frozen: it is read, but takes no write besides archiving and unarchiving; denials are audited', async () => {
    const own = await app.diwan.company()
    const project = await app.diwan.project(own, full)
    const at = `/projects/${project.id}`
    const { status, body } = await own.api.post(`${at}/archive`)
    expect([status, body.data]).toEqual([200, { ...project, archived: true, updated_at: UTC }])
    expect((await own.api.post(`${at}/archive`)).body).toEqual(body)
    for (const path of [at, `${at}/members`]) expect((await own.api.get(path)).status).toBe(200)
    expectRefusal(await own.api.patch(at, { name: 'Thawed' }), 403, 'forbidden')
    expectRefusal(await own.api.patch(at, {}), 403, 'forbidden')
    expectRefusal(await own.api.delete(at), 403, 'forbidden')
    const audit = (await own.admin.get('/audit?limit=3')).body.data
    expect(audit.map((entry: Record<string, unknown>) => [entry.outcome, entry.method, entry.operation])).toEqual([
      ['denied', 'DELETE', 'projects:destructive'],
      ['denied', 'PATCH', 'projects:write'],
      ['denied', 'PATCH', 'projects:write'],
    ])
    expect((await own.api.get(at)).body).toEqual(body)
    const unarchived = await own.api.post(`${at}/unarchive`)
    expect([unarchived.status, unarchived.body.data]).toEqual([200, { ...project, updated_at: UTC }])
    expect((await own.api.post(`${at}/unarchive`)).body).toEqual(unarchived.body)
    expect((await own.api.patch(at, { name: 'Thawed' })).status).toBe(200)
  })
})

describe('A read-only subscription', () => {
  it('refuses every write, audited, and leaves every read', async () => {
    const own = await app.diwan.company()
    const project = await app.diwan.project(own)
    const archived = await app.diwan.project(own)
    await own.api.post(`/projects/${archived.id}/archive`)
    await app.diwan.operator.patch(`/companies/${own.id}`, { subscription: 'read_only' })
    const at = `/projects/${project.id}`
    const refused = [
      await own.api.post('/projects', { name: 'New' }),
      await own.api.patch(at, { name: 'New' }),
      await own.api.delete(at),
      await own.api.post(`${at}/archive`),
      await own.api.post(`/projects/${archived.id}/unarchive`),
    ]
    for (const answer of refused) expectRefusal(answer, 403, 'forbidden')
    const { body } = await own.admin.get('/audit?limit=5')
    expect(body.data.map(({ outcome, status }: Record<string, unknown>) => [outcome, status])).toEqual(
      Array(5).fill(['denied', 403]),
    )
    for (const path of ['/me', '/projects', at, `${at}/members`]) expect((await own.api.get(path)).status).toBe(200)
    expect((await own.api.get(at)).body.data).toEqual(project)
    await app.diwan.operator.patch(`/companies/${own.id}`, { subscription: 'active' })
    await created(own.api.post('/projects', { name: 'New' }))
  })
})
