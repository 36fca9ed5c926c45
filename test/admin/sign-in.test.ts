import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { mintCredential } from '../../src/domain/access/credentials.ts'
import { makeFirstLink } from '../../src/domain/installation/first-link.ts'
import { ACTORS, actAs, declaredAs, MATRIX } from '../support/administration-rights.ts'
import { OPERATOR_TOKEN, SERVER_SECRET, useApp, useOwnApp } from '../support/app.ts'
import { browserWith, signIn } from '../support/console.ts'
import type { Answer, Client, TestCompany } from '../support/diwan.ts'
import { call, furnish } from '../support/furnished.ts'

describe('Each endpoint of the administration', () => {
  const app = useApp()
  const isForOthers = ({ status, body }: Answer) => status === 403 && body.error.message.startsWith('This is for ')

  it('is in the table of who may call it', () => {
    const said = MATRIX.map(([endpoint]) => declaredAs(endpoint))
    const served = adminEndpoints.flatMap(({ method, at }) => at.map(address => `${method} ${address}`))
    expect([...new Set(said)].sort()).toEqual(served.sort())
  })

  it.each(Object.keys(ACTORS))(
    'answers as the table says, and GET /me names those that are for the caller: %s',
    async actor => {
      const furnished = await furnish(app.diwan)
      const { client, named } = await actAs(app.diwan, actor, furnished)
      const { may } = (await client.get('/me')).body.data ?? {}
      const answered: Record<string, number> = {}
      const open = new Set<string>()
      for (const [endpoint, , , body] of MATRIX) {
        const answer = await call(client, endpoint, named, body?.(furnished))
        answered[endpoint] = answer.status
        if (!isForOthers(answer)) open.add(declaredAs(endpoint))
      }
      const refusal = actor.startsWith('deactivated') ? 401 : 403
      expect(answered).toEqual(
        Object.fromEntries(MATRIX.map(([endpoint, who, status]) => [endpoint, who.includes(actor) ? status : refusal])),
      )
      if (refusal === 401) return
      const ofAdministration = adminEndpoints.filter(({ method, at }) => at.some(each => open.has(`${method} ${each}`)))
      expect(adminEndpoints.map(({ name }) => name).filter(name => may.includes(name))).toEqual(
        ofAdministration.map(({ name }) => name),
      )
    },
  )
})

describe('A credential', () => {
  const app = useApp()

  it('that is missing, mistyped, cut short, in another scheme or of the other surface is 401, before anything is looked for', async () => {
    const { id, ownerToken, key } = await app.diwan.company()
    const typo = ownerToken.slice(0, -1) + (ownerToken.endsWith('A') ? 'B' : 'A')
    const statusWith = async (headers: Record<string, string>, company = id) =>
      (await app.diwan.client('/admin/v1').get(`/companies/${company}`, headers)).status
    for (const authorization of [
      '',
      'Bearer',
      `Bearer ${typo}`,
      `Bearer ${ownerToken.slice(0, -1)}`,
      `Bearer ${ownerToken} x`,
      `Basic ${ownerToken}`,
      ownerToken,
      `Bearer ${OPERATOR_TOKEN}x`,
      `Bearer ${key}`,
    ])
      expect([authorization, await statusWith({ authorization })]).toEqual([authorization, 401])
    expect([await statusWith({}), await statusWith({}, 999_999)]).toEqual([401, 401])
    expect(await statusWith({ authorization: `bearer ${ownerToken}` })).toBe(200)
    for (const token of [ownerToken, OPERATOR_TOKEN]) expect((await app.diwan.api(token).get('/me')).status).toBe(401)
  })
})

const own = useOwnApp({ signInFailuresPerMinute: 3, trustProxy: 'loopback', burstPerMinute: 1_000 })
const begin = (address: string, body: object) =>
  own.diwan.client('/admin/v1').post('/sessions', body, { 'x-forwarded-for': address })
const beginFrom = async (address: string, body: object) => (await begin(address, body)).status

