import { describe, expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { type Answer, created, type TestCompany } from '../support/diwan.ts'

const BURST = 3
const app = useOwnApp({ burstPerMinute: BURST, trustProxy: 'loopback' })

let addresses = 0
const freshAddress = () => `2001:db8:0:${(++addresses).toString(16)}::1`
const from = (address: string) => ({ 'x-forwarded-for': address })

/** A PATCH of a project that would succeed if no condition spoiled it. */
interface Scene {
  company: TestCompany
  key: { id: number; key: string }
  address: string
  path: string
  body: string
  headers: Record<string, string>
}

async function makeScene(): Promise<Scene> {
  const company = await app.diwan.company()
  const { data: key } = await created(company.admin.post('/keys', { name: 'Scene', access: 'write' }))
  const { data } = await created(company.api.post('/projects', { name: 'Scene' }, from(freshAddress())))
  const path = `/projects/${data.id}`
  return { company, key, address: freshAddress(), path, body: '{"name":"New"}', headers: {} }
}

const narrow = ({ company, key }: Scene, operations: string[]) => company.admin.patch(`/keys/${key.id}`, { operations })
const archive = ({ company, path }: Scene) => company.api.post(`${path}/archive`, undefined, from(freshAddress()))
const settle = (scene: Scene, change: object) => app.diwan.operator.patch(`/companies/${scene.company.id}`, change)

/** Its name, at which step it is checked, how it is answered, and what brings it about. */
type Condition = [name: string, step: number, status: number, code: string | undefined, apply: (s: Scene) => unknown]

async function exhaust(key: string | undefined, address: () => string) {
  for (let n = 0; n < BURST; n++) await app.diwan.api(key).get('/me', from(address()))
}

const CONDITIONS: Condition[] = [
  ['the burst of the address', 1, 429, undefined, s => exhaust(undefined, () => s.address)],
  ['an unknown route', 2, 404, 'unknown_endpoint', s => Object.assign(s, { path: `${s.path}/nothing` })],
  ['a revoked key', 3, 401, 'unauthorized', s => s.company.admin.delete(`/keys/${s.key.id}`)],
  ['the burst of the key', 4, 429, undefined, s => exhaust(s.key.key, freshAddress)],
  ['the flag off', 5, 404, 'not_found', s => settle(s, { rest_api: false })],
  ['a plan without access', 6, 403, 'plan_upgrade_required', s => settle(s, { plan: 'free' })],
  ['the allowance spent', 7, 429, 'rate_limit_exceeded', s => settle(s, { daily_calls: 1 })],
  ['an operation denied', 8, 403, 'forbidden', s => narrow(s, ['account:read'])],
  ['a record missing', 10, 404, 'not_found', s => Object.assign(s, { path: '/projects/prj-0000000000' })],
  ['an archived project', 11, 403, 'forbidden', s => archive(s)],
  ['a read-only subscription', 11, 403, 'forbidden', s => settle(s, { subscription: 'read_only' })],
  ['another version', 12, 412, 'precondition_failed', s => Object.assign(s, { headers: { 'if-match': '"another"' } })],
  ['a bad body', 13, 422, 'unprocessable_entity', s => Object.assign(s, { body: '{"name":' })],
]

/** The order in which conditions are set up: those that need calls come before those that make calls fail. */
const SETUP = ['an archived project', 'the burst of the key', 'a record missing', 'an unknown route']

async function spoil(names: string[]): Promise<Scene> {
  const scene = await makeScene()
  const rank = (name: string) => (SETUP.includes(name) ? SETUP.indexOf(name) : SETUP.length)
  const wanted = CONDITIONS.filter(([name]) => names.includes(name))
  for (const [, , , , apply] of wanted.sort(([a], [b]) => rank(a) - rank(b))) await apply(scene)
  return scene
}

function send({ key, address, path, body, headers }: Scene): Promise<Answer> {
  return app.diwan.api(key.key).send('PATCH', path, {
    body,
    headers: { 'content-type': 'application/json', ...from(address), ...headers },
  })
}

const names = CONDITIONS.map(([name]) => name)

describe('When several checks would refuse a call, the earliest one answers', () => {
  it('from all of them to none', async () => {
    const answers: [number, string | undefined][] = []
    for (let n = 0; n < names.length; n++) {
      const { status, body } = await send(await spoil(names.slice(n)))
      answers.push([status, body.error?.code])
    }
    expect(answers).toEqual(CONDITIONS.map(([, , status, code]) => [status, code]))
    expect((await send(await spoil([]))).status).toBe(200)
  })
})

describe('A refused call', () => {
  const RATE = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
  const callsOf = async ({ company }: Scene): Promise<number> =>
    (await company.admin.get('/usage?days=1')).body.data[0].calls

  it.each(CONDITIONS)(
    'by %s is spent only past the allowance, and tells of it what it may',
    async (name, step, status) => {
      const scene = await spoil([name])
      const before = await callsOf(scene)
      const { headers } = await send(scene)
      expect((await callsOf(scene)) - before).toBe(step > 7 ? 1 : 0)

      const sent = RATE.filter(header => headers.has(header))
      if (step < 6) expect(sent).toEqual([])
      if (step === 6)
        expect(sent.map(header => [header, headers.get(header)])).toEqual(RATE.slice(0, 2).map(h => [h, '0']))
      if (step > 6) expect(sent).toEqual(RATE)
      expect(headers.has('retry-after')).toBe(status === 429)
    },
  )
})
