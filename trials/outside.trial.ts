import type { Socket } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { ENGINES, useServerOn } from '../test/support/both-engines.ts'
import { HOSTILE, startCalendar } from '../test/support/calendar-hosts.ts'
import { ALLOWED, newEvent } from '../test/support/calendar-people.ts'
import { type Client, created, type TestCompany } from '../test/support/diwan.ts'
import { newList, newTask } from '../test/support/factories.ts'
import { MISDEEDS, startDeafHost, startHostileHost, TLS_MISDEEDS } from '../test/support/hostile-host.ts'
import { msOf, percentile, ratio } from '../test/support/latency.ts'
import { askingNameServerAt, startNameServer } from '../test/support/name-server.ts'
import { random } from '../test/support/random.ts'
import { startReceiver } from '../test/support/receiver.ts'
import type { ServerProcess } from '../test/support/server-process.ts'
import { until } from '../test/support/servers.ts'
import { rounds, tell } from '../test/support/trial.ts'

const ROUNDS = rounds(4, 12)
const BAD_COMPANIES = rounds(6, 24)
/** As many attempts as a company may make at a time. */
const HOOKS_OF_A_COMPANY = 8
const EVENTS_OF_A_PERSON = rounds(2, 4)
const HEALTH_WITHIN_MS = 250
/** Deliveries and syncs wait for a worker that looks for them: less than this is chance. */
const FLOOR_MS = 1_000
/** An attempt to deliver may take 15 seconds, and a calendar that says nothing 40. */
const ATTEMPTS_END_WITHIN_MS = 120_000
/** Five, and what a busy machine adds: somebody waits in front of a browser. Without a limit of ours it takes ten or more. */
const SIGN_IN_ENDS_WITHIN_MS = 8_000

const shuffled = <T>(list: T[]) => list.map(value => ({ value, at: random() })).sort((a, b) => a.at - b.at)
const drawn = <T>(list: T[], count: number) =>
  shuffled(list)
    .slice(0, count)
    .map(({ value }) => value)

/** Of its own for this process: another may run the trial too. */
const NAME_SERVER = `127.53.${(process.pid >> 8) & 255}.${process.pid & 255}`
const asking = askingNameServerAt(NAME_SERVER)
if (!asking) console.log('Not tried: dead names. It takes the right to mount (root).')
const NO_SUCH_NAME = 'no-such-name.example'
const DEAD_NAMES = asking ? [NO_SUCH_NAME, 'never-answered.example'] : []
beforeAll(async () => {
  const say = (name: string) => (name === NO_SUCH_NAME ? 'no such name' : undefined)
  if (asking) await startNameServer(say, { address: NAME_SERVER, port: 53 })
})

