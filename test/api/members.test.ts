import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

const emailsOf = async ({ api }: TestCompany, project: { id: string }) =>
  (await api.get(`/projects/${project.id}/members`)).body.data.map(({ email }: { email: string }) => email).sort()
const emails = (...people: { email: string }[]) => people.map(({ email }) => email).sort()

describe('The members of a project', () => {
  it('are, when it is public, all active people of the company with the display names of their roles', async () => {
    const company = await app.diwan.company({ owner: { name: 'ليلى حدّاد', email: 'layla@example.com' } })
    await app.diwan.person(company.id, { name: 'يوسف المنصور', email: 'yusuf@example.com', role: 'manager' })
    await app.diwan.person(company.id, { name: 'Omar Aziz', email: 'Omar@Example.com' })
    await app.diwan.person(company.id, { name: 'Gone', email: 'gone@example.com', active: false })
    await app.diwan.company()
    const project = await app.diwan.project(company)
    const { status, body } = await company.api.get(`/projects/${project.id}/members`)
    const byEmail = (a: { email: string }, b: { email: string }) => (a.email < b.email ? -1 : 1)
    expect([status, Object.keys(body), body.data.sort(byEmail)]).toEqual([
      200,
      ['data'],
      [
        { name: 'Omar Aziz', email: 'Omar@Example.com', role: 'Member' },
        { name: 'ليلى حدّاد', email: 'layla@example.com', role: 'Owner' },
        { name: 'يوسف المنصور', email: 'yusuf@example.com', role: 'Manager' },
      ],
    ])
  })

  it('are, when it is private, at first the signature of the key alone, then whoever was made a member', async () => {
    const company = await app.diwan.company()
    const [signer, member] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
    await app.diwan.person(company.id)
    const api = app.diwan.api(await app.diwan.key(company.id, { created_by: signer.id }))
    const { data: project } = (await api.post('/projects', { name: 'Secret', is_public: false })).body
    expect(await emailsOf(company, project)).toEqual(emails(signer))
    await company.admin.post(`/projects/${project.id}/members`, { user_id: member.id })
    expect(await emailsOf(company, project)).toEqual(emails(signer, member))
    await company.admin.delete(`/projects/${project.id}/members/${signer.id}`)
    expect(await emailsOf(company, project)).toEqual(emails(member))
    await company.admin.delete(`/projects/${project.id}/members/${member.id}`)
    expect(await emailsOf(company, project)).toEqual([])
    expect((await company.api.get(`/projects/${project.id}`)).status).toBe(200)
    const other = await app.diwan.company()
    const answer = await company.admin.post(`/projects/${project.id}/members`, { user_id: other.owner.id })
    expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(/^user_id /))
  })

  it('follow deactivation and return, and a project that becomes private and public again', async () => {
    const company = await app.diwan.company()
    const { owner } = company
    const [outsider, insider] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
    const project = await app.diwan.project(company)
    await company.admin.post(`/projects/${project.id}/members`, { user_id: insider.id })
    for (const [is_public, active, expected] of [
      [true, true, emails(owner, outsider, insider)],
      [true, false, emails(owner, outsider)],
      [false, false, emails(owner)],
      [false, true, emails(owner, insider)],
      [true, true, emails(owner, outsider, insider)],
    ]) {
      await company.api.patch(`/projects/${project.id}`, { is_public })
      await company.admin.patch(`/users/${insider.id}`, { active })
      expect([is_public, active, await emailsOf(company, project)]).toEqual([is_public, active, expected])
    }
  })
})
