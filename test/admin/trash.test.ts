import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { furnishWork, INSTANT } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

const NOT_FOUND = { error: { code: 'not_found', message: 'The record was not found.' } }

describe('POST …/trash/{ref}/restore', () => {
  it('brings the record back as it was: ref, slug and fields', async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company, {
      name: 'Office move',
      start_date: '2026-11-01',
      is_public: false,
    })
    await company.api.delete(`/projects/${project.id}`)
    expect((await company.api.get(`/projects/${project.id}`)).status).toBe(404)
    expect((await company.admin.get('/trash')).body).toEqual({
      data: [
        { type: 'project', id: project.id, title: 'Office move', deleted_at: INSTANT, deleted_by: company.owner.name },
      ],
      meta: { total: 1, limit: 50, offset: 0, count: 1, next_cursor: null },
    })
    const namesake = await app.diwan.project(company, { name: 'Office move' })
    expect(namesake.slug).not.toBe(project.slug)

    const { status, body } = await company.admin.post(`/trash/${project.id}/restore`)
    expect([status, body]).toEqual([200, { data: project }])
    for (const handle of [project.id, project.slug])
      expect((await company.api.get(`/projects/${handle}`)).body).toEqual({ data: project })
    expect((await company.admin.get('/trash')).body.data).toEqual([])
  })

  it('brings back a discussion with what it held', async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company)
    const made = await company.api.post(`/projects/${project.id}/discussions`, { title: 'موعد الانتقال', body: 'متى؟' })
    const { data } = made.body
    await company.api.delete(`/discussions/${data.id}`)
    expect((await company.admin.get('/trash')).body.data).toEqual([
      { type: 'discussion', id: data.id, title: data.title, deleted_at: INSTANT, deleted_by: company.owner.name },
    ])
    const { status, body } = await company.admin.post(`/trash/${data.id}/restore`)
    expect([status, body]).toEqual([200, { data }])
    expect((await company.api.get(`/discussions/${data.id}`)).body).toEqual({ data })
  })

  it('of a discussion is 403 while its project is archived, and 422 that names the project while that is deleted', async () => {
    const { company, project, discussion } = await furnishWork(app.diwan)
    await company.api.delete(`/discussions/${discussion.id}`)
    await company.api.post(`/projects/${project.id}/archive`)
    const restore = (ref: string) => company.admin.post(`/trash/${ref}/restore`)
    expectRefusal(await restore(discussion.id), 403, 'forbidden', 'The project is archived. Unarchive it first.')
    await company.api.post(`/projects/${project.id}/unarchive`)
    await company.api.delete(`/projects/${project.id}`)
    expectRefusal(
      await restore(discussion.id),
      422,
      'unprocessable_entity',
      `project ${project.name} (${project.id}) is deleted: restore it first`,
    )
    expect((await company.admin.get('/trash')).body.meta.total).toBe(2)
    for (const ref of [project.id, discussion.id]) expect((await restore(ref)).status).toBe(200)
    expect((await company.api.get(`/discussions/${discussion.id}`)).body.data.title).toBe(discussion.title)
  })

  it('finds only what is in the trash of the own company', async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    const alive = await app.diwan.project(company)
    const restored = await app.diwan.project(company)
    await company.api.delete(`/projects/${restored.id}`)
    await company.admin.post(`/trash/${restored.id}/restore`)
    const foreign = await app.diwan.project(elsewhere)
    await elsewhere.api.delete(`/projects/${foreign.id}`)
    const handles = [alive.id, restored.id, foreign.id, 'prj-0000000000', 'tsk-0000000000', restored.slug]
    for (const handle of handles) {
      const { status, body } = await company.admin.post(`/trash/${handle}/restore`)
      expect([handle, status, body]).toEqual([handle, 404, NOT_FOUND])
    }
    expect((await elsewhere.admin.get('/trash')).body.meta.total).toBe(1)
  })
})
