import { beforeAll, describe, expect, it } from 'vitest'
import { removeList } from '../../src/jobs/remove-list.ts'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { audit, furnishWork, INSTANT, newComment, newList, newTask, SLUGS, type Work } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  company = work.company
})

describe('A task list', () => {
  it('is created with 201, and shown whole when it is read', async () => {
    const sent = { title: '  قائمة\n🚀 ', notes: 'line 1\r\nline 2 <b>&amp;</b>\n', priority: 'urgent' }
    const { status, body } = await company.api.post(`/projects/${work.project.id}/lists`, sent)
    expect([status, body.data]).toEqual([
      201,
      {
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
    ])
    expect((await company.api.get(`/lists/${body.data.id}`)).body).toEqual(body)
    for (const fields of [{}, { notes: null, priority: null }])
      expect(await newList(company, work.project.id, fields)).toMatchObject({ notes: null, priority: null })
  })
})

describe('DELETE of a list', () => {
  /** More than the job removes in one step. */
  const TASKS = 300
  let own: Work
  let listId: number
  beforeAll(async () => {
    own = await furnishWork(app.diwan)
    await newComment(own.company, `/lists/${own.list.id}`)
    await newComment(own.company, `/tasks/${own.task.id}`)
    const { rows } = await app.database.pool.query(
      `insert into tasks (company_id, project_id, task_list_id, ref, slug, title, created_by)
       select company_id, project_id, id, 'tsk-' || lpad(id || 'x' || n, 10, '0'), 'desk-' || n + 1, 'Desk', created_by
       from task_lists, generate_series(1, $2) n where company_id = $1 and ref = $3 returning task_list_id`,
      [own.company.id, TASKS - 1, own.list.id],
    )
    listId = rows[0].task_list_id
  })

  const counts = async () => {
    const { task_lists_count, tasks_count } = (await own.company.api.get(`/projects/${own.project.id}`)).body.data
    return { task_lists_count, tasks_count }
  }
  const left = async () => {
    const { rows } = await app.database.pool.query(
      `select (select count(*)::int from task_lists where company_id = $1) as lists,
              (select count(*)::int from tasks where company_id = $1) as tasks,
              (select count(*)::int from comments where company_id = $1) as comments`,
      [own.company.id],
    )
    return rows[0]
  }
  const remove = () =>
    removeList(app.database, { company_id: own.company.id, task_list_id: listId }, new AbortController().signal)

  it('needs delete_any_task_or_list also of the one who created it; the refusal is audited', async () => {
    const api = app.diwan.api(await app.diwan.key(own.company.id, { rights: ['manage_files', 'delete_any_file'] }))
    expectRefusal(await api.delete(`/lists/${own.list.id}`), 403, 'forbidden')
    const [entry] = await audit(own.company)
    expect(entry).toMatchObject({ outcome: 'denied', operation: 'task_lists:destructive', status: 403 })
    expect(await counts()).toEqual({ task_lists_count: 1, tasks_count: TASKS })
  })

  it('is for good, and counted: everything in it is gone from every read, and it takes nothing more in', async () => {
    const { api } = own.company
    const kept = await newList(own.company, own.project.id, { title: 'Network' })
    const bench = await newTask(own.company, kept.id, { title: 'Bench' })
    const { status, body } = await api.delete(`/projects/${SLUGS.project}/lists/${SLUGS.list}`)
    const task_list = { title: 'Furniture', id: own.list.id, slug: 'furniture' }
    expect([status, body]).toEqual([200, { data: { deleted: true, task_list, deleted_tasks: TASKS } }])

    const nested = `/projects/${SLUGS.project}/lists/${SLUGS.list}`
    for (const address of [nested, `/tasks/${own.task.id}`])
      expect([address, (await api.get(address)).status]).toEqual([address, 404])
    expect((await api.post(`/tasks/${bench.id}/move`, { list_id: own.list.id })).status).toBe(422)
    for (const q of ['furniture', 'desk']) expect((await api.get(`/search?q=${q}`)).body.data.results).toEqual([])
    const lists = (await api.get(`/projects/${own.project.id}/lists`)).body
    expect([lists.data.map(({ id }: { id: string }) => id), lists.meta.total]).toEqual([[kept.id], 1])
    expect(await counts()).toEqual({ task_lists_count: 1, tasks_count: 1 })
    const again = (await created(api.post(`/projects/${own.project.id}/lists`, { title: 'Furniture' }))).data
    expect((await api.get(nested)).body.data.id).toBe(again.id)
  })

  it('leaves it to a job to remove it from the database, in steps; the counts stay true', async () => {
    expect(await left()).toEqual({ lists: 3, tasks: TASKS + 1, comments: 2 })
    await remove()
    expect(await left()).toEqual({ lists: 2, tasks: 1, comments: 0 })
    expect(await counts()).toEqual({ task_lists_count: 2, tasks_count: 1 })
    // Nor does it remove a list that nobody has deleted.
    const { rows } = await app.database.pool.query('select id from task_lists where company_id = $1', [own.company.id])
    await app.database.pool.query('delete from tasks where company_id = $1', [own.company.id])
    for (const { id } of rows)
      await removeList(app.database, { company_id: own.company.id, task_list_id: id }, new AbortController().signal)
    expect((await left()).lists).toBe(2)
  })
})
