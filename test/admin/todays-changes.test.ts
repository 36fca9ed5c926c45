import { beforeEach, describe, expect, it } from 'vitest'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { INSTANT, newComment, newList, newTask } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

describe('What changed today', () => {
  let company: TestCompany
  let project: { id: string }
  let list: { id: string }
  let member: Awaited<ReturnType<typeof app.diwan.person>>

  beforeEach(async () => {
    company = await app.diwan.company()
    project = await app.diwan.project(company, { name: 'Website' })
    list = await newList(company, project.id, { title: 'Texts' })
    member = await app.diwan.person(company.id)
  })

  const recordsOf = (token: string): Client => app.diwan.client(`/admin/v1/companies/${company.id}/records`, token)
  const today = async (token = member.token) => (await recordsOf(token).get('/me/today')).body.data

  it('is counted by person, kind and project, the latest first, with the last record of each', async () => {
    const tasks = []
    for (const title of ['One', 'Two', 'Three']) tasks.push(await newTask(company, list.id, { title }))
    for (const { id } of tasks) await recordsOf(member.token).post(`/tasks/${id}/complete`)
    const comment = await newComment(company, `/tasks/${tasks[0].id}`)
    const of = { project: { id: project.id, name: 'Website' } }
    const entry = (kind: string, change: string, count: number, latest: object, actor = company.owner.name) => ({
      ...of,
      actor,
      kind,
      change,
      count,
      latest: { at: INSTANT, parent_id: null, parent_kind: null, ...latest },
    })
    const three = { id: tasks[2].id, title: 'Three', parent_id: list.id, parent_kind: 'task_list' }
    const about = { parent_id: tasks[0].id, parent_kind: 'task' }
    expect(await today()).toEqual([
      entry('comment', 'created', 1, { id: comment.id, title: 'One', ...about }),
      entry('task', 'completed', 3, three, member.name),
      entry('task', 'created', 3, three),
      entry('task_list', 'created', 1, { id: list.id, title: 'Texts' }),
      entry('project', 'created', 1, { id: project.id, title: 'Website' }),
    ])
  })

  it('does not tell what a task is called since it was moved out of sight, nor what a comment on it is about', async () => {
    const task = await newTask(company, list.id, { title: 'Plans' })
    await newComment(company, `/tasks/${task.id}`)
    const hidden = await app.diwan.project(company, { is_public: false })
    const elsewhere = await newList(company, hidden.id)
    await company.api.post(`/tasks/${task.id}/move`, { list_id: elsewhere.id })
    await company.api.patch(`/tasks/${task.id}`, { title: 'Secret merger' })
    const shown = await today()
    expect(JSON.stringify(shown)).not.toContain('Secret')
    const of = (kind: string) => shown.find((each: { kind: string }) => each.kind === kind)
    expect([of('task').latest.title, of('comment').latest.title]).toEqual([null, null])
    const seenByOwner = await today(company.ownerToken)
    expect(JSON.stringify(seenByOwner)).toContain('Secret merger')
  })

  it('counts a record once, however often it was changed, and nothing from before midnight where the company is', async () => {
    const task = await newTask(company, list.id)
    for (const title of ['Two', 'Three']) await company.api.patch(`/tasks/${task.id}`, { title })
    expect((await today())[0]).toMatchObject({ kind: 'task', change: 'updated', count: 1, latest: { title: 'Three' } })
    const midnight = `date_trunc('day', now() at time zone 'Asia/Riyadh') at time zone 'Asia/Riyadh'`
    await app.database.pool.query(
      `update changes set at = ${midnight} - case kind when 'task' then interval '0' else interval '1 second' end
       where company_id = $1`,
      [company.id],
    )
    expect((await today()).map(({ kind }: { kind: string }) => kind)).toEqual(['task', 'task'])
  })

  it('leaves out projects that the person does not see or that were deleted, has twelve entries at most, and is for people', async () => {
    const hidden = await app.diwan.project(company, { name: 'Secret', is_public: false })
    await newList(company, hidden.id)
    const names = async (token?: string) => [
      ...new Set((await today(token)).map(({ project }: { project: { name: string } }) => project.name)),
    ]
    expect([await names(), await names(company.ownerToken)]).toEqual([['Website'], ['Secret', 'Website']])
    await created(company.admin.post(`/projects/${hidden.id}/members`, { user_id: member.id }))
    expect(await names()).toEqual(['Secret', 'Website'])
    await company.api.delete(`/projects/${project.id}`)
    expect(await names()).toEqual(['Secret'])
    for (let n = 0; n < 13; n++) await app.diwan.project(company, { name: `Project ${n}` })
    expect(await today()).toHaveLength(12)
    expectRefusal(await recordsOf(OPERATOR_TOKEN).get('/me/today'), 403, 'forbidden')
  })
})
