import { afterEach, describe, expect, it } from 'vitest'
import { workEndpoints } from '../../src/admin/work.ts'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { browserWith, signIn } from '../support/console.ts'
import { furnishEveryRecord } from '../support/every-record.ts'
import { newTask } from '../support/factories.ts'
import { type Listening, listenTo } from '../support/listening.ts'
import { until } from '../support/servers.ts'

const app = useApp()
const JSON_TYPE = { 'content-type': 'application/json' }

const streams: Listening[] = []
afterEach(() => {
  for (const stream of streams.splice(0)) stream.leave()
})

/** Somebody with a role in a company that has one of everything, who follows its feed in a browser and with a token. */
async function follower(role: 'owner' | 'manager' | 'member') {
  const { company, names, fill } = await furnishEveryRecord(app.diwan)
  const person = await app.diwan.person(company.id, { role })
  const session = await signIn(app.diwan, { token: person.token })
  const url = `${app.url}/admin/v1/companies/${company.id}/records/company/changes`
  const listen = async (headers: Record<string, string>) => {
    const stream = await listenTo(url, headers)
    streams.push(stream)
    return stream
  }
  const inBrowser = await listen({ cookie: session.cookie })
  const withToken = await listen({ authorization: `Bearer ${person.token}` })
  return { company, names, fill, person, session, listen, inBrowser, withToken }
}

/** Nothing is written meanwhile, so that no entry of the feed can be the reason. By itself it would stay open for an hour. */
const endsAtOnce = (stream: Listening) => until(async () => stream.ended(), 20_000)

describe('A stream of somebody who is signed in', () => {
  it('ends when they sign out, and only that one', async () => {
    const { session, inBrowser, withToken } = await follower('member')
    await session.browser.delete('/sessions/current')
    await endsAtOnce(inBrowser)
    expect(withToken.ended()).toBe(false)
  })

  it('ends when their token is revoked, with the sessions that were begun with it', async () => {
    const { company, person, inBrowser, withToken } = await follower('member')
    const [token] = (await company.admin.get(`/users/${person.id}/tokens`)).body.data
    await company.admin.delete(`/users/${person.id}/tokens/${token.id}`)
    await Promise.all([endsAtOnce(inBrowser), endsAtOnce(withToken)])
  })

  it('ends when they are dismissed, although nothing happens in the company', async () => {
    const { company, person, inBrowser, withToken } = await follower('manager')
    await company.admin.patch(`/users/${person.id}`, { active: false })
    await Promise.all([endsAtOnce(inBrowser), endsAtOnce(withToken)])
  })

  it('ends when the company is closed', async () => {
    const { company, inBrowser, withToken } = await follower('owner')
    const { name } = (await app.diwan.operator.get(`/companies/${company.id}`)).body.data
    expect((await app.diwan.operator.post(`/companies/${company.id}/close`, { name })).status).toBe(200)
    await Promise.all([endsAtOnce(inBrowser), endsAtOnce(withToken)])
  })

  it('ends with the session of the operator, and not with the operator token', async () => {
    const { listen } = await follower('member')
    const session = await signIn(app.diwan, { token: OPERATOR_TOKEN })
    const [inBrowser, withToken] = [
      await listen({ cookie: session.cookie }),
      await listen({ authorization: `Bearer ${OPERATOR_TOKEN}` }),
    ]
    await session.browser.delete('/sessions/current')
    await endsAtOnce(inBrowser)
    expect(withToken.ended()).toBe(false)
  })

  it('shows a leader who became a member nothing more of private projects', async () => {
    const { company, person, names, inBrowser } = await follower('manager')
    const [secret, open] = [await newTask(company, names.list as string), { id: '' }]
    await until(async () => inBrowser.changes.some(({ id }) => id === secret.id))
    const shared = await app.diwan.project(company, { name: 'Shared' })
    const list = (await company.api.post(`/projects/${shared.id}/lists`, { title: 'Shared' })).body.data
    await company.api.patch(`/projects/${names.project}`, { is_public: false })
    await company.admin.patch(`/users/${person.id}`, { role: 'member' })
    const count = inBrowser.changes.length
    await company.api.post(`/tasks/${secret.id}/complete`)
    open.id = (await newTask(company, list.id)).id
    await until(async () => inBrowser.changes.some(({ id }) => id === open.id))
    expect(inBrowser.changes.slice(count).map(({ id }) => id)).not.toContain(secret.id)
  })

  it('is one of five at most, whichever credential opened them', async () => {
    const { company, person, listen } = await follower('member')
    for (let n = 0; n < 3; n++) await listen({ authorization: `Bearer ${person.token}` })
    const sixth = await person.admin.get('/records/company/changes', { accept: 'text/event-stream' })
    expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '10'])
    const others = await app.diwan.person(company.id)
    expect((await listen({ authorization: `Bearer ${others.token}` })).status).toBe(200)
  })
})

