import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'

const app = useApp()
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('A person in the list of people', () => {
  const add = async () => {
    const company = await app.diwan.company()
    const { id, invitation } = (await company.admin.post('/users', { name: 'Noura', email: 'noura@example.com' })).body
      .data
    const shown = async () => {
      const one = (await company.admin.get(`/users/${id}`)).body.data
      const listed = (await company.admin.get('/users?q=noura')).body.data[0]
      expect(listed).toEqual(one)
      const { has_token, invited_until, first_token_at } = one
      return { has_token, invited_until, first_token_at }
    }
    return { company, id, invitation, shown }
  }
  const accept = (code: string) => app.diwan.client('/admin/v1', '').post('/invitations/accept', { code })

  it('is invited until the invitation was accepted', async () => {
    const { invitation, shown } = await add()
    expect(await shown()).toEqual({ has_token: false, invited_until: invitation.expires_at, first_token_at: null })
    await accept(invitation.code)
    expect(await shown()).toEqual({ has_token: true, invited_until: null, first_token_at: INSTANT })
  })

  it('is invited once more after a second invitation, which ended the tokens', async () => {
    const { company, id, invitation, shown } = await add()
    await accept(invitation.code)
    const again = (await company.admin.post(`/users/${id}/invitation`)).body.data.invitation
    expect(await shown()).toEqual({ has_token: false, invited_until: again.expires_at, first_token_at: INSTANT })
  })

  it('is not invited when the invitation was cancelled by a change', async () => {
    const { company, id, shown } = await add()
    await company.admin.patch(`/users/${id}`, { active: false })
    expect(await shown()).toEqual({ has_token: false, invited_until: null, first_token_at: null })
  })

  it('who is nobody of the company is not found', async () => {
    const company = await app.diwan.company()
    expect((await company.admin.get('/users/999999')).status).toBe(404)
    expect((await company.admin.get('/users/noura')).status).toBe(404)
  })
})
