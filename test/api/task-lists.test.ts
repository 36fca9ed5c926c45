import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import {
  audit,
  expectNothingAt,
  furnishWork,
  INSTANT,
  newList,
  newTask,
  ON_LIST,
  ON_PROJECT,
  SLUGS,
  type Work,
} from '../support/factories.ts'
import { inPagesOfTwo } from '../support/furnished.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  company = work.company
})

describe('A task list', () => {
  it('is created with 201 and shows exactly the fields of the specification', async () => {
    const sent = { title: '  قائمة\n🚀 ', notes: 'line 1\r\nline 2 <b>&amp;</b>\n', priority: 'urgent' }
    const { status, body } = await company.api.post(`/projects/${work.project.id}/lists`, sent)
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^lst-[0-9a-hjkmnp-tv-z]{10}$/),
        ...sent,
        completed: false,
        completed_at: null,
        tasks_count: 0,
        completed_tasks_count: 0,
        external_id: null,
        metadata: {},
        project_slug: 'انتقال-المكتب',
        project_id: work.project.id,
        created_at: INSTANT,
        updated_at: body.data.created_at,
      },
    })
    expect((await company.api.get(`/lists/${body.data.id}`)).body).toEqual(body)
  })

  it('has null notes and priority when none, or null, were sent', async () => {
    for (const fields of [{}, { notes: null, priority: null }])
      expect(await newList(company, work.project.id, fields)).toMatchObject({ notes: null, priority: null })
  })

  it.each([
    ['without a title', {}, "title can't be blank"],
    ['with a blank title', { title: ' \t\n' }, "title can't be blank"],
    ['with a null title', { title: null }, "title can't be blank"],
    ['with a number as title', { title: 5 }, 'title must be a string'],
    ['with 256 characters of title', { title: 'x'.repeat(256) }, 'title is too long: at most 255 characters'],
    ['with an unknown priority', { title: 'x', priority: 'Low' }, 'priority must be one of low, medium, high, urgent'],
    ['with an empty priority', { title: 'x', priority: '' }, 'priority must be one of low, medium, high, urgent'],
    ['with a number as notes', { title: 'x', notes: 5 }, 'notes must be a string or null'],
    ['with 65,536 characters of notes', { title: 'x', notes: 'n'.repeat(65_536) }, /^notes is too long/],
    ['wrapped in a key', { task_list: { title: 'x' } }, /^title can't be blank.*wrapped in "task_list"/],
  ] as const)('%s is refused with 422 and not saved', async (_, fields, message) => {
    const address = `/projects/${work.project.id}/lists`
    const before = (await company.api.get(address)).body.meta.total
    const answer = await company.api.post(address, fields)
    expectRefusal(
      answer,
      422,
      'unprocessable_entity',
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
    expect((await company.api.get(address)).body.meta.total).toBe(before)
  })

  it('is found by ref, slug, retired slug and percent-encoded Arabic slug, nested, and by ref, flat', async () => {
    const own = await furnishWork(app.diwan)
    const { id } = own.list
    await own.company.api.patch(`/lists/${id}`, { title: 'الأثاث المكتبي' })
    const arabic = encodeURIComponent('الأثاث-المكتبي')
    const nested = [own.project.id, SLUGS.project].flatMap(project =>
      [id, SLUGS.list, arabic].map(list => `/projects/${project}/lists/${list}`),
    )
    for (const address of [...nested, `/lists/${id}`]) {
      const notes = `By ${address}`
      expect((await own.company.api.get(address)).body.data.id).toBe(id)
      expect((await own.company.api.patch(address, { notes })).body.data).toMatchObject({ id, notes })
    }
    // The retired slug still resolves, so no other list gets it.
    const next = await newList(own.company, own.project.id)
    expect((await own.company.api.get(`/projects/${own.project.id}/lists/furniture-2`)).body.data.id).toBe(next.id)
  })

  it('is missing under another parent, prefix, company, deleted project, or by slug on a flat address', async () => {
    const [other, gone, foreign] = [
      await app.diwan.project(company),
      await app.diwan.project(company),
      await furnishWork(app.diwan),
    ]
    const lost = await newList(company, gone.id)
    await company.api.delete(`/projects/${gone.id}`)
    const { project, list } = work
    await expectNothingAt(company.api, ON_LIST, [
      '/lists/lst-0000000000',
      `/projects/${project.id}/lists/lst-0000000000`,
      `/projects/${project.id}/lists/missing`,
      `/projects/${other.id}/lists/${list.id}`,
      `/projects/${other.id}/lists/${SLUGS.list}`,
      `/projects/${list.id}/lists/${list.id}`,
      `/projects/missing/lists/${list.id}`,
      `/projects/${project.id}/lists/${list.id.replace('lst', 'tsk')}`,
      `/lists/${list.id.replace('lst', 'tsk')}`,
      `/lists/${work.task.id}`,
      `/lists/${SLUGS.list}`,
      `/lists/${list.id.toUpperCase()}`,
      `/lists/${list.id}%00`,
      `/lists/${foreign.list.id}`,
      `/projects/${project.id}/lists/${foreign.list.id}`,
      `/projects/${foreign.project.id}/lists/${foreign.list.id}`,
      `/lists/${lost.id}`,
      `/projects/${gone.id}/lists/${lost.id}`,
    ])
    await expectNothingAt(company.api, ON_PROJECT, [
      `/projects/${gone.id}`,
      `/projects/${foreign.project.id}`,
      `/projects/${list.id}`,
    ])
    expect((await company.api.get(`/lists/${list.id}`)).body.data).toEqual({ ...list, tasks_count: 1 })
  })
})

