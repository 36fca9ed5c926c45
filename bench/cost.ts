import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { findPart } from '../test/support/parts.ts'
import { CASES, type Case } from './cases.ts'
import { prepareData } from './data.ts'
import { load } from './load.ts'
import { lossOf, type Variant } from './loss.ts'
import { startBenchPostgres } from './postgres.ts'
import { BENCH_ENV, createTargets } from './targets.ts'

/** What is measured: how to write with it and without it. */
interface Compared {
  /** Prepares for one of the two, and returns the port of the server to ask. */
  prepare(variant: Variant): Promise<number>
  end(): Promise<void>
}

interface Setting {
  /** A connection to the database of the servers. */
  admin: pg.Client
  /** Starts a server, with these arguments for Node.js, and returns its port. */
  serve(name: string, nodeArguments?: string[]): Promise<number>
}

const MEASURED = ['create a task', 'complete a task']

/** Measures what something costs a write on PostgreSQL, and prints it. `name` is also that of the database. */
export async function measureCost(
  { name, what }: { name: string; what: string },
  begin: (setting: Setting) => Promise<Compared>,
): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      tasks: { type: 'string', default: '10000' },
      rounds: { type: 'string', default: '13' },
      seconds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '16' },
    },
  })
  const binFolder = findPart('postgres')
  if (!binFolder) throw new Error('PostgreSQL is not installed')
  const folder = join(tmpdir(), 'diwan-bench')
  const postgres = await startBenchPostgres(binFolder, folder)
  const targets = createTargets(false)
  const url = await postgres.database(`diwan_${name}_${options.tasks}`)
  const admin = new pg.Client(url)
  let compared: Compared | undefined
  try {
    const env = {
      ...BENCH_ENV,
      DATA_DIR: join(folder, `data-${name}`),
      DATABASE_URL: url,
    }
    const data = await prepareData(env, { tasks: Number(options.tasks), companies: 10 })
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
    await admin.connect()
    const serve = async (server: string, args: string[] = []) =>
      (await targets.reach(server, [...args, 'dist/main.js', 'serve'], env)).port
    compared = await begin({ admin, serve })
    const { prepare } = compared
    const measure = async ({ ask }: Case, variant: Variant) => {
      const port = await prepare(variant)
      const [connections, forMs] = [Number(options.connections), Number(options.seconds) * 1000]
      return (await load(port, { connections, forMs, next: () => ask(data) })).perSecond
    }

    for (const each of CASES.filter(({ name }) => MEASURED.includes(name))) {
      for (const variant of ['with', 'without'] as const) await measure(each, variant)
      const line = await lossOf(`${each.name}, ${what}`, Number(options.rounds), async variant => {
        // Completing a task that is already complete writes nothing.
        if (each.name === 'complete a task')
          await admin.query('update tasks set completed_at = null where completed_at is not null')
        await admin.query('checkpoint')
        return measure(each, variant)
      })
      process.stdout.write(line)
    }
  } finally {
    await compared?.end().catch(() => {})
    await admin.end().catch(() => {})
    await targets.stop()
    await postgres.stop()
  }
}
