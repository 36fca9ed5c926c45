import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPart } from '../test/support/parts.ts'
import { startPgbouncer } from '../test/support/pgbouncer.ts'
import { startS3 } from '../test/support/s3-server.ts'
import { startRedis } from '../test/support/servers.ts'
import { CASES, type Case } from './cases.ts'
import { prepareData } from './data.ts'
import { startBenchHaproxy } from './haproxy.ts'
import { load } from './load.ts'
import { startBenchPostgres, startBenchReplica } from './postgres.ts'
import { processorMs } from './processor-time.ts'
import { keepResults } from './report.ts'
import { BENCH_ENV, createTargets, type Env } from './targets.ts'

// What it costs to put something between callers, nodes and database. All arrangements run on one machine, so what counts is not
// their speed but the processor time that a request takes in all parts together, compared with one node that does without.

const { values: options } = parseArgs({
  options: {
    tasks: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
})
const connections = Number(options.connections)
const rounds = Number(options.rounds)
const forMs = Number(options.seconds) * 1000

interface Arrangement {
  port: number
  /** The processes that serve a request, by what they are. */
  nodes: number[]
  /** Those between callers, nodes and database. */
  between?: number[]
  databases?: number[]
  /** How many times as many connections as one node has: each of several nodes is then as busy as the one. */
  times?: number
}

const READS_AND_WRITES = ['get a task', 'list 50 tasks, first page', 'create a task', 'mixed, 80 % reads, 16 at once']
const ONE = 'one node'

const binFolder = findPart('postgres')
if (!binFolder) throw new Error('PostgreSQL is not installed')
const folder = join(tmpdir(), 'diwan-bench')
const postgres = await startBenchPostgres(binFolder, folder)
const targets = createTargets(false)
const stops: (() => Promise<unknown>)[] = [postgres.stop]
try {
  const url = await postgres.database(`diwan_arrangements_${options.tasks}`)
  const env: Env = {
    ...BENCH_ENV,
    DATA_DIR: join(folder, 'data-arrangements'),
    DATABASE_URL: url,
  }
  const data = await prepareData(env, { tasks: Number(options.tasks), companies: 20 })
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })

  const node = (name: string, more: Env = {}) => targets.reach(name, ['dist/main.js', 'serve'], { ...env, ...more })
  const alone = async (name: string, more: Env = {}): Promise<Arrangement> => {
    const { port, pid } = await node(name, more)
    return { port, nodes: [pid] }
  }
  const behindProxy = async (count: number): Promise<Arrangement> => {
    const nodes = await Promise.all(Array.from({ length: count }, (_, n) => node(`node ${n + 1} of ${count}`)))
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
    const proxy = await startBenchHaproxy(findPart('haproxy') as string, addresses)
    stops.unshift(proxy.stop)
    return { port: proxy.port, nodes: nodes.map(({ pid }) => pid), between: [proxy.pid] }
  }
  const arrangements: Record<string, { cases: string[]; start: () => Promise<Arrangement> }> = {
    [ONE]: { cases: [...READS_AND_WRITES, 'upload 5 MB'], start: () => alone(ONE) },
    'one node behind HAProxy': { cases: READS_AND_WRITES, start: () => behindProxy(1) },
    'three nodes behind HAProxy': { cases: READS_AND_WRITES, start: () => behindProxy(3) },
    'three nodes, three times the callers': {
      cases: READS_AND_WRITES,
      start: async () => ({ ...(await behindProxy(3)), times: 3 }),
    },
    'a throttle in Redis': {
      cases: READS_AND_WRITES,
      async start() {
        const redis = await startRedis(findPart('redis') as string)
        stops.unshift(redis.stop)
        const arrangement = await alone('redis', { REDIS_URL: redis.url, BURST_PER_MINUTE: '1000000' })
        return { ...arrangement, between: [redis.pid] }
      },
    },
    PgBouncer: {
      cases: READS_AND_WRITES,
      async start() {
        const pooler = await startPgbouncer(findPart('pgbouncer') as string, url)
        stops.unshift(pooler.stop)
        const through = { DATABASE_URL: pooler.through(url), DATABASE_DIRECT_URL: url }
        return { ...(await alone('pgbouncer', through)), between: [pooler.pid] }
      },
    },
    'a replica': {
      cases: READS_AND_WRITES,
      async start() {
        const replica = await startBenchReplica(binFolder, url)
        stops.unshift(replica.stop)
        const arrangement = await alone('replica', { DATABASE_REPLICA_URL: replica.url })
        return { ...arrangement, databases: [replica.pid] }
      },
    },
    'files in a bucket': {
      cases: ['upload 5 MB'],
      async start() {
        const bucket = await startS3()
        stops.unshift(bucket.close)
        return alone('bucket', { S3_URL: bucket.urlOf('bench') })
      },
    },
  }

  const started = new Map<string, Arrangement>()
  for (const [name, { start }] of Object.entries(arrangements))
    if (name === ONE || name.includes(options.only)) started.set(name, await start())

  const measure = async ({ nodes, between = [], databases = [], port, times = 1 }: Arrangement, { ask }: Case) => {
    const sent = { connections: times * connections, next: () => ask(data) }
    await load(port, { ...sent, forMs: forMs / 3 })
    const groups = [nodes, between, [postgres.pid, ...databases]]
    const used = () => groups.map(pids => pids.reduce((sum, pid) => sum + processorMs(pid), 0))
    const before = used()
    const { requests, perSecond } = await load(port, { ...sent, forMs })
    const ms = used().map((now, n) => (now - (before[n] as number)) / requests)
    return { perSecond, ms, all: ms.reduce((sum, one) => sum + one, 0) }
  }

  const lines = [
    '| case | arrangement | requests/s | nodes, ms | between, ms | databases, ms | all, ms | of one node |',
    `|---|---|${'---:|'.repeat(6)}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  for (const each of CASES.filter(({ name }) => arrangements[ONE]?.cases.includes(name))) {
    const compared = [...started].filter(([name]) => arrangements[name]?.cases.includes(each.name))
    const measured = new Map(compared.map(([name]) => [name, [] as Awaited<ReturnType<typeof measure>>[]]))
    for (let round = 0; round < rounds; round++)
      for (const [name, arrangement] of round % 2 === 0 ? compared : [...compared].reverse())
        measured.get(name)?.push(await measure(arrangement, each))
    const alone = measured.get(ONE) ?? []
    for (const [name, found] of measured) {
      const ms = (n: number) => middle(found.map(one => one.ms[n] as number)).toFixed(2)
      const against = middle(found.map(({ all }, round) => all / (alone[round]?.all as number)))
      const row = [middle(found.map(one => one.perSecond)).toFixed(0), ms(0), ms(1), ms(2)]
      const all = [middle(found.map(one => one.all)).toFixed(2), against.toFixed(2)]
      lines.push(`| ${[each.name, name, ...row, ...all].join(' | ')} |`)
      process.stdout.write(`${lines.at(-1)}\n`)
    }
  }
  const notes = [
    `${connections} connections at once, the middle of ${rounds} rounds of ${forMs / 1000} s, in turn. ${options.tasks} tasks.`,
    'Milliseconds are processor time for one request; of one node: compared with it in the same round.',
  ]
  if (options.write) keepResults('Arrangements', notes, lines.join('\n'))
} finally {
  await targets.stop()
  for (const stop of stops) await stop()
}

function middle(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number
}
