import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

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
  it('are at first the signature of the key that created it, and then who is added, who can be assigned, at its ref and slugs, retired too', async () => {
    const { company, project, person, path } = await privateProject()
    const owner = shown({ role: 'owner', ...company.owner })
    const expectMembers = async (members: object[]) => {
      const meta = { total: members.length, limit: 50, offset: 0, count: members.length, next_cursor: null }
      expect((await company.admin.get(path)).body).toEqual({ data: members, meta })
      const assignable = (await company.api.get(`/projects/${project.id}/members`)).body.data
      expect(assignable.map(({ email }: { email: string }) => email).sort()).toEqual(
        members.map(member => (member as { email: string }).email).sort(),
      )
    }
    await expectMembers([owner])
    for (let n = 0; n < 2; n++) {
      const { status, body } = await company.admin.post(path, { user_id: person.id })
      expect([status, body]).toEqual([201, { data: shown(person) }])
    }
    await expectMembers([owner, shown(person)])
    const { status, body } = await company.admin.delete(`${path}/${person.id}`)
    expect([status, body]).toEqual([200, { data: { deleted: true, member: shown(person) } }])
    await expectMembers([owner])
    expectRefusal(await company.admin.delete(`${path}/${person.id}`), 404, 'not_found')
    await company.api.patch(`/projects/${project.id}`, { name: 'Renamed' })
    for (const handle of [project.id, 'renamed', encodeURIComponent(project.slug)])
      expect((await company.admin.get(`/projects/${handle}/members`)).body.meta.total).toBe(1)
  })

  it('are active people of the company: 422 naming user_id for anything else', async () => {
    const { company, person, path } = await privateProject()
    const elsewhere = await app.diwan.company()
    await company.admin.patch(`/users/${person.id}`, { active: false })
    for (const user_id of [undefined, null, '1', 1.5, 0, 1e20, 999_999, elsewhere.owner.id, person.id])
      expectRefusal(
        await company.admin.post(path, { user_id }),
        422,
        'unprocessable_entity',
        expect.stringMatching(/^user_id /),
      )
    expect((await company.admin.get(path)).body.meta.total).toBe(1)
  })

  it("are not found for a deleted project, another company's project, or one that never was", async () => {
    const { company, project, person } = await privateProject()
    const elsewhere = await privateProject()
    await company.api.delete(`/projects/${project.id}`)
    for (const handle of [project.id, elsewhere.project.id, 'no-such-slug']) {
      const path = `/projects/${handle}/members`
      expectRefusal(await company.admin.get(path), 404, 'not_found')
      expectRefusal(await company.admin.post(path, { user_id: person.id }), 404, 'not_found')
      expectRefusal(await company.admin.delete(`${path}/${company.owner.id}`), 404, 'not_found')
    }
    expect((await elsewhere.company.admin.get(elsewhere.path)).body.meta.total).toBe(1)
  })
})

describe('GET …/projects', () => {
  it('lists the projects of the company alone, archived ones too, newest first, as the API shows them', async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    await app.diwan.project(elsewhere, { name: 'Elsewhere' })
    const one = await app.diwan.project(company, { name: 'One' })
    const two = await app.diwan.project(company, { name: 'Two' })
    const three = await app.diwan.project(company, { name: 'Three' })
    await company.api.post(`/projects/${two.id}/archive`)
    await company.api.delete(`/projects/${three.id}`)
    const { body } = await company.admin.get('/projects')
    expect(body.data).toEqual([expect.objectContaining({ id: two.id, archived: true }), one])
    expect(body.meta).toEqual({ total: 2, limit: 50, offset: 0, count: 2, next_cursor: null })
  })

  it('finds them by part of their name, in any spelling', async () => {
    const company = await app.diwan.company()
    const [arabic, latin] = ['إفتتاح الفرع', 'Website launch 100%']
    for (const name of [latin, arabic]) await app.diwan.project(company, { name })
    for (const [q, found] of [
      ['افتتاح', [arabic]],
      ['LAUNCH', [latin]],
      ['websité', [latin]],
      ['١٠٠', [latin]],
      ['%', []],
      ['_', []],
      [' ', [arabic, latin]],
      ['x'.repeat(3000), []],
    ] as const) {
      const { status, body } = await company.admin.get(`/projects?q=${encodeURIComponent(q)}`)
      const names = body.data.map(({ name }: { name: string }) => name)
      expect([q, status, names, body.meta.total]).toEqual([q, 200, found, found.length])
    }
  })
})
