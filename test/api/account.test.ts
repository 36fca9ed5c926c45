import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'

const app = useApp()

describe('GET /me', () => {
  it('names the key, its exact operations, rights and end, the company and the creator, and nothing else', async () => {
    const company = await app.diwan.company({ name: 'شركة نجد' })
    const key = await app.diwan.key(company.id, {
      name: 'Reporting',
      access: 'read',
      operations: ['account:read'],
      rights: ['manage_files'],
      expires_at: '2099-01-01T00:00:00Z',
    })
    const { status, body } = await app.diwan.api(key).get('/me')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        key: {
          name: 'Reporting',
          access: 'read',
          operations: ['account:read'],
          rights: ['manage_files'],
          expires_at: '2099-01-01T00:00:00.000Z',
        },
        company: { name: 'شركة نجد', sandbox: false },
        created_by: { name: company.owner.name, email: company.owner.email },
      },
    })
  })

  it('shows null for a key that does not end', async () => {
    const { api } = await app.diwan.company()
    expect((await api.get('/me')).body.data.key).toMatchObject({ expires_at: null })
  })
})
