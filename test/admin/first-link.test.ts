import { describe, expect, it } from 'vitest'
import { makeFirstLink } from '../../src/domain/installation/first-link.ts'
import { SERVER_SECRET, useOwnApp } from '../support/app.ts'
import { signIn } from '../support/console.ts'

const redeem = (app: ReturnType<typeof useOwnApp>, code: string | undefined) =>
  app.diwan.client('/admin/v1').post('/sessions', { code })

describe('The link of the first start', () => {
  const app = useOwnApp()

  it('is made by one of several that start at once, and by none later', async () => {
    const start = () => makeFirstLink(app.database.db, SERVER_SECRET)
    const codes = (await Promise.all(Array.from({ length: 5 }, start))).filter(code => code !== undefined)
    expect(codes).toEqual([expect.stringMatching(/^svc_link_[0-9A-Za-z]{49}$/)])
    expect(await start()).toBeUndefined()
    const { rows } = await app.database.pool.query('select digest from first_link')
    expect(rows[0].digest.toString('latin1')).not.toContain(codes[0])
    // Used up by the next test.
    await expectOneOfTen(codes[0])
    expect(await start()).toBeUndefined()
  })

  /** One of ten who come at once is signed in; the others, and whoever comes later, are told nothing but that it is no good. */
  async function expectOneOfTen(code: string | undefined): Promise<void> {
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(app, code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(401)])
    const signedIn = answers.find(({ status }) => status === 201)
    expect(signedIn?.body.data).toMatchObject({ kind: 'operator', session: { id: expect.any(Number) } })
    const later = await redeem(app, code)
    expect([later.status, later.body.error.code]).toEqual([401, 'unauthorized'])
    expect((await app.diwan.operator.get('/sessions')).body.meta.total).toBe(1)
  }
})

describe('The code of a link', () => {
  const app = useOwnApp({ signInFailuresPerMinute: 3, trustProxy: 'loopback' })

  it('begins a session like any other of the operator, within ten minutes and not later', async () => {
    const code = (await makeFirstLink(app.database.db, SERVER_SECRET)) as string
    const move = (interval: string) =>
      app.database.pool.query('update first_link set expires_at = expires_at - $1::interval', [interval])
    await move('10 minutes')
    expect((await redeem(app, code)).status).toBe(401)
    await move('-1 minute')
    const { browser } = await signIn(app.diwan, { code })
    expect((await browser.get('/me')).body.data.kind).toBe('operator')
  })

  it('is counted like a token when it is wrong, together with tokens', async () => {
    const from = { 'x-forwarded-for': '192.0.2.90' }
    const attempt = (body: object) => app.diwan.client('/admin/v1').post('/sessions', body, from)
    const statuses = []
    for (const body of [{ code: 'x' }, { token: 'x' }, { code: 'y' }, { code: 'z' }, { token: 'z' }])
      statuses.push((await attempt(body)).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
  })
})

describe('Failed tries of one person', () => {
  const app = useOwnApp({ signInFailuresPerMinute: 3, trustProxy: 'loopback' })

  it('are slowed wherever they come from, and nobody else is', async () => {
    const company = await app.diwan.company()
    const [dismissed, colleague] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
    await company.admin.patch(`/users/${dismissed.id}`, { active: false })
    const attempt = async (token: string, n: number) =>
      (await app.diwan.client('/admin/v1').post('/sessions', { token }, { 'x-forwarded-for': `192.0.2.${n}` })).status
    const statuses = []
    for (let n = 1; n <= 5; n++) statuses.push(await attempt(dismissed.token, n))
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect(await attempt(colleague.token, 5)).toBe(201)
    await company.admin.patch(`/users/${dismissed.id}`, { active: true })
    expect(await attempt(dismissed.token, 6)).toBe(201)
  })
})