describe('Failed sign-ins', () => {
  const app = own
  const from = (client: Client, address: string) => client.get('/companies', { 'x-forwarded-for': address })

  it('are slowed after the allowed number a minute, per address, while good tokens still pass', async () => {
    const company = await app.diwan.company()
    const [bad, nobody] = [app.diwan.client('/admin/v1', company.key), app.diwan.client('/admin/v1')]
    for (const guess of [bad, nobody, bad]) {
      const { status, headers } = await from(guess, '192.0.2.1')
      expect([status, headers.get('retry-after')]).toEqual([401, null])
    }
    const slowed = await from(bad, '192.0.2.1')
    expect([slowed.status, slowed.body]).toEqual([429, { error: expect.any(String) }])
    const wait = Number(slowed.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect((await from(bad, '198.51.100.7, 192.0.2.1')).status).toBe(429)

    expect((await from(app.diwan.operator, '192.0.2.1')).status).toBe(200)
    expect((await company.admin.get('', { 'x-forwarded-for': '192.0.2.1' })).status).toBe(200)
    expect((await from(bad, '192.0.2.2')).status).toBe(401)
  })

  it('are counted together wherever a credential is taken', async () => {
    const address = { 'x-forwarded-for': '192.0.2.20' }
    const metrics = async (token: string) => (await app.diwan.client('', token).get('/metrics', address)).status
    const accept = async () =>
      (await app.diwan.client('/admin/v1').post('/invitations/accept', { code: 'x' }, address)).status
    expect([await metrics('guess'), await beginFrom('192.0.2.20', { code: 'x' }), await accept()]).toEqual([
      404, 401, 401,
    ])
    const slowed = [await beginFrom('192.0.2.20', { token: 'x' }), await metrics('guess'), await accept()]
    expect(slowed).toEqual([429, 429, 429])
    expect(await metrics(OPERATOR_TOKEN)).toBe(200)
  })

  it('are counted by the network of an IPv6 address, and by an IPv4 address in either spelling', async () => {
    const nobody = app.diwan.client('/admin/v1')
    const network = ['2001:db8:7::1', '2001:db8:7::2', '2001:db8:7:0:ffff::3', '2001:db8:7::4', '2001:db8:7:1::1']
    const spellings = ['192.0.2.30', '::ffff:192.0.2.30', '192.0.2.30', '::ffff:c000:021e']
    const statuses = []
    for (const address of [...network, ...spellings]) statuses.push((await from(nobody, address)).status)
    expect(statuses).toEqual([401, 401, 401, 429, 401, 401, 401, 401, 429])
  })

  it('are no more than allowed however many come at once', async () => {
    const guesses = Array.from({ length: 20 }, () => mintCredential('svc_', 'another-secret').token)
    const answers = await Promise.all(guesses.map(token => from(app.diwan.client('/admin/v1', token), '192.0.2.40')))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(401), ...Array(17).fill(429)])
  })

  it('are not those of a newcomer who begins with many requests at once', async () => {
    const owner = await newcomer(await app.diwan.company())
    const read = () => owner.get('', { 'x-forwarded-for': '192.0.2.60' })
    const answers = await Promise.all(Array.from({ length: 20 }, read))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect((await from(app.diwan.client('/admin/v1'), '192.0.2.60')).status).toBe(401)
  })

  it('keep out a token that was never seen here, which is not looked up, and none that was', async () => {
    const owner = await newcomer(await app.diwan.company())
    const read = async (address: string) => (await owner.get('', { 'x-forwarded-for': address })).status
    for (let n = 0; n < 3; n++) await from(app.diwan.client('/admin/v1'), '192.0.2.50')
    expect([await read('192.0.2.50'), await read('192.0.2.51'), await read('192.0.2.50')]).toEqual([429, 200, 200])
  })

  it('are also those with a token that was good until it was revoked', async () => {
    const company = await app.diwan.company()
    const person = await app.diwan.person(company.id, { role: 'manager' })
    const path = `/users/${person.id}/tokens`
    const statuses = [(await person.admin.get('')).status]
    const [{ id }] = (await company.admin.get(path)).body.data
    await company.admin.delete(`${path}/${id}`)
    for (let n = 0; n < 4; n++) statuses.push((await person.admin.get('', { 'x-forwarded-for': '192.0.2.70' })).status)
    expect(statuses).toEqual([200, 401, 401, 401, 429])
  })

  it('of one person who was dismissed are slowed wherever they come from, and nobody else is', async () => {
    const company = await app.diwan.company()
    const [dismissed, colleague] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
    await company.admin.patch(`/users/${dismissed.id}`, { active: false })
    const statuses = []
    for (let n = 81; n <= 85; n++) statuses.push(await beginFrom(`192.0.2.${n}`, { token: dismissed.token }))
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect(await beginFrom('192.0.2.85', { token: colleague.token })).toBe(201)
    await company.admin.patch(`/users/${dismissed.id}`, { active: true })
    expect(await beginFrom('192.0.2.86', { token: dismissed.token })).toBe(201)
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

describe('Good calls', () => {
  const AT_ONCE = 4
  const PERSON_PER_MINUTE = 600
  // The clock stands still: however slow the machine is, all calls are of one minute.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  async function statusesOf(count: number, read: () => Promise<Answer>): Promise<Set<number>> {
    const seen = new Set<number>()
    for (let n = 0; n < count; n += AT_ONCE)
      for (const { status } of await Promise.all(Array.from({ length: AT_ONCE }, read))) seen.add(status)
    return seen
  }

  it('of one person are 600 a minute at most, with every token and session together; the operator’s are any number', {
    timeout: 300_000,
  }, async () => {
    const company = await own.diwan.company()
    const [person, other] = [await own.diwan.person(company.id), await own.diwan.person(company.id)]
    const { browser } = await signIn(own.diwan, { token: person.token })
    const withSession = () => browser.get('/me')
    const withToken = () => person.admin.get('/notifications')
    expect(await statusesOf(PERSON_PER_MINUTE / 2, withSession)).toEqual(new Set([200]))
    expect(await statusesOf(PERSON_PER_MINUTE / 2, withToken)).toEqual(new Set([200]))
    for (const read of [withSession, withToken, () => person.admin.post('/keys', {})]) {
      const { status, body, headers } = await read()
      expect([status, body, headers.get('retry-after')]).toEqual([429, { error: expect.any(String) }, '60'])
    }
    expect((await other.admin.get('/notifications')).status).toBe(200)
    const byOperator = await statusesOf(PERSON_PER_MINUTE + AT_ONCE, () => own.diwan.operator.get('/me'))
    expect(byOperator).toEqual(new Set([200]))
    vi.advanceTimersByTime(60_000)
    expect((await withToken()).status).toBe(200)
  })
})

it('The link of the first start is made once, is good once within ten minutes, and signs in the operator', async () => {
  const start = () => makeFirstLink(own.database.db, SERVER_SECRET)
  const codes = (await Promise.all(Array.from({ length: 5 }, start))).filter(code => code !== undefined)
  expect(codes).toEqual([expect.stringMatching(/^svc_link_[0-9A-Za-z]{49}$/)])
  const [code = ''] = codes
  const { rows } = await own.database.pool.query('select digest from first_link')
  expect(rows[0].digest.toString('latin1')).not.toContain(code)
  const move = (interval: string) =>
    own.database.pool.query('update first_link set expires_at = expires_at - $1::interval', [interval])
  await move('10 minutes')
  expect(await beginFrom('192.0.2.90', { code })).toBe(401)
  await move('-1 minute')
  const redeem = (n: number) => begin(`192.0.2.${n}`, { code })
  const answers = await Promise.all([91, 92, 93, 94, 95].map(redeem))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401])
  const cookie = answers.find(({ status }) => status === 201)?.headers.get('set-cookie') ?? ''
  expect((await browserWith(own.diwan, cookie.split(';')[0] as string).get('/me')).body.data.kind).toBe('operator')
  expect([await beginFrom('192.0.2.96', { code }), await start()]).toEqual([401, undefined])
})
