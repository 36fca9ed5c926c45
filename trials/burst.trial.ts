import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMemoryBurst } from '../src/adapters/burst-memory.ts'
import { age, entriesAdded } from '../test/support/aged-redis.ts'
import { createPostgresDatabase } from '../test/support/database.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { random } from '../test/support/random.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, type ServerProcess, serve } from '../test/support/server-process.ts'
import { POSTGRES_TEMPLATE, startRedis } from '../test/support/servers.ts'
import { rounds, tell } from '../test/support/trial.ts'

const PER_MINUTE = 300
const WINDOW_MS = 60_000
const SIMULATED_MS = 10 * WINDOW_MS
const RUNS = rounds(20, 500)
const BURSTS = rounds(8, 400)
const REAL_MINUTES = rounds(0, 4)
/** An answer says only that its call was admitted, or refused, between when it was sent and when it came back. */
const LEAST_BEFORE_A_REFUSAL = PER_MINUTE - 1

/** How somebody asks: evenly, in bursts, or right at the edge of the window. */
const PACES = [
  () => random() * 200,
  () => (random() < 0.97 ? random() * 5 : random() * 40_000),
  () => (random() < 0.997 ? 0 : WINDOW_MS - 1 + random() * 2),
]

describe('The burst throttle', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it(`never lets more than ${PER_MINUTE} through in any minute, and never refuses one more than that, in ${RUNS} runs of ten minutes`, () => {
    let [asked, refused] = [0, 0]
    for (let run = 0; run < RUNS; run++) {
      const throttle = createMemoryBurst(PER_MINUTE)
      const pace = PACES[run % PACES.length] as () => number
      /** The times of those that were admitted in the last minute. */
      let admitted: number[] = []
      for (const end = performance.now() + SIMULATED_MS; performance.now() < end; vi.advanceTimersByTime(pace())) {
        const now = performance.now()
        admitted = admitted.filter(at => at > now - WINDOW_MS)
        const wait = throttle.admit('key:1') as number
        asked++
        if (wait === 0) admitted.push(now)
        else refused++
        if (wait === 0 ? admitted.length > PER_MINUTE : admitted.length < PER_MINUTE)
          expect.fail(`run ${run}: wait ${wait} with ${admitted.length} in the last minute`)
        if (asked % 50_000 === 0) break
      }
    }
    tell('burst', { runs: RUNS, asked, refused })
    expect(refused).toBeGreaterThan(0)
  })
})

interface Asked {
  sentAt: number
  answeredAt: number
  isAdmitted: boolean
}

describeWith(['redis', 'postgres'], 'Four processes that share a throttle through Redis', paths => {
  it(`let no more and no less than that through, in ${BURSTS} bursts, and ${REAL_MINUTES} minutes by the clock`, async () => {
    const redis = await startRedis(paths.redis)
    const database = await createPostgresDatabase(POSTGRES_TEMPLATE)
    const shared = { DATABASE_URL: database.url, REDIS_URL: redis.url, SERVER_SECRET, OPERATOR_TOKEN, WORKER: 'off' }
    const env = { ...shared, BURST_PER_MINUTE: String(PER_MINUTE), TRUST_PROXY: 'loopback' }
    const nodes = await Promise.all([1, 2, 3, 4].map(() => serve({ ...env, DATA_DIR: newFolder() })))
    const { diwan } = nodes[0] as ServerProcess
    const company = await diwan.company({ daily_calls: 1_000_000 })
    let key = company.key
    let passed = 0
    const now = () => performance.now() + passed
    let asked: Asked[] = []
    const figures = { asked: 0, refused: 0, 'bursts that were not shared': 0 }

    const ask = async (count: number, pauseMs: number) => {
      let left = count
      const caller = async (node: ServerProcess) => {
        for (; left > 0; await sleep(random() * pauseMs)) {
          left--
          const sentAt = now()
          const { status, body } = await node.diwan.api(key).get('/projects', fromAnywhere())
          if (status !== 200 && status !== 429) expect.fail(`${status} ${JSON.stringify(body)}`)
          asked.push({ sentAt, answeredAt: now(), isAdmitted: status === 200 })
        }
      }
      const addedBefore = await entriesAdded(redis.url)
      await Promise.all(nodes.map(caller))
      const admitted = asked.slice(-count).filter(({ isAdmitted }) => isAdmitted).length
      figures.asked += count
      figures.refused += count - admitted
      // One for the address of each, and one for the key of those that were admitted. Where Redis is late, a node counts by itself.
      if ((await entriesAdded(redis.url)) - addedBefore !== count + admitted) {
        figures['bursts that were not shared']++
        key = await diwan.key(company.id)
        asked = []
      }
      expectExact(asked)
      // Refusals have been checked against those before them, some of which are forgotten now.
      asked = asked.filter(({ isAdmitted, answeredAt }) => isAdmitted && answeredAt > now() - 2 * WINDOW_MS)
    }
    const pass = async (ms: number) => {
      await age(redis.url, ms)
      passed += Math.round(ms)
    }
    for (let burst = 0; burst < BURSTS; burst++) {
      await ask(Math.ceil(random() ** 2 * 400), 1)
      const oldest = asked.find(({ isAdmitted, sentAt }) => isAdmitted && sentAt > now() - WINDOW_MS)?.sentAt ?? now()
      // Some seconds, most of a minute, or until right before or after the first one leaves the window.
      const pauses = [random() * 5_000, random() * 50_000, Math.max(0, oldest + WINDOW_MS - now() - random() * 900)]
      await pass(pauses[Math.floor(random() * pauses.length)] as number)
    }
    await ask(PER_MINUTE + 50, 1)
    for (const end = performance.now() + REAL_MINUTES * WINDOW_MS; performance.now() < end; ) await ask(200, 300)

    tell('burst, Redis', { processes: nodes.length, ...figures })
    expect(figures.refused).toBeGreaterThan(0)
    expect(figures['bursts that were not shared'], 'on a machine this busy nothing is proved').toBeLessThan(BURSTS / 2)
    await Promise.all(nodes.map(node => node.end('SIGTERM')))
    await redis.stop()
    await database.drop()
  })
})

/** The limit of an address also counts what the key is refused, so that at the edge there is less room for the address. */
const fromAnywhere = () => ({ 'x-forwarded-for': `10.${[1, 2, 3].map(() => Math.floor(random() * 256)).join('.')}` })

/** Fails where more were admitted within a minute than may be, or one was refused with fewer before it, however the answers are read. */
function expectExact(asked: Asked[]): void {
  const admitted = asked.filter(({ isAdmitted }) => isAdmitted).sort((a, b) => a.sentAt - b.sentAt)
  for (const [n, { sentAt: from }] of admitted.entries()) {
    const within = admitted.slice(n).filter(({ answeredAt }) => answeredAt < from + WINDOW_MS).length
    if (within > PER_MINUTE) expect.fail(`${within} within a minute`)
  }
  for (const { sentAt, answeredAt } of asked.filter(({ isAdmitted }) => !isAdmitted)) {
    const before = admitted.filter(
      each => each.sentAt <= answeredAt && each.answeredAt >= sentAt - WINDOW_MS - 1,
    ).length
    if (before < LEAST_BEFORE_A_REFUSAL) expect.fail(`refused with ${before} in the last minute`)
  }
}
