import { describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { mintCredential } from '../../src/domain/access/credentials.ts'
import { ACTORS, actAs, declaredAs, MATRIX } from '../support/administration-rights.ts'
import { OPERATOR_TOKEN, SERVER_SECRET, useApp, useOwnApp } from '../support/app.ts'
import type { Client, TestCompany } from '../support/diwan.ts'
import { call, furnish } from '../support/furnished.ts'

const NOT_FOUND = { error: { code: 'not_found', message: 'The record was not found.' } }
const UNAUTHORIZED = { error: { code: 'unauthorized', message: expect.any(String) } }

describe('Who may do what', () => {
  const app = useApp()

  it('is said of every endpoint of the administration', () => {
    const said = MATRIX.map(([endpoint]) => declaredAs(endpoint))
    const served = adminEndpoints.flatMap(({ method, at }) => at.map(address => `${method} ${address}`))
    expect([...new Set(said)].sort()).toEqual(served.sort())
  })

  it.each(Object.keys(ACTORS))('is exactly the table for: %s', async actor => {
    const furnished = await furnish(app.diwan)
    const { client, named } = await actAs(app.diwan, actor, furnished)
    const answered: Record<string, number> = {}
    for (const [endpoint, , , body] of MATRIX)
      answered[endpoint] = (await call(client, endpoint, named, body?.(furnished))).status
    const refusal = actor.startsWith('deactivated') ? 401 : 403
    expect(answered).toEqual(
      Object.fromEntries(MATRIX.map(([endpoint, who, status]) => [endpoint, who.includes(actor) ? status : refusal])),
    )
  })

  it('is nothing in another company, which looks as if it were not there', async () => {
    const { person: user, ...furnished } = await furnish(app.diwan)
    const stranger = await app.diwan.company()
    const client = app.diwan.client('/admin/v1', stranger.ownerToken)
    const named = { ...furnished.named, me: String(stranger.owner.id), spare: '1' }
    for (const [endpoint, , , body] of MATRIX.filter(([endpoint]) => endpoint.includes(':company'))) {
      const sent = body?.({ ...furnished, person: user })
      const foreign = await call(client, endpoint, named, sent)
      const missing = await call(client, endpoint, { ...named, company: '999999' }, sent)
      expect([endpoint, foreign.status, foreign.body]).toEqual([endpoint, 404, NOT_FOUND])
      expect([missing.status, missing.body]).toEqual([404, NOT_FOUND])
    }
  })
})

describe('A credential', () => {
  const app = useApp()

  it('of one surface never opens the other', async () => {
    const company = await app.diwan.company()
    const admin = (token: string) => app.diwan.admin(company.id, token).get('')
    const api = (token: string) => app.diwan.api(token).get('/me')
    const answers = [await admin(company.key), await api(company.ownerToken), await api(OPERATOR_TOKEN)]
    for (const { status, body } of answers) expect([status, body]).toEqual([401, UNAUTHORIZED])
    expect([(await admin(company.ownerToken)).status, (await api(company.key)).status]).toEqual([200, 200])
  })

  it('that is missing, mistyped, cut short or in another scheme is 401', async () => {
    const company = await app.diwan.company()
    const { ownerToken } = company
    const typo = ownerToken.slice(0, -1) + (ownerToken.endsWith('A') ? 'B' : 'A')
    const headers = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: `Bearer ${typo}` },
      { authorization: `Bearer ${ownerToken.slice(0, -1)}` },
      { authorization: `Bearer ${ownerToken}x` },
      { authorization: `Bearer ${ownerToken} x` },
      { authorization: `Basic ${ownerToken}` },
      { authorization: ownerToken },
      { authorization: `Bearer ${OPERATOR_TOKEN}x` },
    ] as Record<string, string>[]
    for (const sent of headers) {
      const { status, body } = await app.diwan.client('/admin/v1').get(`/companies/${company.id}`, sent)
      expect([sent, status, body]).toEqual([sent, 401, UNAUTHORIZED])
    }
    const lowerCase = { authorization: `bearer ${ownerToken}` }
    expect((await app.diwan.client('/admin/v1').get(`/companies/${company.id}`, lowerCase)).status).toBe(200)
  })

  it('that is bad outranks a company that never was', async () => {
    expect((await app.diwan.client('/admin/v1', 'svc_bad').get('/companies/999999')).status).toBe(401)
  })
})

