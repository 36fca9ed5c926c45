import { describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import { useApp } from '../support/app.ts'
import { NOT_IDS } from '../support/furnished.ts'

const app = useApp()

/** At work, the operator only reads, and has nothing of their own. */
const isForOperator = ({ who }: { who: string }) =>
  !['people', 'owners and managers', 'owners of the company'].includes(who)

describe('GET /admin/v1/me', () => {
  it('tells a person who one is, where, and what one may do', async () => {
    const company = await app.diwan.company()
    const { token, id, email } = await app.diwan.person(company.id, { name: 'هدى', can_manage_api_keys: true })
    const { body } = await app.diwan.client('/admin/v1', token).get('/me')
    const { name, plan, rest_api, daily_calls } = (await company.admin.get('')).body.data
    expect(body).toEqual({
      data: {
        kind: 'person',
        user: { id, name: 'هدى', email, role: 'member', can_manage_api_keys: true },
        company: {
          id: company.id,
          name,
          time_zone: 'Asia/Riyadh',
          second_calendar: null,
          plan,
          rest_api,
          daily_calls,
          sandbox: false,
        },
        unread_notifications: 0,
        may: expect.arrayContaining(['get_me', 'list_keys', 'create_token']),
        session: null,
      },
    })
  })

  it('tells the operator so, and a stranger nothing', async () => {
    expect((await app.diwan.operator.get('/me')).body).toEqual({
      data: {
        kind: 'operator',
        user: null,
        company: null,
        unread_notifications: 0,
        may: [...adminEndpoints, ...workEndpoints].filter(isForOperator).map(({ name }) => name),
        session: null,
      },
    })
    const stranger = await app.diwan.client('/admin/v1').get('/me')
    expect([stranger.status, stranger.body.error.code]).toEqual([401, 'unauthorized'])
  })
})

describe('What GET /admin/v1/me says that one may', () => {
  it.each([
    ['owner', { role: 'owner' }],
    ['manager', { role: 'manager' }],
    ['member', { role: 'member' }],
    ['member with keys', { role: 'member', can_manage_api_keys: true }],
  ])('is what is not refused with 403: %s', async (_, settings) => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id, settings)
    const client = app.diwan.client('/admin/v1', person.token)
    const may = new Set((await client.get('/me')).body.data.may)
    for (const { name, method, at } of [...adminEndpoints, ...workEndpoints]) {
      const path = (at[0] as string)
        .replace(':company', String(company.id))
        .replace(':user', String(person.id))
        .replace(/:\w+/g, '999999')
      const { status, body } = await client.send(method, path)
      const isForThem = !(status === 403 && body.error.message.startsWith('This is for '))
      expect([name, may.has(name)]).toEqual([name, isForThem])
    }
  })
})

describe('One person and one key', () => {
  it('are shown as their lists show them', async () => {
    const company = await app.diwan.company()
    await app.diwan.person(company.id)
    for (const list of ['/users', '/keys']) {
      const { data } = (await company.admin.get(list)).body
      for (const each of data) expect((await company.admin.get(`${list}/${each.id}`)).body).toEqual({ data: each })
    }
  })

  it('are not found in another company, nor by what is no id', async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    const [key] = (await elsewhere.admin.get('/keys')).body.data
    const paths = [
      `/users/${elsewhere.owner.id}`,
      `/keys/${key.id}`,
      ...NOT_IDS.flatMap(id => [`/users/${id}`, `/keys/${id}`]),
    ]
    for (const path of paths) expect([path, (await company.admin.get(path)).status]).toEqual([path, 404])
  })
})

describe('GET …/projects', () => {
  const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name)

  it('lists the projects of the company alone, archived ones too, newest first, as the API shows them', async () => {
    const [company, elsewhere] = [await app.diwan.company(), await app.diwan.company()]
    await app.diwan.project(elsewhere, { name: 'Elsewhere' })
    const [one, two, three] = [
      await app.diwan.project(company, { name: 'One' }),
      await app.diwan.project(company, { name: 'Two' }),
      await app.diwan.project(company, { name: 'Three' }),
    ]
    await company.api.post(`/projects/${two.id}/archive`)
    await company.api.delete(`/projects/${three.id}`)
    const { body } = await company.admin.get('/projects')
    expect(body.data).toEqual([expect.objectContaining({ id: two.id, archived: true }), one])
    expect(body.meta).toEqual({ total: 2, limit: 50, offset: 0, count: 2, next_cursor: null })
  })

  it.each([
    ['افتتاح', ['إفتتاح الفرع']],
    ['LAUNCH', ['Website launch 100%']],
    ['websité', ['Website launch 100%']],
    ['١٠٠', ['Website launch 100%']],
    ['%25', []],
    ['_', []],
    ['%20', ['إفتتاح الفرع', 'Website launch 100%']],
    ['x'.repeat(3000), []],
  ])('finds by q=%s exactly %j', async (q, found) => {
    const company = await app.diwan.company()
    for (const name of ['Website launch 100%', 'إفتتاح الفرع']) await app.diwan.project(company, { name })
    const { status, body } = await company.admin.get(`/projects?q=${q.startsWith('%') ? q : encodeURIComponent(q)}`)
    expect([status, names(body), body.meta.total]).toEqual([200, found, found.length])
  })
})
