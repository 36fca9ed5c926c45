import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { findParts } from '../test/support/parts.ts'
import { CASES, type Case } from './cases.ts'
import { prepareData } from './data.ts'
import { load } from './load.ts'
import { startBenchPostgres } from './postgres.ts'
import { createTargets } from './targets.ts'

// Measures what the feed of changes costs a write: one server and one database, with and without the triggers of the feed in
// turn, so that anything else that changes on the machine affects both alike.

const { values: options } = parseArgs({
  options: {
    tasks: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '13' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
  },
})
const rounds = Number(options.rounds)
const writes = CASES.filter(({ name }) => name === 'create a task' || name === 'complete a task')

const { postgres: binFolder } = findParts()
if (!binFolder) throw new Error('PostgreSQL is not installed')
const folder = join(tmpdir(), 'diwan-bench')
const postgres = await startBenchPostgres(binFolder, folder)
const targets = createTargets(false)
const url = await postgres.database(`diwan_feed_${options.tasks}`)
const admin = new pg.Client(url)
try {
  const env = {
    SERVER_SECRET: 'the-secret-of-the-benchmark-which-nobody-guesses',
    DATA_DIR: join(folder, 'data-feed'),
    DATABASE_URL: url,
    PORT: '0',
    BURST_PER_MINUTE: '0',
    DEMO: 'off',
    WORKER: 'off',
    LOG_LEVEL: 'warn',
  }
  const data = await prepareData(env, { tasks: Number(options.tasks), companies: 10 })
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const { port } = await targets.reach('diwan', ['dist/main.js', 'serve'], env)
  await admin.connect()
  const measure = ({ ask }: Case) =>
    load(port, {
      connections: Number(options.connections),
      forMs: Number(options.seconds) * 1000,
      next: () => ask(data),
    })

  for (const each of writes) {
    const speeds = { with: [] as number[], without: [] as number[] }
    await measure(each)
    for (let round = 0; round < rounds; round++) {
      // The order alternates from round to round.
      for (const feed of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
        await setFeed(feed === 'with')
        // Completing a task that is already complete writes nothing.
        if (each.name === 'complete a task')
          await admin.query('update tasks set completed_at = null where completed_at is not null')
        await admin.query('checkpoint')
        speeds[feed].push((await measure(each)).perSecond)
      }
    }
    const lost = speeds.with.map((speed, round) => 1 - speed / (speeds.without[round] as number))
    process.stdout.write(
      `${each.name}: ${middle(speeds.with).toFixed(0)} a second with the feed, ${middle(speeds.without).toFixed(0)} without; ` +
        `lost ${percent(middle(lost))} in the middle of ${rounds} rounds, a quarter lost less than ${percent(quarter(lost, 1))} and a quarter more than ${percent(quarter(lost, 3))}\n`,
    )
  }
} finally {
  await setFeed(true).catch(() => {})
  await admin.end().catch(() => {})
  await targets.stop()
  await postgres.stop()
}

async function setFeed(isOn: boolean): Promise<void> {
  const state = isOn ? 'enable' : 'disable'
  for (const trigger of ['tasks_record_created', 'tasks_record_changed', 'tasks_record_deleted'])
    await admin.query(`alter table tasks ${state} trigger ${trigger}`)
}

function quarter(numbers: number[], n: 0 | 1 | 2 | 3): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length * n) / 4)] as number
}

function middle(numbers: number[]): number {
  return quarter(numbers, 2)
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`
}
