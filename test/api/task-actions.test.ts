import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { audit, furnishWork, INSTANT, newList, newTask, SLUGS, type Work } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  company = work.company
})

const list = async (id: string) => (await company.api.get(`/lists/${id}`)).body.data
const act = (task: string, action: string, body?: object) => company.api.post(`/tasks/${task}/${action}`, body)

describe('Completing', () => {
  it('and reopening, nested and flat, answer 200 with the task, and repeating changes nothing', async () => {
    const nested = `/projects/${SLUGS.project}/lists/${SLUGS.list}/tasks/${SLUGS.task}`
    for (const address of [nested, `/tasks/${work.task.id}`]) {
      const first = await company.api.post(`${address}/complete`)
      expect([first.status, first.body]).toEqual([
        200,
        { data: { ...work.task, completed: true, completed_at: INSTANT, updated_at: INSTANT } },
      ])
      const again = await company.api.post(`${address}/complete`, { completed_at: 'ignored' })
      expect([again.status, again.body]).toEqual([200, first.body])
      for (let n = 0; n < 2; n++) {
        const reopened = await company.api.post(`${address}/incomplete`)
        expect([reopened.status, reopened.body]).toEqual([200, { data: { ...work.task, updated_at: INSTANT } }])
      }
    }
  })

  it('the last open task completes its list at that moment; the list reopens by itself', async () => {
    const { id } = await newList(company, work.project.id)
    const states: unknown[] = []
    const note = async () => {
      const { tasks_count, completed_tasks_count, completed, completed_at } = await list(id)
      states.push([tasks_count, completed_tasks_count, completed, completed_at])
    }
    await note()
    const [a, b] = [await newTask(company, id), await newTask(company, id)]
    const first = (await act(a.id, 'complete')).body.data.completed_at
    await note()
    const last = (await act(b.id, 'complete')).body.data.completed_at
    await note()
    const c = await newTask(company, id)
    await note()
    await company.api.delete(`/tasks/${c.id}`)
    await note()
    await act(b.id, 'incomplete')
    await note()
    await company.api.delete(`/tasks/${b.id}`)
    await note()
    await company.api.delete(`/tasks/${a.id}`)
    await note()
    expect(states).toEqual([
      [0, 0, false, null],
      [2, 1, false, null],
      [2, 2, true, last],
      [3, 2, false, null],
      [2, 2, true, last],
      [2, 1, false, null],
      [1, 1, true, first],
      [0, 0, false, null],
    ])
  })
})

describe('Moving', () => {
  it('keeps ref, comments, time and state, and moves the counts, within a project by slug and across by ref', async () => {
    const elsewhere = await newList(company, (await app.diwan.project(company)).id)
    const [source, target] = [
      await newList(company, work.project.id),
      await newList(company, work.project.id, { title: 'التالي' }),
    ]
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
    const before = (await company.api.get(`/projects/${work.project.id}`)).body.data.tasks_count
    const nested = `/projects/${SLUGS.project}/lists/${encodeURIComponent('التالي')}/tasks/${SLUGS.task}/move`
    const far = await company.api.post(nested, { list_id: elsewhere.id })
    expect(far.body.data).toEqual({
      ...kept,
      project_slug: elsewhere.project_slug,
      project_id: elsewhere.project_id,
      task_list_slug: SLUGS.list,
      task_list_id: elsewhere.id,
    })
    expect((await company.api.get(`/projects/${elsewhere.project_slug}`)).body.data.tasks_count).toBe(1)
    expect((await company.api.get(`/projects/${work.project.id}`)).body.data.tasks_count).toBe(before - 1)
    expect((await company.api.get(`/tasks/${task.id}/comments`)).body.data).toEqual([comment.data])
    expect((await act(task.id, 'move', { list_id: elsewhere.id })).body).toEqual(far.body)
  })

  it('to what is not a list within reach is refused with 422 and nothing moves', async () => {
    const before = (await company.api.get(`/tasks/${work.task.id}`)).body
    const foreign = await furnishWork(app.diwan)
    const other = await newList(company, (await app.diwan.project(company)).id, { title: 'Elsewhere' })
    const gone = await app.diwan.project(company)
    const lost = await newList(company, gone.id)
    await company.api.delete(`/projects/${gone.id}`)
    const bad = [
      'lst-0000000000',
      foreign.list.id,
      lost.id,
      work.task.id,
      work.project.id,
      'elsewhere',
      'missing',
      other.id.toUpperCase(),
    ]
    for (const list_id of [...bad, '', ' ', null, 5, [other.id], undefined]) {
      const message = expect.stringMatching(/^list_id /)
      expectRefusal(await act(work.task.id, 'move', { list_id }), 422, 'unprocessable_entity', message)
    }
    expect((await company.api.get(`/tasks/${work.task.id}`)).body).toEqual(before)
  })

  it('into an archived project is 403 and audited', async () => {
    const archived = await app.diwan.project(company)
    const target = await newList(company, archived.id)
    await company.api.post(`/projects/${archived.id}/archive`)
    expectRefusal(await act(work.task.id, 'move', { list_id: target.id }), 403, 'forbidden')
    expect(await audit(company)).toMatchObject([{ outcome: 'denied', operation: 'tasks:write', status: 403 }])
    expect((await list(target.id)).tasks_count).toBe(0)
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

  it('gives a slug that is free in the destination, and each task is found by its own', async () => {
    const [one, two] = [await newList(company, work.project.id), await newList(company, work.project.id)]
    const [mover, resident] = [await newTask(company, one.id), await newTask(company, two.id)]
    await act(mover.id, 'move', { list_id: two.id })
    const at = (listId: string, slug: string) =>
      company.api.get(`/projects/${work.project.id}/lists/${listId}/tasks/${slug}`)
    expect((await at(two.id, 'buy-desks')).body.data.id).toBe(resident.id)
    expect((await at(two.id, 'buy-desks-2')).body.data.id).toBe(mover.id)
    expect((await at(one.id, 'buy-desks')).status).toBe(404)
  })

  it('back to a list where the task retired a slug, takes that slug back or leaves it resolving', async () => {
    const [one, two] = [await newList(company, work.project.id), await newList(company, work.project.id)]
    const task = await newTask(company, one.id, { title: 'Old' })
    const rename = (title: string) => company.api.patch(`/tasks/${task.id}`, { title })
    const move = async (list_id: string) => expect((await act(task.id, 'move', { list_id })).status).toBe(200)
    const found = async (slug: string) =>
      (await company.api.get(`/projects/${work.project.id}/lists/${one.id}/tasks/${slug}`)).body.data?.id
    await rename('New')
    await move(two.id)
    expect([await found('old'), await found('new')]).toEqual([undefined, undefined])
    await move(one.id)
    expect([await found('old'), await found('new')]).toEqual([task.id, task.id])
    await move(two.id)
    await rename('Old')
    await move(one.id)
    await rename('Newer')
    expect([await found('old'), await found('newer')]).toEqual([task.id, task.id])
    const namesake = await newTask(company, one.id, { title: 'Old' })
    expect([await found('old'), await found('old-2')]).toEqual([task.id, namesake.id])
  })
})
