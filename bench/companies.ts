import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { readConfig } from '../src/config.ts'
import { transactionOn } from '../src/db/db.ts'
import { migrate } from '../src/db/migrate.ts'
import { createLog, openDatabase } from '../src/parts.ts'
import { findPart } from '../test/support/parts.ts'
import { get, load, post, type Request } from './load.ts'
import { addCompanies, addKeys, listsOf, ref, TASKS_OF_A_LIST } from './many-companies.ts'
import { startBenchPostgres } from './postgres.ts'
import { processorMs } from './processor-time.ts'
import { BENCH_ENV, createTargets, type Env } from './targets.ts'

// Checks the model of docs/scaling.md: many companies of very different sizes on one node, at a rate that it can well serve. The
// model says that a request costs as much as if all of them came from one company, and that size is tasks times bytes.

const { values: options } = parseArgs({
  options: {
    companies: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '64' },
  },
})
const companies = Number(options.companies)
let state = 1
const [rate, forMs] = [Number(options.rate), Number(options.seconds) * 1000]

const binFolder = findPart('postgres')
if (!binFolder) throw new Error('PostgreSQL is not installed')
const folder = join(tmpdir(), 'diwan-bench')
const postgres = await startBenchPostgres(binFolder, folder)
const targets = createTargets(false)
try {
  const env: Env = {
    ...BENCH_ENV,
    DATA_DIR: join(folder, 'data-companies'),
    DATABASE_URL: await postgres.database(`diwan_companies_${companies}`),
  }
  const { keys, bytes, tasks } = await prepare(env)
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const target = await targets.reach('diwan', ['dist/main.js', 'serve'], env)
  say(`${companies} companies, ${tasks} tasks, ${(bytes / tasks).toFixed(0)} bytes for each task, indexes included`)

  const measure = async (name: string, next: () => Request) => {
    const connections = Number(options.connections)
    await load(target.port, { connections, forMs: forMs / 3, perSecond: rate, next })
    const used = () => [processorMs(target.pid), processorMs(postgres.pid)]
    const before = used()
    const measured = await load(target.port, { connections, forMs, perSecond: rate, next })
    const [node = 0, database = 0] = used().map((now, n) => (now - (before[n] as number)) / measured.requests)
    const times = `p50 ${measured.p50Ms.toFixed(1)} ms, p99 ${measured.p99Ms.toFixed(1)} ms`
    say(
      `${name}: ${measured.perSecond.toFixed(0)} a second, ${times}; processor time of a request: node ${node.toFixed(2)} ms, database ${database.toFixed(2)} ms`,
    )
    return node + database
  }
  const requests = mixture(keys)
  // Of one company: the fiftieth, which has 2,000 tasks.
  const one = await measure('One company', () => requests(50))
  const many = await measure('All companies', () => requests(anyRank()))
  say(`A request costs ${(many / one).toFixed(2)} times as much when it can come from any company`)
  say(`The node holds ${target.residentMegabytes().toFixed(0)} MB`)
} finally {
  await targets.stop()
  await postgres.stop()
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function prepare(env: Env): Promise<{ keys: string[]; bytes: number; tasks: number }> {
  const config = readConfig(env)
  const database = await openDatabase(config, createLog({ ...config, logLevel: 'silent' }))
  try {
    await migrate(database)
    if (!(await database.db.maybe(sql`select from companies limit 1`))) {
      say(`Making ${companies} companies`)
      await database.withoutDeadline(client => transactionOn(client, tx => addCompanies(tx, companies)))
      await database.withoutDeadline(client => client.query('vacuum analyze'))
    }
    const facts = sql`select pg_database_size(current_database()) as bytes, (select count(*) from tasks) as tasks`
    const { bytes, tasks } = await database.db.one<{ bytes: number; tasks: number }>(facts)
    return { keys: await addKeys(database.db, companies, env.SERVER_SECRET as string), bytes, tasks }
  } finally {
    await database.close()
  }
}

/** The rank of the company that sends the next request: the larger it is, the more it sends. */
function anyRank(): number {
  return Math.min(companies, Math.floor((companies + 1) ** random()))
}

/** What a company asks for, in the proportions of the mixed case of the benchmark, with some searches. */
function mixture(keys: string[]): (rank: number) => Request {
  const firstLists = [0]
  for (let rank = 1; rank <= companies; rank++) firstLists.push((firstLists[rank - 1] as number) + listsOf(rank))
  let turn = 0
  return rank => {
    const key = keys[rank - 1] as string
    const list = (firstLists[rank - 1] as number) + 1 + Math.floor(random() * listsOf(rank))
    const task = (list - 1) * TASKS_OF_A_LIST + 1 + Math.floor(random() * TASKS_OF_A_LIST)
    const kind = turn++ % 20
    if (kind < 9) return get(`/api/v1/tasks/${ref('tsk', task)}`, key)
    if (kind < 15) return get(`/api/v1/lists/${ref('lst', list)}/tasks?limit=50`, key)
    if (kind < 16) return get('/api/v1/search?q=contract', key)
    if (kind < 18) return post(`/api/v1/lists/${ref('lst', list)}/tasks`, key, `{"title":"Benchmark ${turn}"}`)
    return post(`/api/v1/tasks/${ref('tsk', task)}/${kind === 18 ? 'complete' : 'incomplete'}`, key)
  }
}

/** The same numbers every time, by a linear congruence. */
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}
