import { execFileSync, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { expectedRows, generate } from '../src/commands/generated-data.ts'
import { type Config, readConfig } from '../src/config.ts'
import { migrate } from '../src/db/migrate.ts'
import { addKey } from '../src/domain/keyring.ts'
import { createLog, openDatabase } from '../src/server.ts'
import { findParts } from '../test/support/parts.ts'
import { CASES, type Case, type Data } from './cases.ts'
import { exchange, get, load, type Measured, post } from './load.ts'
import { startBenchPostgres } from './postgres.ts'

const { values: options } = parseArgs({
  options: {
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '1000000' },
    companies: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1.5' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
  },
})
const ROUNDS = Number(options.rounds)
const FOR_MS = Number(options.seconds) * 1000
const CONNECTIONS = Number(options.connections)
const SERVER_SECRET = 'the secret of the benchmark'.replaceAll(' ', '-')
const FOLDER = join(tmpdir(), 'diwan-bench')

type Env = Record<string, string>

const say = (line: string) => process.stderr.write(`${line}\n`)

/** A database of a size, made when it is not there yet, and the keys to it. */
async function prepare(env: Env, tasks: number): Promise<Data> {
  const config: Config = readConfig(env)
  const database = await openDatabase(config, createLog({ ...config, logLevel: 'silent' }))
  const { db, pool } = database
  try {
    await migrate(pool)
    const size = { tasks, companies: Number(options.companies) }
    if (!(await db.maybe(sql`select from companies limit 1`))) {
      say(`Generating ${expectedRows(size).toLocaleString('en')} rows`)
      await generate(db, size, () => {})
    }
    // What earlier runs created and completed.
    await pool.query('delete from tasks where id > $1', [tasks + size.companies * 100])
    await pool.query('update tasks set completed_at = null where completed_at is not null and id % 3 <> 0')
    await pool.query('update companies set daily_calls = 2000000000 where id = 2')
    await pool.query('vacuum analyze')
    const keyOf = (company_id: number) =>
      addKey(db, { company_id, name: 'Benchmark', created_by: company_id }, SERVER_SECRET)
    return { tasks, key: await keyOf(1), finiteKey: await keyOf(2) }
  } finally {
    await database.close()
  }
}

interface Target {
  port: number
  pid: number
  stop: () => Promise<void>
}

