import { afterAll, beforeAll, expect, it } from 'vitest'
import { ENGINES } from '../test/support/both-engines.ts'
import { createPostgresDatabase } from '../test/support/database.ts'
import { describeWith } from '../test/support/describe-with.ts'
import type { TestCompany } from '../test/support/diwan.ts'
import { random, seed } from '../test/support/random.ts'
import {
  type Env,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  serve,
  withoutJobs,
} from '../test/support/server-process.ts'
import { freePort, POSTGRES_TEMPLATE, type StartedServer, startRedis, until } from '../test/support/servers.ts'
import { type SlowProxy, startSlowProxy } from '../test/support/slow-proxy.ts'
import { rounds, tell } from '../test/support/trial.ts'

const ROUNDS = rounds(1, 15)
const CALLS = rounds(800, 2_500)
/** So many of them at least are sent once the fault must have been noticed. */
const CALLS_SINCE = 300
/** Few, so that those who wait when Redis falls silent are less than one in a hundred. */
const CALLERS = 2
const MOST_GROWTH_MS = 20
/** A Redis is taken for slow when all of its answers have been late for a second. */
const NOTICED_WITHIN_MS = 1_500
/** Beside the longest of the others: a connection that is silent is given up after 250 ms. */
const LONGEST_WAIT_MS = 2_000

interface RedisFault {
  name: string
  begin(): Promise<unknown>
  end(): Promise<unknown>
}

/** The Redis of the nodes, which is reached through a proxy that can be slow. */
class FailingRedis {
  port = 0
  server!: StartedServer
  proxy!: SlowProxy
  readonly #program: string
  constructor(program: string) {
    this.#program = program
  }
  get url(): string {
    return `redis://127.0.0.1:${this.proxy.port}`
  }
  async start(): Promise<void> {
    this.port = await freePort()
    this.server = await startRedis(this.#program, this.port)
    this.proxy = await startSlowProxy({ port: this.port, host: '127.0.0.1' })
  }
  async resume(): Promise<void> {
    this.server = await startRedis(this.#program, this.port)
  }
  stop(): Promise<void> {
    process.kill(this.server.pid, 'SIGCONT')
    return this.server.stop()
  }
  faults(): RedisFault[] {
    const delayMs = 15 + Math.round(random() ** 2 * 600)
    return [
      { name: 'stopped', begin: () => this.server.stop(), end: () => this.resume() },
      {
        name: 'paused',
        begin: async () => process.kill(this.server.pid, 'SIGSTOP'),
        end: async () => process.kill(this.server.pid, 'SIGCONT'),
      },
      {
        name: `slower by ${delayMs} ms`,
        begin: async () => {
          this.proxy.delayMs = delayMs
        },
        end: async () => {
          this.proxy.delayMs = 0
        },
      },
      {
        name: 'restarted',
        begin: async () => {
          await this.server.stop()
          await this.resume()
        },
        end: async () => {},
      },
    ]
  }
}

describeWith('redis', 'A Redis that fails', paths => {
  const redis = new FailingRedis(paths.redis)
  beforeAll(() => redis.start())
  afterAll(() => redis.stop())

  const engines: { engine: string; env: () => Promise<Env> }[] = [
    { engine: 'embedded', env: async () => withoutJobs() },
  ]
  if (ENGINES.includes('PostgreSQL'))
    engines.push({
      engine: 'PostgreSQL',
      env: async () => {
        const { url } = await createPostgresDatabase(POSTGRES_TEMPLATE)
        return { DATA_DIR: newFolder(), DATABASE_URL: url, SERVER_SECRET, OPERATOR_TOKEN, WORKER: 'off' }
      },
    })

  it.each(engines)('costs no call, hardly any time, and no count of the day: $engine', async ({ engine, env }) => {
    const node = await serve({ ...(await env()), REDIS_URL: redis.url, BURST_PER_MINUTE: '1000000' })
    const other = await serve({ ...(await env()), BURST_PER_MINUTE: '1000000' })
    const [company, control] = [
      await node.diwan.company({ daily_calls: 1_000_000 }),
      await other.diwan.company({ daily_calls: 1_000_000 }),
    ]
    const isShared = async () => {
      const { body } = await node.diwan.operator.get('/health')
      return body.data.parts.find(({ name }: { name: string }) => name === 'redis')?.state === 'ok'
    }
    const growths: string[] = []
    let calls = 0
    const turn = seed + engines.findIndex(one => one.engine === engine)
    for (let round = 0; round < ROUNDS; round++) {
      // In one round alone, the engines share the faults.
      const isOurs = (n: number) => ROUNDS > 1 || engines.length === 1 || n % 2 === turn % 2
      for (const fault of redis.faults().filter((_, n) => isOurs(n))) {
        await until(isShared)
        let noticedAt = Number.POSITIVE_INFINITY
        const calling = call(company, control, () => noticedAt)
        await fault.begin()
        noticedAt = performance.now() + NOTICED_WITHIN_MS
        const { times, controls, timesSince } = await calling
        await fault.end()
        calls += times.length
        const [beside, growth] = [p99(controls), p99(timesSince) - p99(controls)]
        growths.push(`${fault.name} ${growth.toFixed(0)}`)
        expect(growth, `${fault.name}: growth of p99 in ms, beside ${beside}`).toBeLessThan(mostGrowth(beside))
        const longest = Math.max(...times) - Math.max(...controls)
        expect(longest, `${fault.name}: growth of the longest call in ms`).toBeLessThan(LONGEST_WAIT_MS)
      }
    }
    await until(isShared)
    const { body } = await node.diwan.operator.get(`/companies/${company.id}/usage?days=1`)
    expect(body.data[0].calls).toBe(calls)
    tell(`redis-kill, ${engine}`, { faults: growths.length, calls, 'growth of p99 in ms': growths.join('; ') })
    expect(await node.end('SIGTERM')).toEqual({ code: 0, signal: null })
    await other.end('SIGTERM')
  })

  /** Gives the times of calls, and of as many that have nothing to do with Redis, in turn with them. All are served. */
  async function call(company: TestCompany, control: TestCompany, noticedAt: () => number) {
    const [times, controls, timesSince]: [number[], number[], number[]] = [[], [], []]
    let left = CALLS
    const timeOf = async ({ api }: TestCompany) => {
      const sentAt = performance.now()
      const { status, body } = await api.get('/projects')
      if (status !== 200) expect.fail(`${status} ${JSON.stringify(body)}`)
      return performance.now() - sentAt
    }
    const calling = async () => {
      while (left-- > 0 || timesSince.length < CALLS_SINCE) {
        const isNoticed = performance.now() >= noticedAt()
        const ms = await timeOf(company)
        times.push(ms)
        if (isNoticed) timesSince.push(ms)
        controls.push(await timeOf(control))
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, calling))
    return { times, controls, timesSince }
  }
})

/** On a machine that is busy with other things as much again as everybody waits there. */
const mostGrowth = (beside: number) => Math.max(MOST_GROWTH_MS, beside)

function p99(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] as number
}
