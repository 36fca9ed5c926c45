import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPart } from '../test/support/parts.ts'
import { CASES, type Case, type Data } from './cases.ts'
import { prepareData } from './data.ts'
import { ask, load, type Measured, post } from './load.ts'
import { startBenchPostgres } from './postgres.ts'
import { header, keepResults, line, type Row, slowerThanKept, tableOf } from './report.ts'
import { BENCH_ENV, createTargets, type Env, type Target } from './targets.ts'

const { values: options } = parseArgs({
  options: {
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '1000000' },
    companies: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
    guard: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const rounds = Number(options.rounds)
const forMs = Number(options.seconds) * 1000
const connections = Number(options.connections)
const folder = join(tmpdir(), 'diwan-bench')

const binFolder = findPart('postgres')
const postgres = binFolder ? await startBenchPostgres(binFolder, folder) : undefined
const targets = createTargets(postgres === undefined)
try {
  const [small, large] = [await prepare(options.small), await prepare(options.large)]
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const diwan = { small: () => serve('small', small.env), large: () => serve('large', large.env) }
  /** Starts the floor, and hands it the answer that it must return for this case. */
  const floorThatKnows = async ({ word }: Case, answer: string) => {
    const floor = await targets.reach('floor', ['--import', 'tsx', 'bench/floor.ts'], large.env)
    if (word) await ask(floor.port, post(`/remember/${encodeURIComponent(word)}`, large.data.key, answer))
    return floor
  }
  const requireSameBytes = async (each: Case, answer: string) => {
    const { port } = await floorThatKnows(each, answer)
    const theirs = each.floor && (await ask(port, each.floor(large.data)))
    if (answer !== theirs) throw new Error(`The floor of "${each.name}" gives other bytes:\n${answer}\n${theirs}`)
  }

  const begin = async ({ begin: first }: Case) => {
    if (!first) return
    for (const [target, { data }] of [
      [diwan.small, small],
      [diwan.large, large],
    ] as const) {
      const { port } = await target()
      data.cursor = await first(data, request => ask(port, request))
    }
  }

  process.stdout.write(`${header()}\n`)
  const rows: Row[] = []
  let megabytes = 0
  for (const each of CASES.filter(({ name }) => name.includes(options.only))) {
    await begin(each)
    const answer = await ask((await diwan.large()).port, each.ask(large.data))
    if (each.sameBytes) await requireSameBytes(each, answer)
    const measured = { floor: [] as Measured[], small: [] as Measured[], large: [] as Measured[] }
    for (let round = 0; round < rounds; round++) {
      if (each.floor)
        measured.floor.push(await measure(await floorThatKnows(each, answer), each.floor, large.data, each.connections))
      measured.small.push(await measure(await diwan.small(), each.ask, small.data, each.connections))
      measured.large.push(await measure(await diwan.large(), each.ask, large.data, each.connections))
      megabytes = Math.max(megabytes, (await diwan.large()).residentMegabytes())
    }
    const ours = middle(measured.large)
    const against = each.floor ? middle(measured.floor) : rows.find(({ name }) => name === each.against)
    const row: Row = {
      ...ours,
      name: each.name,
      ofFloor: against && ours.perSecond / against.perSecond,
      growth: middle(measured.small).perSecond / ours.perSecond,
    }
    rows.push(row)
    process.stdout.write(`${line(row)}\n`)
  }
  const notes = [
    `${connections} connections at once, the middle of ${rounds} rounds of ${forMs / 1000} s.`,
    `Data: ${options.large} tasks; growth is from ${options.small}. The server held at most ${megabytes.toFixed(0)} MB.`,
  ]
  process.stdout.write(`\n${notes.join('\n')}\n`)
  if (options.guard) guard(rows)
  if (options.write) keepResults(postgres ? 'PostgreSQL' : 'The embedded database', notes, tableOf(rows))
} finally {
  await targets.stop()
  await postgres?.stop()
}

async function prepare(tasks: string): Promise<{ env: Env; data: Data }> {
  const env: Env = {
    ...BENCH_ENV,
    DATA_DIR: join(folder, `data-${tasks}`),
    ...(postgres && { DATABASE_URL: await postgres.database(`diwan_${tasks}_${options.companies}`) }),
  }
  return { env, data: await prepareData(env, { tasks: Number(tasks), companies: Number(options.companies) }) }
}

function serve(name: string, env: Env): Promise<Target> {
  return targets.reach(name, ['dist/main.js', 'serve'], env)
}

/** Measures after a warm-up that takes a third of the measured time. */
async function measure(
  { port }: Target,
  next: (data: Data) => string,
  data: Data,
  atOnce = connections,
): Promise<Measured> {
  await load(port, { connections: atOnce, forMs: forMs / 3, next: () => next(data) })
  return load(port, { connections: atOnce, forMs, next: () => next(data) })
}

function middle(measured: Measured[]): Measured {
  return [...measured].sort((a, b) => a.perSecond - b.perSecond)[Math.floor(measured.length / 2)] as Measured
}

/** Fails when a ratio is worse than in the saved results. */
function guard(rows: Row[]): void {
  const slower = slowerThanKept(rows)
  for (const each of slower) process.stderr.write(`Slower: ${each}\n`)
  if (slower.length > 0) process.exitCode = 1
}
