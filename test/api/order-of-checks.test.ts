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
  ref: string
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
  return { company, ref: data.id, key, address: freshAddress(), path, body: '{"name":"New"}', headers: {} }
}

const settle = (scene: Scene, change: object) => app.diwan.operator.patch(`/companies/${scene.company.id}`, change)

interface Condition {
  step: number
  status: number
  code: string | undefined
  apply: (scene: Scene) => unknown
}

const CONDITIONS: Record<string, Condition> = {
  'the burst of the address': {
    step: 1,
    status: 429,
    code: undefined,
    async apply({ address }) {
      for (let n = 0; n < BURST; n++) await app.diwan.api().get('/me', from(address))
    },
  },
  'an unknown route': {
    step: 2,
    status: 404,
    code: 'unknown_endpoint',
    apply: scene => {
      scene.path += '/nothing'
    },
  },
  'a revoked key': {
    step: 3,
    status: 401,
    code: 'unauthorized',
    apply: ({ company, key }) => company.admin.delete(`/keys/${key.id}`),
  },
  'the burst of the key': {
    step: 4,
    status: 429,
    code: undefined,
    async apply({ key }) {
      for (let n = 0; n < BURST; n++) await app.diwan.api(key.key).get('/me', from(freshAddress()))
    },
  },
  'the flag off': { step: 5, status: 404, code: 'not_found', apply: scene => settle(scene, { rest_api: false }) },
  'a plan without access': {
    step: 6,
    status: 403,
    code: 'plan_upgrade_required',
    apply: scene => settle(scene, { plan: 'free' }),
  },
  'the allowance spent': {
    step: 7,
    status: 429,
    code: 'rate_limit_exceeded',
    apply: scene => settle(scene, { daily_calls: 1 }),
  },
  'an operation denied': {
    step: 8,
    status: 403,
    code: 'forbidden',
    apply: ({ company, key }) => company.admin.patch(`/keys/${key.id}`, { operations: ['account:read'] }),
  },
  'a record missing': {
    step: 10,
    status: 404,
    code: 'not_found',
    apply: scene => {
      scene.path = scene.path.replace(scene.ref, 'prj-0000000000')
    },
  },
  'an archived project': {
    step: 11,
    status: 403,
    code: 'forbidden',
    apply: ({ company, ref }) => company.api.post(`/projects/${ref}/archive`, undefined, from(freshAddress())),
  },
  'a read-only subscription': {
    step: 11,
    status: 403,
    code: 'forbidden',
    apply: scene => settle(scene, { subscription: 'read_only' }),
  },
  'another version': {
    step: 12,
    status: 412,
    code: 'precondition_failed',
    apply: scene => {
      scene.headers['if-match'] = '"another"'
    },
  },
  'a bad body': {
    step: 13,
    status: 422,
    code: 'unprocessable_entity',
    apply: scene => {
      scene.body = '{"name":'
    },
  },
}

/** The order in which conditions are set up: those that need calls come before those that make calls fail. */
const SETUP = ['an archived project', 'the burst of the key', 'a record missing', 'an unknown route']

async function spoil(names: string[]): Promise<Scene> {
  const scene = await makeScene()
  const rank = (name: string) => (SETUP.includes(name) ? SETUP.indexOf(name) : SETUP.length)
  for (const name of [...names].sort((a, b) => rank(a) - rank(b))) await CONDITIONS[name]?.apply(scene)
  return scene
}

function send({ key, address, path, body, headers }: Scene): Promise<Answer> {
  return app.diwan.api(key.key).send('PATCH', path, {
    body,
    headers: { 'content-type': 'application/json', ...from(address), ...headers },
  })
}

const names = Object.keys(CONDITIONS)
const step = (name: string) => (CONDITIONS[name] as Condition).step

describe('When several checks would refuse a call, the earliest one answers', () => {
  it('from all of them to none', async () => {
    const answers: [number, string | undefined][] = []
    for (let n = 0; n < names.length; n++) {
      const { status, body } = await send(await spoil(names.slice(n)))
      answers.push([status, body.error?.code])
    }
    expect(answers).toEqual(names.map(name => [CONDITIONS[name]?.status, CONDITIONS[name]?.code]))
    expect((await send(await spoil([]))).status).toBe(200)
  })
})

describe('A refused call', () => {
  const RATE = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
  const callsOf = async ({ company }: Scene): Promise<number> =>
    (await company.admin.get('/usage?days=1')).body.data[0].calls

  it.each(names)('by %s is spent only past the allowance, and says of the allowance what it may', async name => {
    const scene = await spoil([name])
    const before = await callsOf(scene)
    const { headers } = await send(scene)
    expect((await callsOf(scene)) - before).toBe(step(name) > 7 ? 1 : 0)

    const sent = RATE.filter(header => headers.has(header))
    if (step(name) < 6) expect(sent).toEqual([])
    if (step(name) === 6)
      expect(sent.map(header => [header, headers.get(header)])).toEqual(RATE.slice(0, 2).map(h => [h, '0']))
    if (step(name) > 6) expect(sent).toEqual(RATE)
    expect(headers.has('retry-after')).toBe(CONDITIONS[name]?.status === 429)
  })
})
