import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { audit, furnishWork, INSTANT, newList, newTask, SLUGS, type Work } from '../support/factories.ts'
import { expectRefusal, refusal, unprocessable } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  company = work.company
})

const NESTED = `/projects/${SLUGS.project}/lists/${SLUGS.list}/tasks`
const list = async (id: string) => (await company.api.get(`/lists/${id}`)).body.data
const act = (task: string, action: string, body?: object) => company.api.post(`/tasks/${task}/${action}`, body)

describe('A task', () => {
  it('is created with 201, nested and flat, and shown whole when it is read', async () => {
    const sent = { title: ' شراء الأثاث ', notes: '<p>\n&nbsp;', due_at: '2027-02-28' }
    for (const address of [NESTED, `/lists/${work.list.id}/tasks`]) {
      const { status, body } = await company.api.post(address, { ...sent, assignee_email: company.owner.email })
      expect([status, body.data]).toEqual([
        201,
        {
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
      ])
      expect((await company.api.get(`/tasks/${body.data.id}`)).body).toEqual(body)
    }
    for (const fields of [{}, { notes: null, due_at: null, assignee_email: null }, { assignee_email: '' }])
      expect(await newTask(company, work.list.id, fields)).toMatchObject({ notes: null, due_at: null, assignee: null })
  })
})

describe('An assignee', () => {
  it('is named by address in any case, and cleared by null or ""', async () => {
    const omar = await app.diwan.person(company.id)
    const task = await newTask(company, work.list.id, { assignee_email: omar.email.toUpperCase() })
    const assignee = { name: omar.name, email: omar.email }
    expect(task.assignee).toEqual(assignee)
    for (const [change, expected] of [
      [{ assignee_email: null }, null],
      [{ assignee_email: omar.email }, assignee],
      [{ title: 'Only this' }, assignee],
      [{ assignee_email: '' }, null],
    ] as const)
      expect((await company.api.patch(`/tasks/${task.id}`, change)).body.data.assignee).toEqual(expected)
  })

  it('must be an active person of the company, and a member when the project is private', async () => {
    const [member, left, foreign] = [
      await app.diwan.person(company.id),
      await app.diwan.person(company.id, { active: false }),
      await app.diwan.person((await app.diwan.company()).id),
    ]
    const hidden = await app.diwan.project(company, { is_public: false })
    const inHidden = await newList(company, hidden.id)
    const assign = (id: string, { email }: { email: string }) =>
      company.api.post(`/lists/${id}/tasks`, { title: 'x', assignee_email: email })
    for (const [id, person] of [
      [inHidden.id, member],
      [work.list.id, left],
      [work.list.id, foreign],
    ] as const)
      expectRefusal(await assign(id, person), 422, 'unprocessable_entity', expect.stringContaining(person.email))
    expect((await list(inHidden.id)).tasks_count).toBe(0)
    await company.admin.post(`/projects/${hidden.id}/members`, { user_id: member.id })
    expect((await assign(inHidden.id, member)).status).toBe(201)
  })
})

describe('DELETE of a task', () => {
  it('of another signature’s task needs delete_any_task_or_list; of the same signature’s it does not', async () => {
    const own = await furnishWork(app.diwan)
    const omar = await app.diwan.person(own.company.id)
    const his = app.diwan.api(await app.diwan.key(own.company.id, { rights: [], created_by: omar.id }))
    const hers = app.diwan.api(await app.diwan.key(own.company.id, { rights: [] }))
    expectRefusal(await his.delete(`/tasks/${own.task.id}`), 403, 'forbidden')
    const [denied] = await audit(own.company)
    expect(denied).toMatchObject({ outcome: 'denied', operation: 'tasks:destructive', status: 403, actor: omar.name })
    const { status, body } = await hers.delete(`/tasks/${own.task.id}`)
    const task = { title: 'Buy desks', id: own.task.id, slug: 'buy-desks' }
    expect([status, body]).toEqual([200, { data: { deleted: true, task } }])
    const ofHis = await newTask({ api: his }, own.list.id)
    expect((await own.company.api.delete(`/tasks/${ofHis.id}`)).status).toBe(200)
  })
})

describe('Completing', () => {
  it('and reopening answer 200 with the task, and repeating changes nothing', async () => {
    const done = { ...work.task, completed: true, completed_at: INSTANT, updated_at: INSTANT }
    const first = await act(work.task.id, 'complete')
    expect([first.status, first.body.data]).toEqual([200, done])
    expect((await act(work.task.id, 'complete', { completed_at: 'ignored' })).body).toEqual(first.body)
    const reopened = await act(work.task.id, 'incomplete')
    expect([reopened.status, reopened.body.data]).toEqual([200, { ...work.task, updated_at: INSTANT }])
    expect((await act(work.task.id, 'incomplete')).body).toEqual(reopened.body)
  })

  it('the last open task completes its list at that moment; the list reopens by itself', async () => {
    const { id } = await newList(company, work.project.id)
    const add = async () => (await newTask(company, id)).id
    const complete = async (task: string) => (await act(task, 'complete')).body.data.completed_at
    const state = async () => {
      const { tasks_count, completed_tasks_count, completed, completed_at } = await list(id)
      return [tasks_count, completed_tasks_count, completed, completed_at]
    }
    expect(await state()).toEqual([0, 0, false, null])
    const [a, b] = [await add(), await add()]
    const first = await complete(a)
    expect(await state()).toEqual([2, 1, false, null])
    const last = await complete(b)
    expect(await state()).toEqual([2, 2, true, last])
    const c = await add()
    expect(await state()).toEqual([3, 2, false, null])
    await company.api.delete(`/tasks/${c}`)
    expect(await state()).toEqual([2, 2, true, last])
    await act(b, 'incomplete')
    expect(await state()).toEqual([2, 1, false, null])
    await company.api.delete(`/tasks/${b}`)
    expect(await state()).toEqual([1, 1, true, first])
    await company.api.delete(`/tasks/${a}`)
    expect(await state()).toEqual([0, 0, false, null])
  })
})

describe('Moving', () => {
  it('keeps ref, comments, time and state, and moves the counts, within a project by slug and across by ref', async () => {
    const elsewhere = await newList(company, (await app.diwan.project(company)).id)
    const source = await newList(company, work.project.id)
    const target = await newList(company, work.project.id, { title: 'التالي' })
    const task = await newTask(company, source.id, { assignee_email: company.owner.email })
    await act(task.id, 'time', { time_spent: '90' })
    const { completed_at } = (await act(task.id, 'complete')).body.data
    const { body: comment } = await act(task.id, 'comments', { content: 'Stays' })
    const kept = { ...task, completed: true, completed_at, time_spent_minutes: 90, updated_at: INSTANT }

    const near = await act(task.id, 'move', { list_id: 'التالي' })
    expect([near.status, near.body.data]).toEqual([200, { ...kept, task_list_slug: 'التالي', task_list_id: target.id }])
    expect([await list(source.id), await list(target.id)]).toMatchObject([
      { tasks_count: 0, completed_tasks_count: 0, completed: false },
      { tasks_count: 1, completed_tasks_count: 1, completed: true, completed_at },
    ])
    const tasksOf = async (id: string) => (await company.api.get(`/projects/${id}`)).body.data.tasks_count
    const before = await tasksOf(work.project.id)
    const nested = `/projects/${SLUGS.project}/lists/${encodeURIComponent('التالي')}/tasks/${SLUGS.task}/move`
    const far = await company.api.post(nested, { list_id: elsewhere.id })
    expect(far.body.data).toEqual({
      ...kept,
      project_slug: elsewhere.project_slug,
      project_id: elsewhere.project_id,
      task_list_slug: SLUGS.list,
      task_list_id: elsewhere.id,
    })
    expect([await tasksOf(elsewhere.project_id), await tasksOf(work.project.id)]).toEqual([1, before - 1])
    expect((await company.api.get(`/tasks/${task.id}/comments`)).body.data).toEqual([comment.data])
    // A move to where it is changes nothing.
    expect((await act(task.id, 'move', { list_id: elsewhere.id })).body).toEqual(far.body)
  })

  it('to what is not a list within reach, or closed, is refused, and nothing moves', async () => {
    const before = (await company.api.get(`/tasks/${work.task.id}`)).body
    const foreign = await furnishWork(app.diwan)
    const other = await newList(company, (await app.diwan.project(company)).id, { title: 'Elsewhere' })
    const [gone, archived] = [await app.diwan.project(company), await app.diwan.project(company)]
    const [lost, closed] = [await newList(company, gone.id), await newList(company, archived.id)]
    await company.api.delete(`/projects/${gone.id}`)
    const refs = [foreign.list.id, lost.id, work.task.id, 'lst-0000000000', 'elsewhere', other.id.toUpperCase()]
    for (const list_id of [...refs, 'ext:x', '']) {
      const answer = await act(work.task.id, 'move', { list_id })
      expect([list_id, ...refusal(answer)]).toEqual([list_id, ...unprocessable(/^list_id /)])
    }
    await company.api.post(`/projects/${archived.id}/archive`)
    expectRefusal(await act(work.task.id, 'move', { list_id: closed.id }), 403, 'forbidden')
    expect(await audit(company)).toMatchObject([{ outcome: 'denied', operation: 'tasks:write', status: 403 }])
    expect((await company.api.get(`/tasks/${work.task.id}`)).body).toEqual(before)
  })

  it('to a project that the assignee does not belong to is 422 until the assignee is changed', async () => {
    const omar = await app.diwan.person(company.id)
    const hidden = await app.diwan.project(company, { is_public: false })
    const target = await newList(company, hidden.id)
    const task = await newTask(company, work.list.id, { assignee_email: omar.email })
    expect((await act(task.id, 'move', { list_id: target.id })).status).toBe(422)
    expect((await company.api.get(`/tasks/${task.id}`)).body.data).toEqual(task)
    await company.api.patch(`/tasks/${task.id}`, { assignee_email: company.owner.email })
    expect((await act(task.id, 'move', { list_id: target.id })).status).toBe(200)
  })

  it('gives a slug that is free in the destination, and takes back one that the task retired there', async () => {
    const [one, two] = [await newList(company, work.project.id), await newList(company, work.project.id)]
    const [task, resident] = [
      await newTask(company, one.id, { title: 'Old' }),
      await newTask(company, two.id, { title: 'New' }),
    ]
    const rename = (title: string) => company.api.patch(`/tasks/${task.id}`, { title })
    const move = async (list_id: string) => expect((await act(task.id, 'move', { list_id })).status).toBe(200)
    const found = (place: { id: string }, slugs: string[]) =>
      Promise.all(
        slugs.map(async slug => {
          const address = `/projects/${work.project.id}/lists/${place.id}/tasks/${slug}`
          return (await company.api.get(address)).body.data?.id
        }),
      )
    await rename('New')
    await move(two.id)
    expect(await found(one, ['old', 'new'])).toEqual([undefined, undefined])
    expect(await found(two, ['new', 'new-2'])).toEqual([resident.id, task.id])
    await move(one.id)
    expect(await found(one, ['old', 'new'])).toEqual([task.id, task.id])
    await move(two.id)
    await rename('Old')
    await move(one.id)
    await rename('Newer')
    const namesake = await newTask(company, one.id, { title: 'Old' })
    expect(await found(one, ['old', 'newer', 'old-2'])).toEqual([task.id, task.id, namesake.id])
  })
})

describe('The time of a task', () => {
  /** Sends the body exactly as written, so that a JSON number keeps its text. */
  const send = (json: string) =>
    company.api.send('POST', `/tasks/${work.task.id}/time`, {
      body: json,
      headers: { 'content-type': 'application/json' },
    })
  const minutes = async () => (await company.api.get(`/tasks/${work.task.id}`)).body.data.time_spent_minutes

  it('replaces what was there, in any of its forms, and is cleared by null and ""', async () => {
    for (const [json, expected] of [
      ['"1:30"', 90],
      ['90', 90],
      ['1.0', 60],
      ['null', null],
      ['"١:٣٠"', 90],
      ['""', null],
      ['"10000000"', 10_000_000],
      ['"166666:40"', 10_000_000],
    ] as const) {
      const { status, body } = await send(`{"time_spent":${json}}`)
      const { updated_at } = body.data
      expect([json, status, body.data]).toEqual([json, 200, { ...work.task, time_spent_minutes: expected, updated_at }])
      expect(await minutes()).toBe(expected)
    }
  })

  it('stays as it was when the value is zero, negative, nonsense, too much or missing', async () => {
    await send('{"time_spent":"45"}')
    const bad = ['"0"', '0', '0.0', '-0', '"0.001"', '"-90"', '-1.5', '"1:60"', '1e2', '"99999999999"', 'true', '{}']
    for (const json of bad) {
      const answer = await send(`{"time_spent":${json}}`)
      expect([json, ...refusal(answer)]).toEqual([json, ...unprocessable(/^time_spent /)])
    }
    for (const json of ['"10000001"', '"166666:41"'])
      expect(refusal(await send(`{"time_spent":${json}}`))).toEqual(
        unprocessable(
          'time_spent must be more than zero and at most 10000000 minutes, as H:MM, decimal hours or whole minutes',
        ),
      )
    for (const body of ['', '{"time":"90"}']) expect([body, (await send(body)).status]).toEqual([body, 422])
    expect(await minutes()).toBe(45)
  })

  it('is 403 in a plan without it, before any look-up or reading of the body, and still shown', async () => {
    const own = await furnishWork(app.diwan)
    const { api, id } = own.company
    const address = `/tasks/${own.task.id}`
    await api.post(`${address}/time`, { time_spent: '1:30' })
    await app.diwan.operator.patch(`/companies/${id}`, { plan: 'advanced' })
    const message = expect.stringMatching(/Advanced.*المتقدمة/)
    for (const place of [address, '/tasks/tsk-0000000000', '/projects/x/lists/y/tasks/z'])
      for (const body of [{ time_spent: '' }, { time_spent: '0' }, {}]) {
        const answer = await api.post(`${place}/time`, body)
        expectRefusal(answer, 403, 'plan_upgrade_required', message)
        expect([answer.headers.get('retry-after'), answer.headers.get('x-ratelimit-limit')]).toEqual([null, '1000'])
      }
    expect((await api.get(address)).body.data.time_spent_minutes).toBe(90)
    await app.diwan.operator.patch(`/companies/${id}`, { plan: 'productive' })
    expect((await api.post(`${address}/time`, { time_spent: '' })).status).toBe(200)
  })
})
