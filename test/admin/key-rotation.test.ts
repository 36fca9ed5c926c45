import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
const hoursUntil = (instant: string) => (Date.parse(instant) - Date.now()) / HOUR_MS

async function makeKey(settings: object = {}) {
  const company = await app.diwan.company()
  const body = {
    name: 'Reports',
    access: 'write',
    operations: ['account:read', 'tasks:write'],
    rights: [],
    ...settings,
  }
  const { key, ...made } = (await company.admin.post('/keys', body)).body.data
  const shown = async (id = made.id) => (await company.admin.get(`/keys/${id}`)).body.data
  const rotate = (body: object = {}) => company.admin.post(`/keys/${made.id}/rotate`, body)
  return { company, key, made, shown, rotate }
}

describe('POST …/keys/{kid}/rotate', () => {
  it('gives a new key of the same settings and signature, and both work during the overlap', async () => {
    const { made, key, rotate, shown } = await makeKey({ expires_at: inHours(1000) })
    const { status, body } = await rotate()
    const { key: fresh, ...rotated } = body.data
    const { name, access, operations, rights, created_by, expires_at } = made
    expect([status, rotated]).toMatchObject([201, { name, access, operations, rights, created_by, expires_at }])
    expect([rotated.id === made.id, fresh === key]).toEqual([false, false])
    for (const each of [key, fresh]) expect((await app.diwan.api(each).get('/me')).status).toBe(200)
    expect(hoursUntil((await shown()).expires_at)).toBeCloseTo(24, 1)
    expect(await shown(rotated.id)).toEqual({ ...rotated, last_used_at: expect.any(String) })
  })

  it('is told of the old key and of the new one, each in brief', async () => {
    const { company, made, rotate, shown } = await makeKey()
    const inBrief = ({ id, name, last_four }: typeof made) => ({ id, name, last_four })
    const first = (await rotate()).body.data
    expect(first).toMatchObject({ replaces: inBrief(made), replaced_by: null })
    expect(await shown()).toMatchObject({ replaces: null, replaced_by: inBrief(first) })
    const second = (await rotate()).body.data
    expect(await shown()).toMatchObject({ replaced_by: inBrief(second) })
    const { data } = (await company.admin.get('/keys')).body
    const pairs = data.map(({ replaces, replaced_by }: typeof made) => [replaces?.id, replaced_by?.id])
    expect(pairs).toEqual([
      [undefined, undefined],
      [undefined, second.id],
      [made.id, undefined],
      [made.id, undefined],
    ])
  })

  it('ends the old key after the overlap that is asked for, at once when it is 0, never later than its own end', async () => {
    for (const [expires_at, overlap_hours, hours] of [
      [null, 168, 168],
      [inHours(2), 168, 2],
      [inHours(200), 3, 3],
    ] as const) {
      const { rotate, shown } = await makeKey({ expires_at })
      expect((await rotate({ overlap_hours })).status).toBe(201)
      expect(hoursUntil((await shown()).expires_at)).toBeCloseTo(hours, 1)
    }
    const { key, rotate } = await makeKey()
    expect((await app.diwan.api(key).get('/me')).status).toBe(200)
    const fresh = (await rotate({ overlap_hours: 0 })).body.data.key
    expect([(await app.diwan.api(key).get('/me')).status, (await app.diwan.api(fresh).get('/me')).status]).toEqual([
      401, 200,
    ])
  })

  it('takes another end for the new key, or none', async () => {
    const [first, second] = [await makeKey({ expires_at: inHours(9) }), await makeKey({ expires_at: inHours(9) })]
    const expires_at = inHours(2000)
    expect((await first.rotate({ expires_at })).body.data.expires_at).toBe(expires_at)
    expect((await second.rotate({ expires_at: null })).body.data.expires_at).toBeNull()
  })

  it.each([
    ['overlap_hours', { overlap_hours: -1 }],
    ['overlap_hours', { overlap_hours: 169 }],
    ['overlap_hours', { overlap_hours: 1.5 }],
    ['overlap_hours', { overlap_hours: null }],
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
  ])('answers 422 naming %s to %j, and makes no key', async (field, body) => {
    const { company, made, rotate, shown } = await makeKey()
    const answer = await rotate(body)
    expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(new RegExp(`^${field} `)))
    expect([(await company.admin.get('/keys')).body.meta.total, await shown()]).toEqual([2, made])
  })

  it('refuses a dead key with 422', async () => {
    const [revoked, expired] = [await makeKey(), await makeKey()]
    await revoked.company.admin.delete(`/keys/${revoked.made.id}`)
    await app.database.pool.query('update api_keys set expires_at = now() where id = $1', [expired.made.id])
    for (const { rotate } of [revoked, expired])
      expectRefusal(await rotate(), 422, 'unprocessable_entity', expect.stringMatching(/^key can't be rotated/))
  })

  it('is for an owner or the operator where somebody else signs', async () => {
    const { company, made } = await makeKey()
    const person = await app.diwan.person(company.id, { role: 'manager', can_manage_api_keys: true })
    expectRefusal(await person.admin.post(`/keys/${made.id}/rotate`, {}), 403, 'forbidden')
    const own = (await person.admin.post('/keys', { name: 'Own', access: 'read' })).body.data
    const rotated = await person.admin.post(`/keys/${own.id}/rotate`, {})
    expect([rotated.status, rotated.body.data.created_by.id]).toEqual([201, person.id])
    const byOperator = await app.diwan.operator.post(`/companies/${company.id}/keys/${own.id}/rotate`, {})
    expect([byOperator.status, byOperator.body.data.created_by.id]).toEqual([201, person.id])
  })

  it('leaves an entry for the key that ends and one for the key that was made', async () => {
    const { company, made, rotate } = await makeKey()
    const fresh = (await rotate()).body.data
    const { data } = (await company.admin.get('/audit?operation=keys:write&limit=2')).body
    expect(data).toMatchObject([
      {
        target: { type: 'key', id: fresh.id, name: 'Reports' },
        changes: { access: { from: null, to: 'write' }, operations: { from: null, to: made.operations }, name: null },
      },
      { target: { type: 'key', id: made.id, name: 'Reports' }, changes: { expires_at: null } },
    ])
    expect(JSON.stringify(data)).not.toContain(fresh.key.slice(8))
  })
})

describe('A key that signs as somebody else', () => {
  it('is made by an owner or the operator only', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id, { role: 'manager', can_manage_api_keys: true })
    const body = { name: 'x', access: 'read' }
    expectRefusal(await person.admin.post('/keys', { ...body, created_by: company.owner.id }), 403, 'forbidden')
    // Nor does a manager learn who exists.
    expectRefusal(await person.admin.post('/keys', { ...body, created_by: 999_999 }), 403, 'forbidden')
    const own = await person.admin.post('/keys', { ...body, created_by: person.id })
    const others = [
      await company.admin.post('/keys', { ...body, created_by: person.id }),
      await app.diwan.operator.post(`/companies/${company.id}/keys`, { ...body, created_by: person.id }),
    ]
    for (const { status, body } of [own, ...others])
      expect([status, body.data?.created_by.id]).toEqual([201, person.id])
  })
})

describe('An expires_at in the past', () => {
  it('is 422 on create and on change, and nothing is written', async () => {
    const { company, made, shown } = await makeKey()
    for (const expires_at of ['2020-01-01T00:00:00Z', new Date(Date.now() - 1000).toISOString()]) {
      const answers = [
        await company.admin.post('/keys', { name: 'x', access: 'read', expires_at }),
        await company.admin.patch(`/keys/${made.id}`, { expires_at }),
      ]
      for (const answer of answers)
        expectRefusal(answer, 422, 'unprocessable_entity', "expires_at can't be in the past")
    }
    expect([(await company.admin.get('/keys')).body.meta.total, await shown()]).toEqual([2, made])
  })
})