describe('The lists of a project', () => {
  it('come in creation order, in pages whose total is right past the end too', async () => {
    const own = await app.diwan.company()
    const [project, other] = [await app.diwan.project(own), await app.diwan.project(own)]
    for (const [id, title] of [
      [project.id, 'b'],
      [other.id, 'z'],
      [project.id, 'a'],
      [project.id, 'c'],
    ] as const)
      await newList(own, id, { title })
    const pages = await inPagesOfTwo(own.api, `/projects/${project.id}/lists`)
    expect(pages.map(({ data }) => data.map(({ title }: { title: string }) => title))).toEqual([['b', 'a'], ['c'], []])
    expect(pages.map(({ meta }) => meta)).toEqual([
      { total: 3, limit: 2, offset: 0, count: 2, next_cursor: expect.any(String) },
      { total: 3, limit: 2, offset: 2, count: 1, next_cursor: null },
      { total: 3, limit: 2, offset: 4, count: 0, next_cursor: null },
    ])
    expect((await own.api.get(`/projects/${project.id}`)).body.data).toMatchObject({
      task_lists_count: 3,
      tasks_count: 0,
    })
  })
})

describe('PATCH of a list', () => {
  it('changes what was sent, clears on null, and nothing on an empty body', async () => {
    const list = await newList(company, work.project.id, { title: 'A', notes: 'n', priority: 'low' })
    for (const [change, expected] of [
      [undefined, {}],
      [{}, {}],
      [{ priority: 'high' }, { priority: 'high' }],
      [{ notes: null }, { notes: null }],
      [
        { title: 'B', priority: null },
        { title: 'B', priority: null },
      ],
      [{ notes: '' }, { notes: '' }],
      [{ completed: true, tasks_count: 9, id: 'lst-0000000000' }, {}],
    ] as const) {
      const { status, body } = await company.api.patch(`/lists/${list.id}`, change)
      if (Object.keys(expected).length > 0) list.updated_at = INSTANT
      Object.assign(list, expected)
      expect([status, body]).toEqual([200, { data: list }])
    }
  })

  it('names the fields it ignored, and refuses bad ones without changing the good', async () => {
    const list = await newList(company, work.project.id)
    const ignoring = await company.api.patch(`/lists/${list.id}`, { titel: 'x', ملاحظة: 'y' })
    expect(ignoring.headers.get('x-ignored-fields')).toBe(`titel, ${encodeURIComponent('ملاحظة')}`)
    for (const bad of [{ title: null }, { title: '' }, { priority: 'none' }, { notes: [] }]) {
      expect((await company.api.patch(`/lists/${list.id}`, { notes: 'good', title: 'Good', ...bad })).status).toBe(422)
    }
    expect((await company.api.get(`/lists/${list.id}`)).body.data).toEqual(list)
  })
})

describe('DELETE of a list', () => {
  it('takes its tasks and comments with it, for good, counts them, and is audited', async () => {
    const own = await furnishWork(app.diwan)
    const { api } = own.company
    await newTask(own.company, own.list.id)
    await newTask(own.company, (await newList(own.company, own.project.id)).id)
    await api.post(`/tasks/${own.task.id}/comments`, { content: 'x' })
    const { status, body } = await api.delete(`/projects/${SLUGS.project}/lists/${SLUGS.list}`)
    expect([status, body]).toEqual([
      200,
      {
        data: {
          deleted: true,
          task_list: { title: 'Furniture', id: own.list.id, slug: 'furniture' },
          deleted_tasks: 2,
        },
      },
    ])
    await expectNothingAt(api, ON_LIST, [`/lists/${own.list.id}`])
    expect((await api.get(`/tasks/${own.task.id}`)).status).toBe(404)
    expect((await api.get(`/projects/${own.project.id}`)).body.data).toMatchObject({
      task_lists_count: 1,
      tasks_count: 1,
    })
    expect(await audit(own.company)).toMatchObject([
      { outcome: 'allowed', operation: 'task_lists:destructive', method: 'DELETE', status: 200 },
    ])
  })

  it('needs delete_any_task_or_list also of the one who created it; the refusal is audited', async () => {
    const own = await furnishWork(app.diwan)
    const api = app.diwan.api(await app.diwan.key(own.company.id, { rights: ['manage_files', 'delete_any_file'] }))
    for (const address of [`/lists/${own.list.id}`, `/projects/${own.project.id}/lists/${SLUGS.list}`]) {
      expectRefusal(await api.delete(address), 403, 'forbidden')
      expect(await audit(own.company)).toMatchObject([
        { outcome: 'denied', operation: 'task_lists:destructive', path: `/api/v1${address}`, status: 403 },
      ])
    }
    expect((await api.get(`/lists/${own.list.id}`)).body.data.tasks_count).toBe(1)
  })
})