/** What leaves people waiting who want to sign in. Anything but the beginning of a good answer is refused at once. */
const BEGINNING = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{'
const WAITING: ((socket: Socket) => void)[] = [
  () => {},
  socket => socket.write(BEGINNING),
  socket => {
    socket.write(BEGINNING)
    const timer = setInterval(() => socket.write(' '), 100)
    socket.on('close', () => clearInterval(timer))
  },
]
const keepWaiting = (socket: Socket) => drawn(WAITING, 1)[0]?.(socket)
const stall = (socket: Socket) => drawn(Object.values(TLS_MISDEEDS), 1)[0]?.(socket)
const PROVIDERS: Record<string, () => Promise<string>> = {
  'never ends an answer': async () => `http://127.0.0.1:${await startHostileHost(keepWaiting)}`,
  'stalls in TLS': async () => `https://127.0.0.1:${await startHostileHost(stall)}`,
  'has an address that nobody has': async () => `http://127.0.0.1:${await startDeafHost()}`,
  ...Object.fromEntries(DEAD_NAMES.map(name => [`is ${name}`, async () => `https://${name}`])),
}
/** In the short form each engine has one of them, and not the same. */
const kinds = drawn(Object.keys(PROVIDERS), Object.keys(PROVIDERS).length)
const CASES = ENGINES.flatMap((engine, n) =>
  rounds(0, 1) ? kinds.map(kind => [engine, kind] as const) : [[engine, kinds[n] as string] as const],
)

/** One host for each thing that a host can do to whoever asks it. */
async function startBadHosts(): Promise<string[]> {
  const plain = await Promise.all(Object.values(MISDEEDS).map(startHostileHost))
  const encrypted = await Promise.all(Object.values(TLS_MISDEEDS).map(startHostileHost))
  return [
    ...[...plain, await startDeafHost()].map(port => `http://127.0.0.1:${port}/`),
    ...encrypted.map(port => `https://127.0.0.1:${port}/`),
    ...DEAD_NAMES.map(name => `http://${name}/`),
  ]
}

/** A company that is told of tasks, and one of whose people has a calendar. */
async function connected({ diwan }: ServerProcess, hook: string, calendar: string) {
  const company = await diwan.company()
  const list = await newList(company, (await diwan.project(company)).id)
  await created(company.admin.post('/webhooks', { name: 'All', url: hook, kinds: ['task.created'] }))
  const person = await diwan.person(company.id)
  await created(person.admin.post('/calendars', { url: calendar, username: 'a', password: 'b' }))
  return {
    company,
    list: list.id as string,
    person,
    api: diwan.api(await diwan.key(company.id, { created_by: person.id })),
  }
}

describe.each(CASES)('On %s, with an identity provider that %s,', (engine, provider) => {
  const settings = async () => ({
    ...ALLOWED,
    ALLOW_PRIVATE_WEBHOOKS: 'on',
    PUBLIC_URL: 'http://127.0.0.1:3000',
    OIDC_ISSUER: (await PROVIDERS[provider]?.()) as string,
    OIDC_CLIENT_ID: 'diwan',
    OIDC_CLIENT_SECRET: 'secret-of-the-client-which-nobody-guesses',
    OIDC_NAME: 'Najd account',
  })
  const using = useServerOn(engine, settings, asking)

  it('hosts that answer badly delay neither the probe nor what is sent to the hosts of another company', async () => {
    const { server } = using
    const receiver = await startReceiver()
    const good = await startCalendar(({ method }, response) =>
      method === 'REPORT' ? response.writeHead(207).end('<multistatus/>') : response.writeHead(201).end(),
    )
    const other = await connected(server, receiver.url, good.url)
    const deliver = () =>
      msOf(async () => {
        const { id } = await newTask(other.company, other.list)
        await until(async () => receiver.received.some(({ text }) => text.includes(id)))
      })
    const sync = () =>
      msOf(async () => {
        const before = good.asked.filter(method => method === 'PUT').length
        await newEvent(other, { name: 'Moving day' })
        await until(async () => good.asked.filter(method => method === 'PUT').length > before)
      })
    const measured = async () => {
      const found: Record<'delivered' | 'synced' | 'health', number[]> = { delivered: [], synced: [], health: [] }
      let isOver = false
      const watching = (async () => {
        while (!isOver) {
          found.health.push(await msOf(async () => expect((await fetch(`${server.url}/health`)).status).toBe(200)))
          await new Promise(resolve => setTimeout(resolve, 20))
        }
      })()
      for (let n = 0; n < ROUNDS; n++) {
        found.delivered.push(await deliver())
        found.synced.push(await sync())
      }
      isOver = true
      await watching
      const { delivered, synced, health } = found
      return { delivered: Math.max(...delivered), synced: Math.max(...synced), health: percentile(health, 0.99) }
    }

    const before = await measured()
    const hosts = await startBadHosts()
    const calendars = await Promise.all(Object.values(HOSTILE).map(startCalendar))
    // Each host is somebody's, and most are several companies'.
    let next = 0
    const some = () => Array.from({ length: HOOKS_OF_A_COMPANY }, () => hosts[next++ % hosts.length] as string)
    const addresses = calendars.map(({ url }) => url)
    const bad: Bad[] = []
    while (bad.length < BAD_COMPANIES) bad.push(await prepared(server, some(), addresses))
    const provoking = Promise.all(bad.map(({ provoke }) => provoke()))
    const signIn = msOf(() => fetch(`${server.url}/sign-in`, { redirect: 'manual' }))
    const during = await measured()
    await provoking
    const refused = await Promise.all(DEAD_NAMES.map(name => connectTo((bad[0] as Bad).company, server, name)))
    const signedInMs = await signIn
    for (const { company } of bad) await until(() => isTold(company), ATTEMPTS_END_WITHIN_MS)
    const { parts } = (await server.diwan.operator.get('/health')).body.data
    const times = (what: 'delivered' | 'synced') => ratio(during[what], [before[what]], FLOOR_MS)
    tell('outside', {
      engine,
      'identity provider': provider,
      'bad hosts': hosts.length,
      'bad companies': bad.length,
      'health p99 in ms': during.health,
      'health usually': before.health,
      'delivered in ms': during.delivered,
      'times as long': times('delivered'),
      'synced in ms': during.synced,
      'times as long as usual': times('synced'),
      'sign-in ended after ms': signedInMs,
    })
    expect(refused).toEqual(DEAD_NAMES.map(() => 422))
    expect(parts.find(({ name }: { name: string }) => name === 'identity_provider').state).not.toBe('ok')
    // Whoever was not kept waiting has not asked.
    if (!provider.includes(NO_SUCH_NAME)) expect(signedInMs).toBeGreaterThan(1_000)
    expect(signedInMs).toBeLessThan(SIGN_IN_ENDS_WITHIN_MS)
    // On a machine that is too busy for that, twice as long as without them.
    expect(during.health).toBeLessThanOrEqual(Math.max(HEALTH_WITHIN_MS, 2 * before.health))
    expect(times('delivered')).toBeLessThanOrEqual(2)
    expect(times('synced')).toBeLessThanOrEqual(2)
  })
})

interface Bad {
  company: TestCompany
  /** Writes what all of its hosts are then told of. */
  provoke(): Promise<void>
}

/** A company that is told of tasks at all of these places, and whose people have calendars that are connected and then hostile. */
async function prepared({ diwan }: ServerProcess, hooks: string[], calendars: string[]): Promise<Bad> {
  const company = await diwan.company()
  const list = await newList(company, (await diwan.project(company)).id)
  await Promise.all(
    hooks.map(url => created(company.admin.post('/webhooks', { name: 'All', url, kinds: ['task.created'] }))),
  )
  const people: Client[] = []
  for (const url of calendars) {
    const person = await diwan.person(company.id)
    await created(person.admin.post('/calendars', { url, username: 'a', password: 'b' }))
    people.push(diwan.api(await diwan.key(company.id, { created_by: person.id })))
  }
  return {
    company,
    async provoke() {
      await newTask(company, list.id)
      for (const api of people)
        for (let n = 0; n < EVENTS_OF_A_PERSON; n++) await newEvent({ api }, { name: `Moving day ${n}` })
    },
  }
}

/** How it is answered when somebody wants to connect a calendar there. */
async function connectTo({ id }: TestCompany, { diwan }: ServerProcess, name: string): Promise<number> {
  const { admin } = await diwan.person(id)
  return (await admin.post('/calendars', { url: `http://${name}/`, username: 'a', password: 'b' })).status
}

/** An attempt has ended at each of its webhooks, and is told with what it was answered or what went wrong. */
async function isTold({ admin }: TestCompany): Promise<boolean> {
  const { data } = (await admin.get('/webhooks')).body
  const told = await Promise.all(
    data.map(async ({ id }: { id: string }) => {
      const [delivery] = (await admin.get(`/webhooks/${id}/deliveries`)).body.data
      return delivery?.attempts > 0 && (delivery.error !== null || delivery.status !== null)
    }),
  )
  return told.every(Boolean)
}
