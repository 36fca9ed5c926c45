import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

const membersOf = async ({ api }: TestCompany, project: { id: string }) =>
  (await api.get(`/projects/${project.id}/members`)).body.data
const emailsOf = async (company: TestCompany, project: { id: string }) =>
  (await membersOf(company, project)).map(({ email }: { email: string }) => email).sort()
const emails = (...people: { email: string }[]) => people.map(({ email }) => email).sort()

describe('The members of a project', () => {
  it('are, when it is public, all active people of the company with the display names of their roles', async () => {
    const company = await app.diwan.company({ owner: { name: 'ليلى حدّاد', email: 'layla@example.com' } })
    await app.diwan.person(company.id, { name: 'يوسف المنصور', email: 'yusuf@example.com', role: 'manager' })
    await app.diwan.person(company.id, { name: 'Omar Aziz', email: 'Omar@Example.com' })
    await app.diwan.person(company.id, { name: 'Gone', email: 'gone@example.com', active: false })
    const project = await app.diwan.project(company)
    const { status, body } = await company.api.get(`/projects/${project.id}/members`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['data'])
    expect(body.data).toHaveLength(3)
    expect(body.data).toEqual(
      expect.arrayContaining([
        { name: 'ليلى حدّاد', email: 'layla@example.com', role: 'Owner' },
        { name: 'يوسف المنصور', email: 'yusuf@example.com', role: 'Manager' },
        { name: 'Omar Aziz', email: 'Omar@Example.com', role: 'Member' },
      ]),
    )
  })

  it('are, when it is private, at first the signature of the key alone, then whoever was made a member', async () => {
    const company = await app.diwan.company()
    const [signer, member] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
    await app.diwan.person(company.id)
    const api = app.diwan.api(await app.diwan.key(company.id, { created_by: signer.id }))
    const { data: project } = (await api.post('/projects', { name: 'Secret', is_public: false })).body
    expect(await membersOf(company, project)).toEqual([{ name: signer.name, email: signer.email, role: 'Member' }])
    await company.admin.post(`/projects/${project.id}/members`, { user_id: member.id })
    expect(await emailsOf(company, project)).toEqual(emails(signer, member))
    await company.admin.delete(`/projects/${project.id}/members/${signer.id}`)
    expect(await emailsOf(company, project)).toEqual(emails(member))
    await company.admin.delete(`/projects/${project.id}/members/${member.id}`)
    expect(await membersOf(company, project)).toEqual([])
    expect((await company.api.get(`/projects/${project.id}`)).status).toBe(200)
  })

  it('leave with their deactivation and come back with their return, from public and private projects', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const projects = [await app.diwan.project(company), await app.diwan.project(company, { is_public: false })]
    await company.admin.post(`/projects/${projects[1].id}/members`, { user_id: person.id })
    for (const active of [true, false, true]) {
      await company.admin.patch(`/users/${person.id}`, { active })
      const expected = active ? emails(company.owner, person) : emails(company.owner)
      for (const project of projects) expect(await emailsOf(company, project)).toEqual(expected)
    }
  })

  it('follow a project that becomes private, and public again', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id)
    const project = await app.diwan.project(company)
    expect(await emailsOf(company, project)).toEqual(emails(company.owner, person))
    await company.api.patch(`/projects/${project.id}`, { is_public: false })
    expect(await emailsOf(company, project)).toEqual(emails(company.owner))
    await company.api.patch(`/projects/${project.id}`, { is_public: true })
    expect(await emailsOf(company, project)).toEqual(emails(company.owner, person))
  })

  it('are never of another company', async () => {
    const [company, other] = [await app.diwan.company(), await app.diwan.company()]
    const project = await app.diwan.project(company)
    expect(await emailsOf(company, project)).toEqual(emails(company.owner))
    expectRefusal(await other.api.get(`/projects/${project.id}/members`), 404, 'not_found')
    const answer = await company.admin.post(`/projects/${project.id}/members`, { user_id: other.owner.id })
    expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(/^user_id /))
  })

  it('come all at once: they are not paginated, whatever the query says', async () => {
    const company = await app.diwan.company()
    const people = Array.from({ length: 110 }, (_, n) => ({ name: `Person ${n}`, email: `person.${n}@example.com` }))
    for (const person of people) await app.diwan.operator.post(`/companies/${company.id}/users`, person)
    const project = await app.diwan.project(company)
    const { body } = await company.api.get(`/projects/${project.slug}/members?limit=5&offset=3`)
    expect(body).not.toHaveProperty('meta')
    expect(body.data.map(({ email }: { email: string }) => email).sort()).toEqual(emails(company.owner, ...people))
  })

  it('are read with projects:read, and need nothing else', async () => {
    const company = await app.diwan.company()
    const { id } = await app.diwan.project(company)
    const reader = await app.diwan.key(company.id, { access: 'read', operations: ['projects:read'], rights: [] })
    const other = await app.diwan.key(company.id, { operations: ['account:read', 'projects:write', 'tasks:read'] })
    expect((await app.diwan.api(reader).get(`/projects/${id}/members`)).status).toBe(200)
    expectRefusal(await app.diwan.api(other).get(`/projects/${id}/members`), 403, 'forbidden')
  })
})
