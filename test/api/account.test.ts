import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'

const app = useApp()

describe('GET /me', () => {
  it('names the key, its exact operations, the company and the creator, and nothing else', async () => {
    const company = await app.diwan.company({ name: 'شركة نجد' })
    const key = await app.diwan.key(company.id, {
      name: 'Reporting',
      access: 'read',
      operations: ['account:read'],
      rights: [],
    })
    const { status, body } = await app.diwan.api(key).get('/me')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        key: { name: 'Reporting', access: 'read', operations: ['account:read'] },
        company: { name: 'شركة نجد' },
        created_by: { name: company.owner.name, email: company.owner.email },
      },
    })
  })
})
