import { execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import packageJson from '../package.json' with { type: 'json' }
import { openEmbedded } from '../src/db/embedded.ts'
import { CASES, type Case } from './cases.ts'
import { prepareData } from './data.ts'
import { load } from './load.ts'
import { keepResults } from './report.ts'
import { createTargets, type Env, type Target } from './targets.ts'

// Measures what somebody gets who runs `npm start` and nothing else: how long the start takes, how much memory the process
// uses, and how much of the embedded database's own speed is left.

const { values: options } = parseArgs({
  options: {
    tasks: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
    write: { type: 'boolean', default: false },
  },
})
const forMs = Number(options.seconds) * 1000
const connections = Number(options.connections)
const MEASURED = ['get a task', 'list 50 tasks, first page', 'create a task']

const folder = join(tmpdir(), 'diwan-bench-embedded')
const env: Env = {
  SERVER_SECRET: 'the-secret-of-the-benchmark-which-nobody-guesses',
  DATA_DIR: join(folder, `data-${options.tasks}`),
  PORT: '0',
  BURST_PER_MINUTE: '0',
  LOG_LEVEL: 'warn',
}
const targets = createTargets(true)
const rows: string[] = []
try {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  await measureStarts()
  const data = await prepareData(env, { tasks: Number(options.tasks), companies: 10 })
  const selects = await selectsOfTheEngine()
  print('the engine alone', `${selects.toFixed(0)} selects/s`)
  const server = await serve(env)
  for (const each of CASES.filter(({ name }) => MEASURED.includes(name))) {
    const perSecond = await speedOf(server, each)
    print(each.name, `${perSecond.toFixed(0)}/s`, `${(perSecond / selects).toFixed(2)} of the engine alone`)
  }
  print('resident under that load', `${server.residentMegabytes().toFixed(0)} MB`)
  if (options.write) keep()

  async function speedOf({ port }: Target, each: Case): Promise<number> {
    const next = () => each.ask(data)
    // Warm up for as long as is measured: the engine is optimised while it runs.
    await load(port, { connections, forMs, next })
    return (await load(port, { connections, forMs, next })).perSecond
  }
} finally {
  await targets.stop()
}

/** In milliseconds, and relative to a start of Node.js that does nothing, because machines differ. */
async function measureStarts(): Promise<void> {
  const bare = await timed(() => new Promise(resolve => spawn(process.execPath, ['-e', '0']).once('exit', resolve)))
  const empty = { ...env, DATA_DIR: join(folder, 'empty') }
  rmSync(empty.DATA_DIR, { recursive: true, force: true })
  for (const name of ['first start', 'later start']) {
    const ms = await timed(() => serve(empty))
    const megabytes = (await serve(empty)).residentMegabytes()
    print(name, `${ms.toFixed(0)} ms`, `${(ms / bare).toFixed(0)} bare starts of Node.js, ${megabytes.toFixed(0)} MB`)
    await targets.stop()
  }
}

/** Runs one prepared statement after the other, in this process. */
async function selectsOfTheEngine(): Promise<number> {
  const { pool, close } = await openEmbedded(env.DATA_DIR as string, error => console.error(error))
  const select = { name: 'one', text: 'select * from tasks where company_id = 1 and id = $1' }
  let count = 0
  for (const [ms, isCounted] of [
    [forMs / 3, false],
    [forMs, true],
  ] as const) {
    for (const until = performance.now() + ms; performance.now() < until; ) {
      await pool.query({ ...select, values: [1 + Math.floor(Math.random() * Number(options.tasks))] })
      if (isCounted) count++
    }
  }
  await close()
  return (count * 1000) / forMs
}

/** Started the way `npm start` starts it. */
function serve(env: Env): Promise<Target> {
  const [, ...args] = packageJson.scripts.start.split(' && ').at(-1)?.split(' ') ?? []
  return targets.reach('server', args, env)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

function print(name: string, measured: string, compared = ''): void {
  rows.push(`| ${name} | ${measured} | ${compared} |`)
  process.stdout.write(`${name.padEnd(30)}${[measured, compared].map(cell => cell.padStart(18)).join('   ')}\n`)
}

function keep(): void {
  const notes = [
    `${options.tasks} tasks, ${connections} connections at once, ${options.seconds} s after as long to warm up.`,
  ]
  keepResults('The embedded default', notes, ['| | measured | compared |', '|---|---:|---:|', ...rows].join('\n'))
}
