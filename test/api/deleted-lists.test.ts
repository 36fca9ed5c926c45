import { beforeEach, describe, expect, it } from 'vitest'
import { removeList } from '../../src/jobs/remove-list.ts'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'

const app = useApp()
const TASKS = 1_200

describe('A task list that is deleted with many tasks', () => {
  let company: TestCompany
  let project: { id: string; slug: string }
  let list: { id: string }
  let listId: number
  let task: string

  beforeEach(async () => {
    company = await app.diwan.company()
    project = (await created(company.api.post('/projects', { name: 'Office move' }))).data
    list = (await created(company.api.post(`/projects/${project.id}/lists`, { title: 'Furniture' }))).data
    task = (await created(company.api.post(`/lists/${list.id}/tasks`, { title: 'Wardrobe' }))).data.id
    await company.api.post(`/lists/${list.id}/comments`, { content: 'First the desks' })
    await company.api.post(`/tasks/${task}/comments`, { content: 'Two doors' })
    const kept = (await created(company.api.post(`/projects/${project.id}/lists`, { title: 'Network' }))).data
    await company.api.post(`/lists/${kept.id}/tasks`, { title: 'Cables' })
    const { rows } = await app.database.pool.query(
      `insert into tasks (company_id, project_id, task_list_id, ref, slug, title, created_by)
       select company_id, project_id, id, 'tsk-' || lpad(id || 'x' || n, 10, '0'), 'wardrobe-' || n + 1, 'Wardrobe', created_by
       from task_lists, generate_series(1, $2) n where company_id = $1 and ref = $3 returning task_list_id`,
      [company.id, TASKS - 1, list.id],
    )
    listId = rows[0].task_list_id
  })

  const counts = async () => {
    const { task_lists_count, tasks_count } = (await company.api.get(`/projects/${project.id}`)).body.data
    return { task_lists_count, tasks_count }
  }
  const left = async (table: string) =>
    Number(
      (await app.database.pool.query(`select count(*) from ${table} where company_id = $1`, [company.id])).rows[0]
        .count,
    )
  const remove = (signal = new AbortController().signal) =>
    removeList(app.database, { company_id: company.id, task_list_id: listId }, signal)

  it('is gone at once from every read, with everything in it, and counted', async () => {
    expect(await counts()).toEqual({ task_lists_count: 2, tasks_count: TASKS + 1 })
    const { status, body } = await company.api.delete(`/lists/${list.id}`)
    expect([status, body.data.deleted_tasks]).toEqual([200, TASKS])

    const paths = [
      `/lists/${list.id}`,
      `/projects/${project.id}/lists/furniture`,
      `/lists/${list.id}/tasks`,
      `/lists/${list.id}/comments`,
      `/tasks/${task}`,
      `/tasks/${task}/comments`,
      `/projects/${project.id}/lists/furniture/tasks/wardrobe`,
    ]
    const answers = await Promise.all(paths.map(path => company.api.get(path)))
    expect(answers.map(answer => answer.status)).toEqual(paths.map(() => 404))
    expect((await company.api.post(`/tasks/${task}/complete`)).status).toBe(404)
    expect((await company.api.delete(`/lists/${list.id}`)).status).toBe(404)
    expect((await company.api.get('/search?q=wardrobe')).body.data.results).toEqual([])
    expect((await company.api.get('/search?q=furniture')).body.data.results).toEqual([])
    const { data, meta } = (await company.api.get(`/projects/${project.id}/lists`)).body
    expect([data.length, meta.total]).toEqual([1, 1])
    expect(await counts()).toEqual({ task_lists_count: 1, tasks_count: 1 })
  })

  it('takes nothing more in, and gives its slug to the next of its name', async () => {
    const other = (await created(company.api.post(`/projects/${project.id}/lists`, { title: 'Garden' }))).data
    const moving = (await created(company.api.post(`/lists/${other.id}/tasks`, { title: 'Bench' }))).data.id
    await company.api.delete(`/lists/${list.id}`)
    expect((await company.api.post(`/lists/${list.id}/tasks`, { title: 'Late' })).status).toBe(404)
    expect((await company.api.post(`/tasks/${moving}/move`, { list_id: list.id })).status).toBe(422)
    const again = (await created(company.api.post(`/projects/${project.id}/lists`, { title: 'Furniture' }))).data
    const { body } = await company.api.get(`/projects/${project.id}/lists/furniture`)
    expect(body.data.id).toBe(again.id)
  })

  it('is removed from the database by its job, in steps, and the counts stay true', async () => {
    await company.api.delete(`/lists/${list.id}`)
    expect(await left('tasks')).toBe(TASKS + 1)
    await remove()
    expect([await left('tasks'), await left('task_lists'), await left('comments')]).toEqual([1, 1, 0])
    expect(await counts()).toEqual({ task_lists_count: 1, tasks_count: 1 })
    await remove()
    expect(await left('task_lists')).toBe(1)
  })

  it('is not removed by a job when it was not deleted', async () => {
    await app.database.pool.query('delete from tasks where company_id = $1', [company.id])
    await remove()
    expect((await company.api.get(`/lists/${list.id}`)).status).toBe(200)
  })
})
