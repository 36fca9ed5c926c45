import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KEPT } from '../src/domain/upkeep/retention.ts'
import { mixedRound, newTally } from '../test/rounds/mixed-load.ts'
import { DATABASE_ENGINES } from '../test/support/both-engines.ts'
import { diwan } from '../test/support/command.ts'
import { createPostgresDatabase } from '../test/support/database.ts'
import { fingerprintsIn } from '../test/support/exported.ts'
import { type Backup, type Memory, memoryOf, metricOf, TELLS_ITS_MEMORY, takeBackup } from '../test/support/measured.ts'
import {
  type Env,
  embedded,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
} from '../test/support/server-process.ts'
import { POSTGRES_TEMPLATE, until } from '../test/support/servers.ts'
import { rounds, tell } from '../test/support/trial.ts'

const WORKERS = 6
/** An hour on both engines together. */
const WINDOWS = rounds(4, 30)
const WINDOW_MS = rounds(3_000, 60_000)
/** In the first windows caches fill, code is compiled and connections are opened. */
const WARM_UP = WINDOWS / 2
/** The end of the second half, which is compared with the rest of it. */
const LAST = Math.floor(WARM_UP / 2)
/** What each call leaves behind adds up: kilobytes in a short run, some bytes in a long one. */
const HEAP_MAY_GROW_BYTES = rounds(1, 8) * 1_000_000
/** The memory of threads, of the embedded database and of what the allocator keeps comes and goes. */
const RSS_MAY_GROW = 1.15
/** Each connection prepares what it is asked for the second time; a pool takes a while to have done so on each. */
const PREPARED_MAY_GROW = rounds(1.5, 1.1)
/** Each leaves a file, and other records, for the backup. */
const KEPT_ROUNDS = rounds(3, 10)

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

interface Size extends Memory {
  prepared: number
}

async function emptyInstallation(engine: string): Promise<Env> {
  if (engine === 'embedded') return embedded()
  const own = { DATA_DIR: newFolder(), SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0' }
  return { ...own, DATABASE_URL: (await createPostgresDatabase(POSTGRES_TEMPLATE)).url }
}

describe.each(DATABASE_ENGINES)('An hour of mixed load on %s', engine => {
  it('leaves memory, prepared statements and tables as they were, and what is restored is the same', {
    timeout: 7_200_000,
  }, async () => {
    const env = await emptyInstallation(engine)
    const server = await serve({ ...env, ...TELLS_ITS_MEMORY })
    const company = await server.diwan.company({ daily_calls: 10_000_000 })
    const project = (await server.diwan.project(company)).id
    const tally = newTally()
    const round = (keeps: boolean) => mixedRound(server.diwan, company, project, tally, keeps)
    for (let n = 0; n < KEPT_ROUNDS; n++) await round(true)
    const work = async () => {
      const endsAt = performance.now() + WINDOW_MS
      const worker = async () => {
        while (performance.now() < endsAt) await round(false)
      }
      await Promise.all(Array.from({ length: WORKERS }, worker))
      await until(async () => (await metricOf(server, 'diwan_jobs_waiting', OPERATOR_TOKEN)) === 0, 180_000)
    }
    const sizes: Size[] = []
    // All that a round writes, it removes: the windows leave what these first rounds have left.
    const before = keptRows(await takeBackup(env))
    for (let window = 0; window < WINDOWS; window++) {
      await work()
      sizes.push(await sizeOf(server))
    }
    const [middle, end] = [lasting(sizes.slice(WARM_UP, -LAST)), lasting(sizes.slice(-LAST))]
    const shown = ({ heap, rss, prepared }: Size) => `${mb(heap)} of ${mb(rss)}, ${prepared} prepared`
    const { calls, refused } = tally
    tell('soak', { engine, calls, 'refused for want of room': refused.length, middle: shown(middle), end: shown(end) })
    expect(refused, refused.join('; ')).toEqual([])
    expect(end.heap - middle.heap, sizes.map(shown).join('; ')).toBeLessThan(HEAP_MAY_GROW_BYTES)
    expect(end.rss / middle.rss, sizes.map(shown).join('; ')).toBeLessThan(RSS_MAY_GROW)
    expect(end.prepared / middle.prepared, sizes.map(shown).join('; ')).toBeLessThan(PREPARED_MAY_GROW)
    const backup = await takeBackup(env)
    expect(keptRows(backup)).toEqual(before)
    expect(filesIn(env)).toBe(KEPT_ROUNDS)

    const original = await exportOf(env, company.id)
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    rmSync(env.DATA_DIR as string, { recursive: true })
    const restored = await emptyInstallation(engine)
    const { code, stderr } = await diwan(restored, 'restore', backup.file)
    expect(code, stderr).toBe(0)
    const copy = await exportOf(restored, company.id)
    expect(Object.keys(original).length).toBeGreaterThan(KEPT_ROUNDS)
    expect(copy).toEqual(original)
  })
})

const filesIn = ({ DATA_DIR }: Env) =>
  readdirSync(join(DATA_DIR as string, 'files'), { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  ).length

/** The smallest of each: what a moment adds is not kept. Of what is prepared the most: a connection that is new has little. */
function lasting(sizes: Size[]): Size {
  const least = (field: keyof Size) => Math.min(...sizes.map(size => size[field]))
  const prepared = Math.max(...sizes.map(size => size.prepared))
  return { heap: least('heap'), buffers: least('buffers'), rss: least('rss'), prepared }
}

/** A digest of each file of an export, by its name. */
async function exportOf(env: Env, company: number): Promise<Record<string, string>> {
  const folder = join(newFolder(), 'export')
  const { code, stderr } = await diwan(env, 'export', String(company), folder)
  expect(code, stderr).toBe(0)
  return fingerprintsIn(folder)
}

/** How many rows each table has that no retention shortens. */
function keptRows({ rows }: Backup): Map<string, number> {
  const kept = [...KEPT.withCompany, ...KEPT.byDatabase].filter(name => name !== 'count_changes')
  return new Map(kept.map(name => [name, rows.get(name) ?? 0]))
}

async function sizeOf(server: ServerProcess): Promise<Size> {
  const prepared = await metricOf(server, 'diwan_database_prepared_statements', OPERATOR_TOKEN)
  return { ...(await memoryOf(server)), prepared }
}
