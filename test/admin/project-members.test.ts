import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { inPagesOfTwo } from '../support/furnished.ts'

const app = useApp()

const NOT_FOUND = { error: { code: 'not_found', message: 'The record was not found.' } }

async function privateProject() {
  const company = await app.diwan.company()
  const project = await app.diwan.project(company, { name: 'مشروع خاص', is_public: false })
  const person = await app.diwan.person(company.id, { name: 'هدى' })
  return { company, project, person, path: `/projects/${project.id}/members` }
}

const shown = ({ id, name, email, role }: { id: number; name: string; email: string; role: string }) => ({
  id,
  name,
  email,
  role,
})

describe('Members of a private project', () => {
  it('are at first the signature of the key that created it', async () => {
    const { company, path } = await privateProject()
    const { status, body } = await company.admin.get(path)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [shown({ role: 'owner', ...company.owner })],
      meta: { total: 1, limit: 50, offset: 0, count: 1, next_cursor: null },
    })
  })

  it('grow by who is added, once however often, and these can be assigned', async () => {
    const { company, project, person, path } = await privateProject()
    for (let n = 0; n < 2; n++) {
      const { status, body } = await company.admin.post(path, { user_id: person.id })
      expect([status, body]).toEqual([201, { data: shown(person) }])
    }
    expect((await company.admin.get(path)).body.meta.total).toBe(2)
    const assignable = (await company.api.get(`/projects/${project.id}/members`)).body.data
    expect(assignable.map(({ email }: { email: string }) => email).sort()).toEqual(
      [company.owner.email, person.email].sort(),
    )
  })

  it('shrink by who is removed, who can then no longer be assigned', async () => {
    const { company, project, person, path } = await privateProject()
    await company.admin.post(path, { user_id: person.id })
    const { status, body } = await company.admin.delete(`${path}/${person.id}`)
    expect([status, body]).toEqual([200, { data: { deleted: true, member: shown(person) } }])
    const assignable = (await company.api.get(`/projects/${project.id}/members`)).body.data
    expect(assignable.map(({ email }: { email: string }) => email)).toEqual([company.owner.email])
    const again = await company.admin.delete(`${path}/${person.id}`)
    expect([again.status, again.body]).toEqual([404, NOT_FOUND])
  })

  it('are reached by ref, by slug and by a retired slug', async () => {
    const { company, project } = await privateProject()
    await company.api.patch(`/projects/${project.id}`, { name: 'Renamed' })
    for (const handle of [project.id, 'renamed', encodeURIComponent(project.slug)])
      expect((await company.admin.get(`/projects/${handle}/members`)).body.meta.total).toBe(1)
  })

  it('come in pages', async () => {
    const { company, path } = await privateProject()
    for (let n = 0; n < 2; n++) {
      const { id } = await app.diwan.person(company.id)
      await company.admin.post(path, { user_id: id })
    }
    const pages = await inPagesOfTwo(company.admin, path)
    expect(pages.map(page => page.meta)).toEqual([
      { total: 3, limit: 2, offset: 0, count: 2, next_cursor: expect.any(String) },
      { total: 3, limit: 2, offset: 2, count: 1, next_cursor: null },
      { total: 3, limit: 2, offset: 4, count: 0, next_cursor: null },
    ])
    expect(new Set(pages.flatMap(page => page.data.map(({ id }: { id: number }) => id))).size).toBe(3)
  })

  it.each([
    ["can't be blank", {}],
    ["can't be blank", { user_id: null }],
    ['must be a whole number', { user_id: '1' }],
    ['must be a whole number', { user_id: 1.5 }],
    ['must be at least 1', { user_id: 0 }],
    ['must be at least 1', { user_id: -1 }],
    ['must be at most', { user_id: 1e20 }],
    ['must be', { user_id: 9_007_199_254_740_991 }],
    ['must be', { user_id: 999_999 }],
  ])('answer 422 with "user_id %s" to %j', async (problem, sent) => {
    const { company, path } = await privateProject()
    const { status, body } = await company.admin.post(path, sent)
    expect(status).toBe(422)
    expect(body.error.message.startsWith(`user_id ${problem}`), body.error.message).toBe(true)
  })

  it('are never people of another company, nor people who have left', async () => {
    const { company, person, path } = await privateProject()
    const elsewhere = await app.diwan.company()
    await company.admin.patch(`/users/${person.id}`, { active: false })
    for (const user_id of [elsewhere.owner.id, person.id]) {
      const { status, body } = await company.admin.post(path, { user_id })
      expect([status, body.error.message.split(' ')[0]]).toEqual([422, 'user_id'])
    }
    expect((await company.admin.get(path)).body.meta.total).toBe(1)
  })

  it("are not found for a deleted project, another company's project, or one that never was", async () => {
    const { company, project, person } = await privateProject()
    const elsewhere = await privateProject()
    await company.api.delete(`/projects/${project.id}`)
    for (const handle of [project.id, elsewhere.project.id, 'prj-0000000000', 'no-such-slug']) {
      const path = `/projects/${handle}/members`
      const answers = [
        await company.admin.get(path),
        await company.admin.post(path, { user_id: person.id }),
        await company.admin.delete(`${path}/${company.owner.id}`),
      ]
      for (const { status, body } of answers) expect([handle, status, body]).toEqual([handle, 404, NOT_FOUND])
    }
    expect((await elsewhere.company.admin.get(elsewhere.path)).body.meta.total).toBe(1)
  })
})