describe('Failed sign-ins', () => {
  const app = useOwnApp({ signInFailuresPerMinute: 3, trustProxy: 'loopback' })
  const from = (client: Client, address: string) => client.get('/companies', { 'x-forwarded-for': address })

  it('are slowed after the allowed number a minute, per address, while good tokens still pass', async () => {
    const company = await app.diwan.company()
    const [bad, nobody] = [app.diwan.client('/admin/v1', company.key), app.diwan.client('/admin/v1')]
    const failures = [await from(bad, '192.0.2.1'), await from(nobody, '192.0.2.1'), await from(bad, '192.0.2.1')]
    expect(failures.map(({ status }) => status)).toEqual([401, 401, 401])

    const slowed = await from(bad, '192.0.2.1')
    expect([slowed.status, slowed.body]).toEqual([429, { error: expect.any(String) }])
    const wait = Number(slowed.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect((await from(bad, '198.51.100.7, 192.0.2.1')).status).toBe(429)

    expect((await from(app.diwan.operator, '192.0.2.1')).status).toBe(200)
    const owner = app.diwan.client(`/admin/v1/companies/${company.id}`, company.ownerToken)
    expect((await owner.get('', { 'x-forwarded-for': '192.0.2.1' })).status).toBe(200)
    expect((await from(bad, '192.0.2.2')).status).toBe(401)
  })

  it('are counted together wherever a token is taken, and the operator passes', async () => {
    const address = { 'x-forwarded-for': '192.0.2.20' }
    const metrics = (token: string) => app.diwan.client('', token).get('/metrics', address)
    const admin = (token: string) => app.diwan.client('/admin/v1', token).get('/companies', address)
    const failures = [await metrics('guess-1'), await admin('guess-2'), await metrics('guess-3')]
    expect(failures.map(({ status }) => status)).toEqual([404, 401, 404])
    for (const slowed of [await metrics('guess-4'), await admin('guess-5')]) {
      expect([slowed.status, slowed.body]).toEqual([429, { error: expect.any(String) }])
      expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect([(await metrics(OPERATOR_TOKEN)).status, (await admin(OPERATOR_TOKEN)).status]).toEqual([200, 200])
  })

  it('are counted by the network of an IPv6 address, and by an IPv4 address in either spelling', async () => {
    const nobody = app.diwan.client('/admin/v1')
    const statuses = async (...addresses: string[]) => {
      const seen = []
      for (const address of addresses) seen.push((await from(nobody, address)).status)
      return seen
    }
    expect(await statuses('2001:db8:7::1', '2001:db8:7::2', '2001:db8:7:0:ffff::3', '2001:db8:7::4')).toEqual([
      401, 401, 401, 429,
    ])
    expect(await statuses('2001:db8:7:1::1')).toEqual([401])
    expect(await statuses('192.0.2.30', '::ffff:192.0.2.30', '192.0.2.30', '::ffff:c000:021e')).toEqual([
      401, 401, 401, 429,
    ])
  })

  it('are no more than allowed however many come at once', async () => {
    const guesses = Array.from({ length: 40 }, () => mintCredential('svc_', 'another-secret').token)
    const answers = await Promise.all(guesses.map(token => from(app.diwan.client('/admin/v1', token), '192.0.2.40')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(37)
  })

  describe('from behind the address of somebody', () => {
    it('keep out a token that was never seen here, which is not looked up, and none that was', async () => {
      const company = await app.diwan.company()
      const owner = await newcomer(company)
      const read = (address: string) => owner.get('', { 'x-forwarded-for': address })
      for (let n = 0; n < 3; n++) await from(app.diwan.client('/admin/v1'), '192.0.2.50')
      expect((await read('192.0.2.50')).status).toBe(429)
      expect((await read('192.0.2.51')).status).toBe(200)
      expect((await read('192.0.2.50')).status).toBe(200)
    })

    it('are not those of a newcomer who begins with many requests at once', async () => {
      const owner = await newcomer(await app.diwan.company())
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => owner.get('', { 'x-forwarded-for': '192.0.2.60' })),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      expect((await from(app.diwan.client('/admin/v1'), '192.0.2.60')).status).toBe(401)
    })

    it('count a token that was good until it was revoked', async () => {
      const company = await app.diwan.company()
      const person = await app.diwan.person(company.id, { role: 'manager' })
      const read = () => person.admin.get('', { 'x-forwarded-for': '192.0.2.70' })
      expect((await read()).status).toBe(200)
      await app.diwan.operator.patch(`/companies/${company.id}/users/${person.id}`, { active: false })
      const statuses = []
      for (let n = 0; n < 4; n++) statuses.push((await read()).status)
      expect(statuses).toEqual([401, 401, 401, 429])
    })

    /** A token that another node has made. */
    async function newcomer({ id, owner }: TestCompany): Promise<Client> {
      const { token, digest } = mintCredential('svc_', SERVER_SECRET)
      await app.database.pool.query(
        `insert into personal_tokens (company_id, user_id, name, digest, last_four) values ($1, $2, 'x', $3, 'xxxx')`,
        [id, owner.id, digest],
      )
      return app.diwan.admin(id, token)
    }
  })

  it('send Retry-After with the 429 only', async () => {
    const { status, headers } = await from(app.diwan.client('/admin/v1'), '192.0.2.9')
    expect([status, headers.get('retry-after')]).toEqual([401, null])
  })
})