describe('A write with the cookie of a session', () => {
  it.each([
    ['without the header of the console', { 'x-diwan-console': '' }, 403],
    ['with another value in it', { 'x-diwan-console': 'true' }, 403],
    ['of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['of a site beside it', { 'sec-fetch-site': 'same-site', origin: 'https://evil.example.com' }, 403],
    ['that was made up', { cookie: `diwan_session=svc_ses_${'A'.repeat(49)}` }, 401],
    ['that is empty', { cookie: 'diwan_session=' }, 401],
  ])('%s changes nothing, whatever the endpoint', async (_, headers, status) => {
    const { company, fill } = await furnishEveryRecord(app.diwan)
    const { cookie } = await signIn(app.diwan, { token: company.ownerToken })
    const before = await everythingIn(company.id)
    for (const { method, at } of workEndpoints.filter(each => each.method !== 'GET')) {
      for (const address of at) {
        const browser = browserWith(app.diwan, cookie)
        const answer = await browser.send(method, fill(address).replace(':company', String(company.id)), {
          body: '{"title":"Forged","name":"Forged","content":"Forged","is_public":true}',
          headers: { ...JSON_TYPE, ...(headers as Record<string, string>) },
        })
        expect([method, address, answer.status]).toEqual([method, address, status])
      }
    }
    expect(await everythingIn(company.id)).toEqual(before)
  })

  it('that has ended, or of somebody of another company, changes nothing', async () => {
    const { company, fill } = await furnishEveryRecord(app.diwan)
    const ended = await signIn(app.diwan, { token: company.ownerToken })
    await ended.browser.delete('/sessions/current')
    const foreign = await signIn(app.diwan, { token: (await app.diwan.company()).ownerToken })
    const before = await everythingIn(company.id)
    for (const [{ cookie }, status] of [
      [ended, 401],
      [foreign, 404],
    ] as const)
      for (const { method, at } of workEndpoints.filter(each => each.method !== 'GET')) {
        const answer = await browserWith(app.diwan, cookie).send(method, fill(at[0] as string), {
          body: '{"title":"Forged","name":"Forged"}',
          headers: JSON_TYPE,
        })
        expect([method, at[0], answer.status]).toEqual([method, at[0], status])
      }
    expect(await everythingIn(company.id)).toEqual(before)
  })

  it('never takes over a session that the browser brought: signing in again makes a new one', async () => {
    const company = await app.diwan.company()
    const planted = await signIn(app.diwan, { token: (await app.diwan.person(company.id)).token })
    const own = await signIn(app.diwan, { token: company.ownerToken }, { cookie: planted.cookie })
    expect(own.cookie).not.toBe(planted.cookie)
    const whose = async (cookie: string) => (await browserWith(app.diwan, cookie).get('/me')).body.data.user.role
    expect([await whose(planted.cookie), await whose(own.cookie)]).toEqual(['member', 'owner'])
  })
})

/** The rows of a company that people at work could change. */
async function everythingIn(companyId: number) {
  const tables = ['projects', 'task_lists', 'tasks', 'discussions', 'comments', 'folders', 'files', 'events', 'changes']
  const rows: Record<string, unknown[]> = {}
  for (const table of tables)
    rows[table] = (
      await app.database.pool.query(`select to_jsonb(r) as r from ${table} r where company_id = $1 order by id`, [
        companyId,
      ])
    ).rows
  return rows
}
