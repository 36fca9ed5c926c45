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
  onTask,
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

describe('A task', () => {
  it('is created with 201, nested and flat, and shows exactly the fields of the specification', async () => {
    const sent = { title: ' شراء الأثاث ', notes: '<p>\n&nbsp;', due_at: '2027-02-28' }
    for (const address of [`/projects/${SLUGS.project}/lists/${SLUGS.list}/tasks`, `/lists/${work.list.id}/tasks`]) {
      const { status, body } = await company.api.post(address, { ...sent, assignee_email: company.owner.email })
      expect([status, body]).toEqual([
        201,
        {
          data: {
            id: expect.stringMatching(/^tsk-[0-9a-hjkmnp-tv-z]{10}$/),
            ...sent,
            completed: false,
            completed_at: null,
            time_spent_minutes: null,
            external_id: null,
            metadata: {},
            project_slug: 'انتقال-المكتب',
            task_list_slug: 'furniture',
            project_id: work.project.id,
            task_list_id: work.list.id,
            assignee: { name: company.owner.name, email: company.owner.email },
            created_at: INSTANT,
            updated_at: body.data.created_at,
          },
        },
      ])
      expect((await company.api.get(`/tasks/${body.data.id}`)).body).toEqual(body)
    }
  })

  it('has null where nothing, null, or nobody was sent', async () => {
    for (const fields of [{}, { notes: null, due_at: null, assignee_email: null }, { assignee_email: '' }])
      expect(await newTask(company, work.list.id, fields)).toMatchObject({ notes: null, due_at: null, assignee: null })
  })

  it.each([
    ['without a title', {}, /^title can't be blank/],
    ['with a blank title', { title: '\u00a0' }, /^title can't be blank/],
    ['with 256 characters of title', { title: '🚀'.repeat(256) }, /^title is too long/],
    ['with a date that does not exist', { title: 'x', due_at: '2027-02-29' }, /^due_at must be a date/],
    ['with a date-time as due_at', { title: 'x', due_at: '2027-02-01T00:00:00Z' }, /^due_at must be a date/],
    ['with an empty due_at', { title: 'x', due_at: '' }, /^due_at must be a date/],
    [
      'with an unknown assignee',
      { title: 'x', assignee_email: 'no.body@example.com' },
      /^assignee_email.*no\.body@example\.com/,
    ],
    ['with an assignee that is no address', { title: 'x', assignee_email: 'nobody' }, /^assignee_email.*nobody/],
    ['with a list as assignee', { title: 'x', assignee_email: ['a@b.co'] }, /^assignee_email must be/],
    ['wrapped in a key', { task: { title: 'x' } }, /^title can't be blank.*wrapped in "task"/],
  ] as const)('%s is refused with 422 and not saved', async (_, fields, message) => {
    const before = (await company.api.get(`/lists/${work.list.id}`)).body.data
    const answer = await company.api.post(`/lists/${work.list.id}/tasks`, fields)
    expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(message))
    expect((await company.api.get(`/lists/${work.list.id}`)).body.data).toEqual(before)
  })

  it('takes a due date in Arabic and Persian digits', async () => {
    for (const due_at of ['٢٠٢٧-٠٢-٠١', '۲۰۲۷-۰۲-۰۱'])
      expect((await newTask(company, work.list.id, { due_at })).due_at).toBe('2027-02-01')
  })

  it('is found by ref, slug, retired slug and percent-encoded Arabic slug, nested, and by ref, flat', async () => {
    const own = await furnishWork(app.diwan)
    const { api } = own.company
    const { id } = own.task
    await api.patch(`/lists/${own.list.id}`, { title: 'الأثاث' })
    await api.patch(`/tasks/${id}`, { title: 'شراء المكاتب' })
    const nested = [own.project.id, SLUGS.project].flatMap(project =>
      [own.list.id, SLUGS.list, encodeURIComponent('الأثاث')].flatMap(list =>
        [id, SLUGS.task, encodeURIComponent('شراء-المكاتب')].map(
          task => `/projects/${project}/lists/${list}/tasks/${task}`,
        ),
      ),
    )
    for (const address of [...nested, `/tasks/${id}`]) {
      const notes = `By ${address}`
      expect((await api.patch(address, { notes })).body.data).toMatchObject({ id, notes, task_list_slug: 'الأثاث' })
      expect((await api.get(address)).body.data).toMatchObject({ id, notes })
    }
  })

  it('is missing under another parent, prefix, company, deleted project, or by slug on a flat address', async () => {
    const foreign = await furnishWork(app.diwan)
    const [otherList, otherProject] = [await newList(company, work.project.id), await app.diwan.project(company)]
    const gone = await app.diwan.project(company)
    const lostList = await newList(company, gone.id)
    const lost = await newTask(company, lostList.id)
    await company.api.delete(`/projects/${gone.id}`)
    const { project, list, task } = work
    await expectNothingAt(company.api, onTask(otherList.id), [
      '/tasks/tsk-0000000000',
      `/projects/${project.id}/lists/${list.id}/tasks/missing`,
      `/projects/${project.id}/lists/${otherList.id}/tasks/${task.id}`,
      `/projects/${project.id}/lists/${otherList.id}/tasks/${SLUGS.task}`,
      `/projects/${otherProject.id}/lists/${list.id}/tasks/${task.id}`,
      `/projects/${project.id}/lists/missing/tasks/${task.id}`,
      `/projects/${project.id}/lists/${list.id}/tasks/${task.id.replace('tsk', 'lst')}`,
      `/tasks/${task.id.replace('tsk', 'lst')}`,
      `/tasks/${list.id}`,
      `/tasks/${SLUGS.task}`,
      `/tasks/${foreign.task.id}`,
      `/projects/${foreign.project.id}/lists/${foreign.list.id}/tasks/${foreign.task.id}`,
      `/projects/${project.id}/lists/${list.id}/tasks/${foreign.task.id}`,
      `/tasks/${lost.id}`,
      `/projects/${gone.id}/lists/${lostList.id}/tasks/${lost.id}`,
    ])
    expect((await company.api.get(`/tasks/${task.id}`)).body.data).toEqual(task)
  })
})

describe('The tasks of a list', () => {
  it('come in creation order, nested and flat, in pages whose total is right past the end too', async () => {
    const own = await app.diwan.company()
    const project = await app.diwan.project(own)
    const [list, other] = [await newList(own, project.id), await newList(own, project.id)]
    for (const [id, title] of [
      [list.id, 'b'],
      [other.id, 'z'],
      [list.id, 'a'],
      [list.id, 'c'],
    ] as const)
      await newTask(own, id, { title })
    for (const address of [`/lists/${list.id}/tasks`, `/projects/${project.id}/lists/${SLUGS.list}/tasks`]) {
      const pages = await inPagesOfTwo(own.api, address)
      expect(pages.map(({ data }) => data.map(({ title }: { title: string }) => title))).toEqual([
        ['b', 'a'],
        ['c'],
        [],
      ])
      expect(pages.at(-1).meta).toEqual({ total: 3, limit: 2, offset: 4, count: 0, next_cursor: null })
    }
    expect((await own.api.get(`/projects/${project.id}`)).body.data).toMatchObject({ tasks_count: 4 })
  })
})

describe('An assignee', () => {
  it('is named by address in any case, and cleared by null or ""', async () => {
    const omar = await app.diwan.person(company.id)
    const task = await newTask(company, work.list.id, { assignee_email: omar.email.toUpperCase() })
    const assignee = { name: omar.name, email: omar.email }
    expect(task.assignee).toEqual(assignee)
    for (const nobody of [null, '']) {
      const patch = async (body: object) => (await company.api.patch(`/tasks/${task.id}`, body)).body.data.assignee
      expect(await patch({ assignee_email: nobody })).toBeNull()
      expect(await patch({ assignee_email: omar.email })).toEqual(assignee)
      expect(await patch({ title: 'Only this' })).toEqual(assignee)
    }
  })

  it('must be an active person of the company, and a member when the project is private', async () => {
    const [member, left, foreign] = [
      await app.diwan.person(company.id),
      await app.diwan.person(company.id, { active: false }),
      await app.diwan.person((await app.diwan.company()).id),
    ]
    const hidden = await app.diwan.project(company, { is_public: false })
    const list = await newList(company, hidden.id)
    const assign = (id: string, { email }: { email: string }) =>
      company.api.post(`/lists/${id}/tasks`, { title: 'x', assignee_email: email })
    for (const [id, person] of [
      [list.id, member],
      [work.list.id, left],
      [work.list.id, foreign],
    ] as const) {
      const message = expect.stringContaining(person.email)
      expectRefusal(await assign(id, person), 422, 'unprocessable_entity', message)
    }
    expect((await company.api.get(`/lists/${list.id}`)).body.data.tasks_count).toBe(0)
    await company.admin.post(`/projects/${hidden.id}/members`, { user_id: member.id })
    expect((await assign(list.id, member)).status).toBe(201)
  })
})

describe('PATCH of a task', () => {
  it('changes what was sent, clears on null, and nothing on an empty body or a refused one', async () => {
    const task = await newTask(company, work.list.id, { notes: 'n', due_at: '2027-01-31' })
    for (const [change, expected] of [
      [undefined, {}],
      [{}, {}],
      [{ title: 'B' }, { title: 'B' }],
      [{ due_at: null }, { due_at: null }],
      [
        { notes: null, due_at: '2027-12-31' },
        { notes: null, due_at: '2027-12-31' },
      ],
      [{ completed: true, time_spent_minutes: 5, list_id: 'x' }, {}],
    ] as const) {
      const { status, body } = await company.api.patch(`/tasks/${task.id}`, change)
      if (Object.keys(expected).length > 0) task.updated_at = INSTANT
      Object.assign(task, expected)
      expect([change, status, body]).toEqual([change, 200, { data: task }])
    }
    for (const bad of [{ title: ' ' }, { due_at: '2027-13-01' }, { assignee_email: 'x@example.com' }, { title: null }])
      expect((await company.api.patch(`/tasks/${task.id}`, { notes: 'good', ...bad })).status).toBe(422)
    expect((await company.api.get(`/tasks/${task.id}`)).body.data).toEqual(task)
    const ignoring = await company.api.patch(`/tasks/${task.id}`, { titel: 'x' })
    expect(ignoring.headers.get('x-ignored-fields')).toBe('titel')
  })
})

describe('DELETE of a task', () => {
  it('is for good, answers with title, ref and slug, and is audited', async () => {
    const own = await furnishWork(app.diwan)
    const address = `/projects/${SLUGS.project}/lists/${SLUGS.list}/tasks/${SLUGS.task}`
    const { status, body } = await own.company.api.delete(address)
    const task = { title: 'Buy desks', id: own.task.id, slug: 'buy-desks' }
    expect([status, body]).toEqual([200, { data: { deleted: true, task } }])
    await expectNothingAt(own.company.api, onTask(own.list.id), [`/tasks/${own.task.id}`])
    expect((await own.company.api.get(`/projects/${own.project.id}`)).body.data.tasks_count).toBe(0)
    expect(await audit(own.company)).toMatchObject([
      { outcome: 'allowed', operation: 'tasks:destructive', status: 200 },
    ])
  })

  it('of another signature’s task needs delete_any_task_or_list; of the same signature’s it does not', async () => {
    const own = await furnishWork(app.diwan)
    const omar = await app.diwan.person(own.company.id)
    const [his, hers] = [{ created_by: omar.id }, {}].map(async creator =>
      app.diwan.api(await app.diwan.key(own.company.id, { ...creator, rights: [] })),
    ) as [Promise<typeof company.api>, Promise<typeof company.api>]
    const address = `/tasks/${own.task.id}`
    expectRefusal(await (await his).delete(address), 403, 'forbidden')
    expect(await audit(own.company)).toMatchObject([
      { outcome: 'denied', operation: 'tasks:destructive', path: `/api/v1${address}`, status: 403, actor: omar.name },
    ])
    expect((await (await hers).delete(address)).status).toBe(200)
    const ofHis = await newTask({ api: await his }, own.list.id)
    expect((await own.company.api.delete(`/tasks/${ofHis.id}`)).status).toBe(200)
  })
})
