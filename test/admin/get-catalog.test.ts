import { expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useApp } from '../support/app.ts'
import { ALL_OPERATIONS } from '../support/diwan.ts'

const app = useApp()

it('The catalog is the same for everybody, and has every list', async () => {
  const company = await app.diwan.company()
  const member = await app.diwan.person(company.id)
  const { status, body } = await app.diwan.client('/admin/v1', member.token).get('/catalog')
  expect(status).toBe(200)
  expect((await app.diwan.operator.get('/catalog')).body).toEqual(body)
  const { data } = body
  expect(data.operations.map(({ name }: { name: string }) => name).sort()).toEqual([...ALL_OPERATIONS].sort())
  expect(data.operations).toContainEqual({ name: 'tasks:destructive', resource: 'tasks', level: 'destructive' })
  expect(data.plans).toContainEqual({
    name: 'advanced',
    title: { en: 'Advanced', ar: 'المتقدمة' },
    api: true,
    daily_calls: 1_000,
    time_tracking: false,
  })
  expect(data.plans).toContainEqual(expect.objectContaining({ name: 'free', api: false, daily_calls: 0 }))
  expect(data.plans).toContainEqual(expect.objectContaining({ name: 'enterprise', api: true, daily_calls: null }))
  expect(data.roles).toEqual(['owner', 'manager', 'member'])
  expect(data.languages).toEqual(['en', 'ar'])
  expect(data.webhook_events).toContainEqual({ kind: 'comment', changes: ['created', 'updated'] })
})

it('Keys take the presets of the catalog, webhooks its events, and the audit its operations, which are those of endpoints', async () => {
  const company = await app.diwan.company()
  const { presets, webhook_events, audit_operations } = (await app.diwan.operator.get('/catalog')).body.data
  for (const { access, operations, rights } of presets) {
    const { body } = await company.admin.post('/keys', { name: 'x', access })
    expect(body.data).toMatchObject({ access, operations, rights })
  }
  const kinds = webhook_events.flatMap(({ kind, changes }: { kind: string; changes: string[] }) =>
    changes.map(change => `${kind}.${change}`),
  )
  const { status } = await company.admin.post('/webhooks', { name: 'x', url: 'https://1.1.1.1/', kinds })
  expect(status).toBe(201)
  for (const operation of audit_operations)
    expect((await company.admin.get(`/audit?operation=${operation}`)).status, operation).toBe(200)
  const declared = [...apiEndpoints, ...adminEndpoints, ...workEndpoints].map(({ operation }) => operation)
  expect([...audit_operations].sort()).toEqual([...new Set(declared)].sort())
})