/** A process that says on which port it listens. */
async function start(command: string[], env: Env): Promise<Target> {
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', text => {
      const listens = /(?:localhost|127\.0\.0\.1|listening on )[:]?(\d+)/.exec(text)
      if (listens) resolve(Number(listens[1]))
    })
    exited.then(() => reject(new Error(`${command.join(' ')} did not start`)))
  })
  return {
    port,
    pid: child.pid as number,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** The processes that are measured. The embedded database has room for one at a time. */
function createTargets(exclusive: boolean) {
  const running = new Map<string, Target>()
  return {
    async reach(name: string, command: string[], env: Env): Promise<Target> {
      const there = running.get(name)
      if (there) return there
      if (exclusive) await this.stop()
      const target = await start(command, env)
      running.set(name, target)
      return target
    },
    async stop() {
      for (const target of running.values()) await target.stop()
      running.clear()
    },
  }
}

async function ask(port: number, request: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  const answer = (await exchange(socket, request)).toString()
  socket.destroy()
  return answer.slice(answer.indexOf('\r\n\r\n') + 4)
}

function residentMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

/** The round in the middle, by its speed. */
function median(rounds: Measured[]): Measured {
  return [...rounds].sort((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds.length / 2)] as Measured
}

interface Row {
  ours: Measured
  floor?: Measured
  growth: number
}

async function main(): Promise<void> {
  const { postgres: binFolder } = findParts()
  const postgres = binFolder ? await startBenchPostgres(binFolder, FOLDER) : undefined
  const targets = createTargets(postgres === undefined)
  try {
    const envOf = async (tasks: number): Promise<Env> => {
      const common = { SERVER_SECRET, DATA_DIR: join(FOLDER, `data-${tasks}`), PORT: '0', BURST_PER_MINUTE: '0' }
      const quiet = { DEMO: 'off', WORKER: 'off', LOG_LEVEL: 'warn', NODE_ENV: 'production' }
      if (!postgres) return { ...common, ...quiet }
      const name = `diwan_${tasks}_${options.companies}`
      await createDatabase(postgres.url('postgres'), name)
      return { ...common, ...quiet, DATABASE_URL: postgres.url(name) }
    }
    const env = { small: await envOf(Number(options.small)), large: await envOf(Number(options.large)) }
    const data = {
      small: await prepare(env.small, Number(options.small)),
      large: await prepare(env.large, Number(options.large)),
    }
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
    const ours = (size: 'small' | 'large') => targets.reach(size, ['dist/main.js', 'serve'], env[size])
    const floor = () => targets.reach('floor', ['--import', 'tsx', 'bench/floor.ts'], env.large)

    const measure = async (of: Case): Promise<Row> => {
      const run = async (target: Target, next: (data: Data) => string, on: Data) => {
        const { port } = target
        await load(port, { connections: CONNECTIONS, forMs: FOR_MS / 5, next: () => next(on) })
        return load(port, { connections: CONNECTIONS, forMs: FOR_MS, next: () => next(on) })
      }
      if (of.floor) await agree(of, await ours('large'), await floor(), data.large)
      const rounds = { ours: [] as Measured[], floor: [] as Measured[], small: [] as Measured[] }
      for (let round = 0; round < ROUNDS; round++) {
        if (of.floor) rounds.floor.push(await run(await floor(), of.floor, data.large))
        rounds.ours.push(await run(await ours('large'), of.ask, data.large))
        peak = Math.max(peak, residentMegabytes((await ours('large')).pid))
        rounds.small.push(await run(await ours('small'), of.ask, data.small))
      }
      const middle = median(rounds.ours)
      return {
        ours: middle,
        floor: of.floor && median(rounds.floor),
        growth: median(rounds.small).perSecond / middle.perSecond,
      }
    }

    let peak = 0
    say(
      `${postgres ? 'PostgreSQL' : 'Embedded database'}, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${FOR_MS / 1000} s`,
    )
    print(['case', 'requests/s', 'p50 ms', 'p99 ms', 'of the floor', `${options.small} to ${options.large}`])
    const rows = new Map<string, Row>()
    for (const of of CASES.filter(({ name }) => name.includes(options.only))) {
      const row = await measure(of)
      rows.set(of.name, row)
      const against = row.floor ?? (of.against ? rows.get(of.against)?.ours : undefined)
      print([
        of.name,
        row.ours.perSecond.toFixed(0),
        row.ours.p50Ms.toFixed(2),
        row.ours.p99Ms.toFixed(2),
        against ? `${(row.ours.perSecond / against.perSecond).toFixed(2)}${of.against ? ` of ${of.against}` : ''}` : '',
        `x ${row.growth.toFixed(2)}`,
      ])
    }
    process.stdout.write(`\nMemory of the server under this load: at most ${peak.toFixed(0)} MB\n`)
  } finally {
    await targets.stop()
    await postgres?.stop()
  }
}

/** The floor does the same work: where it can, it must give the same bytes. */
async function agree(of: Case, ours: Target, floor: Target, data: Data): Promise<void> {
  if (of.name.startsWith('search')) {
    const word = /q=([^ ]+)/.exec(of.ask(data))?.[1] as string
    const answer = await ask(ours.port, get(`/api/v1/search?q=${word}`, data.key))
    await ask(floor.port, post(`/remember/${word}`, data.key, answer))
  }
  if (!of.sameBytes || !of.floor) return
  const [mine, theirs] = [await ask(ours.port, of.ask(data)), await ask(floor.port, of.floor(data))]
  if (mine !== theirs) throw new Error(`The floor of "${of.name}" gives other bytes:\n${mine}\n${theirs}`)
}

async function createDatabase(server: string, name: string): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client(server)
  await client.connect()
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
  if (rowCount === 0) await client.query(`create database ${name}`)
  await client.end()
}

function print([name = '', ...cells]: string[]): void {
  process.stdout.write(`${name.padEnd(30)}${cells.map(cell => cell.padStart(14)).join('')}\n`)
}

await main()
