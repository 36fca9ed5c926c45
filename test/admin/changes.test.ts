import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { INSTANT, newComment, newDiscussion, newLink, newList, newTask } from '../support/factories.ts'

const app = useApp()

/** Two keys of a company, a project made with the first and a list in it made with the second. */
async function furnish() {
  const company = await app.diwan.company()
  const robot = app.diwan.api(await app.diwan.key(company.id, { name: 'Robot' }))
  const project = await app.diwan.project(company, { name: 'انتقال المكتب' })
  const list = await newList({ api: robot }, project.id)
  return { company, robot, project, list }
}

async function changes({ admin }: { admin: Client }, query = '') {
  const { status, body } = await admin.get(`/changes${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const last = async (company: TestCompany) => (await changes(company, '?limit=1'))[0]

async function keyNamed({ admin }: TestCompany, name: string) {
  const { data } = (await admin.get('/keys')).body
  return { id: data.find((key: { name: string }) => key.name === name).id as number, name, kind: 'key' }
}

describe('The list of changes', () => {
  it('says what was changed, by whom, with which key, as it is called now, and in which fields, newest first', async () => {
    const { company, robot, project, list } = await furnish()
    await robot.patch(`/lists/${list.id}`, { notes: 'Ten desks', priority: 'high' })
    const test = await keyNamed(company, 'Test')
    const { id } = await keyNamed(company, 'Robot')
    await created(robot.post(`/lists/${list.id}/tasks/batch`, { tasks: [{ title: 'One' }, { title: 'Two' }] }))
    await company.admin.patch(`/keys/${id}`, { name: 'روبوت' })
    await company.admin.delete(`/keys/${id}`)
    const byRobot = { id, name: 'روبوت', kind: 'key' }
    const inProject = { project: { id: project.id, name: 'انتقال المكتب' }, parent_id: null, parent_kind: null }
    const common = { at: INSTANT, ...inProject, actor: company.owner.name }
    const ofList = { kind: 'task_list', record: { type: 'task_list', id: list.id, title: 'Furniture' }, key: byRobot }
    const entries = await changes(company)
    expect(entries.splice(0, 2)).toMatchObject(Array(2).fill({ kind: 'task', change: 'created', key: byRobot }))
    expect(entries).toEqual([
      { ...common, ...ofList, id: expect.any(Number), change: 'updated', fields: ['notes', 'priority'] },
      { ...common, ...ofList, id: expect.any(Number), change: 'created', fields: null },
      {
        ...common,
        id: expect.any(Number),
        kind: 'project',
        change: 'created',
        record: { type: 'project', id: project.id, title: 'انتقال المكتب' },
        key: test,
        fields: null,
      },
    ])
    const ids = entries.map(({ id }: { id: number }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
  })

  it('names no key for what a person, the operator or the service did', async () => {
    const { company, project } = await furnish()
    await company.api.delete(`/projects/${project.id}`)
    await company.admin.post(`/trash/${project.id}/restore`)
    expect(await last(company)).toMatchObject({ change: 'restored', actor: company.owner.name, key: null })
    const { id } = await newDiscussion(company, project.id)
    await app.diwan.operator.patch(`/companies/${company.id}/discussions/${id}`, { category: 'News' })
    expect(await last(company)).toMatchObject({ change: 'updated', actor: 'operator', key: null })
    const file = await created(company.api.post(`/projects/${project.id}/files`, { name: 'a.txt', content: 'x' }))
    await app.database.pool.query(`update files set scan_state = 'clean' where ref = $1`, [file.data.ref])
    expect(await last(company)).toMatchObject({ change: 'scanned', actor: null, key: null })
  })

  it('tells what each kind of record is called now; a comment goes by what it is about', async () => {
    const { company, project, list } = await furnish()
    const task = await newTask(company, list.id)
    const discussion = await newDiscussion(company, project.id)
    const folder = await created(company.api.post(`/projects/${project.id}/folders`, { name: 'Plans' }))
    const file = await newLink(company, project.id, { folder_id: folder.data.id })
    const comments: unknown[] = []
    for (const [address, title] of [
      [`/lists/${list.id}`, 'Furniture'],
      [`/tasks/${task.id}`, 'Buy chairs'],
      [`/discussions/${discussion.id}`, 'Moving day'],
    ])
      comments.push([(await newComment(company, address as string)).id, title])
    await company.api.patch(`/tasks/${task.id}`, { title: 'Buy chairs' })
    const entries = await changes(company)
    const parents = entries.slice(0, 6).map((entry: Record<string, unknown>) => [entry.parent_kind, entry.parent_id])
    expect(parents).toEqual([
      ['task_list', list.id],
      ['discussion', discussion.id],
      ['task', task.id],
      ['task_list', list.id],
      ['folder', folder.data.id],
      [null, null],
    ])
    const titled = entries.map(({ record }: { record: Record<string, unknown> }) => [record.id, record.title])
    expect(titled).toEqual([
      [task.id, 'Buy chairs'],
      ...comments.reverse(),
      [file.ref, 'Plan.pdf'],
      [folder.data.id, 'Plans'],
      [discussion.id, 'Moving day'],
      [task.id, 'Buy chairs'],
      [list.id, 'Furniture'],
      [project.id, 'انتقال المكتب'],
    ])
  })

  it('has no title for what is gone, and keeps that of what is in the trash', async () => {
    const { company, project, list } = await furnish()
    const task = await newTask(company, list.id)
    await newComment(company, `/tasks/${task.id}`)
    const inList = await newTask(company, list.id)
    const discussion = await newDiscussion(company, project.id)
    const file = await newLink(company, project.id)
    for (const path of [
      `/tasks/${task.id}`,
      `/lists/${list.id}`,
      `/discussions/${discussion.id}`,
      `/files/${file.ref}`,
    ])
      expect((await company.api.delete(path)).status).toBe(200)
    const titles = new Map(
      (await changes(company)).map(({ record }: { record: { id: unknown; title: unknown } }) => [
        record.id,
        record.title,
      ]),
    )
    expect([task.id, inList.id, list.id, file.ref].map(id => titles.get(id))).toEqual([null, null, null, null])
    expect(titles.get(discussion.id)).toBe('Moving day')
    expect((await changes(company, '?kind=comment'))[0].record.title).toBeNull()
    await company.api.delete(`/projects/${project.id}`)
    expect(await last(company)).toMatchObject({
      change: 'deleted',
      record: { id: project.id, title: 'انتقال المكتب' },
      project: { id: project.id, name: 'انتقال المكتب' },
    })
  })

  it('counts exactly up to 10,000, looks for a filter among as many a page, and its cursor leads on past those', async () => {
    const { company, project } = await furnish()
    const add = (count: number) =>
      app.database.pool.query(
        `insert into changes (company_id, kind, change, record_id, project_id)
         select $1, 'task', 'updated', 'tsk-0000000000', 'prj-0000000000' from generate_series(1, $2::int)`,
        [company.id, count],
      )
    const page = async (query: string) => (await company.admin.get(`/changes?limit=1${query}`)).body
    await add(9_998)
    expect((await page('')).meta).toEqual(expect.not.objectContaining({ total_is_lower_bound: expect.anything() }))
    expect((await page('&kind=task')).meta.total).toBe(9_998)
    await add(2)
    expect((await page('')).meta).toMatchObject({ total: 10_000, total_is_lower_bound: true })
    expect((await page('&kind=folder')).meta).toMatchObject({ total: 0, total_is_lower_bound: true })
    const first = await page('&kind=project')
    expect(first.data).toEqual([])
    const next = await page(`&kind=project&cursor=${first.meta.next_cursor}`)
    expect([next.data[0].record.id, next.meta.next_cursor]).toEqual([project.id, null])
    // What is older than all that is wanted is no reason to go on.
    await app.database.pool.query(`update changes set at = '2026-01-01' where company_id = $1`, [company.id])
    const { id } = await app.diwan.project(company, { name: 'Later' })
    const { data, meta } = await page('&kind=project&from=2026-06-01')
    expect([data[0].record.id, meta.total, meta.next_cursor]).toEqual([id, 1, null])
    expect(meta).not.toHaveProperty('total_is_lower_bound')
    expect((await page('&to=2026-06-01')).data).toMatchObject([{ kind: 'task', at: '2026-01-01T00:00:00.000Z' }])
  })
})

describe('The list of changes, filtered', () => {
  let company: TestCompany
  let robotId: number
  let first: { id: string; slug: string }
  let second: { id: string; slug: string }
  let list: { id: string }
  beforeAll(async () => {
    const furnished = await furnish()
    company = furnished.company
    first = furnished.project
    list = furnished.list
    robotId = (await keyNamed(company, 'Robot')).id
    second = await app.diwan.project(company, { name: 'Second' })
    await app.database.pool.query(`update changes set at = '2026-01-31T21:30:00Z' where company_id = $1`, [company.id])
    await newTask({ api: furnished.robot }, list.id)
  })
  const found = async (query: string) =>
    (await changes(company, query)).map(({ record }: { record: { type: string } }) => record.type)

  it('has what a key did, what happened to a kind of record or in a project, deleted or not, and what lies between two times', async () => {
    expect(await found(`?key_id=${robotId}`)).toEqual(['task', 'task_list'])
    expect(await found(`?key_id=${robotId}&kind=task`)).toEqual(['task'])
    expect(await found('?kind=project')).toEqual(['project', 'project'])
    expect(await found(`?project=${first.id}`)).toEqual(['task', 'task_list', 'project'])
    expect(await found(`?project=${encodeURIComponent(first.slug)}`)).toEqual(['task', 'task_list', 'project'])
    expect(await found(`?project=${second.slug}`)).toEqual(['project'])
    expect(await found('?project=missing')).toEqual([])
    expect(await found('?project=prj-0000000000')).toEqual([])
    // Half past midnight of the first of February, in Riyadh.
    expect(await found('?to=2026-01-31')).toEqual([])
    expect(await found('?to=2026-02-01')).toEqual(['project', 'task_list', 'project'])
    expect(await found('?from=2026-02-01&to=2026-02-01')).toEqual(['project', 'task_list', 'project'])
    expect(await found('?from=2026-02-02')).toEqual(['task'])
    expect(await found('?from=2026-01-31T21:30:01Z')).toEqual(['task'])
    expect(await found(`?from=2026-01-31T21:30:00Z&key_id=${robotId}`)).toEqual(['task', 'task_list'])
    expect(await found('?from=2027-01-01')).toEqual([])
    await company.api.delete(`/projects/${second.id}`)
    expect(await found(`?project=${second.id}`)).toEqual(['project', 'project'])
    expect(await found(`?project=${second.slug}`)).toEqual([])
    for (const filter of ['key_id=x', 'key_id=0', 'kind=event', 'project=%20', 'project=%00', 'from=then', 'to=%20']) {
      const { status, body } = await company.admin.get(`/changes?${filter}`)
      const message = expect.stringMatching(`^${filter.split('=')[0]} `)
      expect([filter, status, body.error.message]).toEqual([filter, 422, message])
    }
  })
})
