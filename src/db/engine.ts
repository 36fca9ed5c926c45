import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { decodeExactly } from './exact-decoding.ts'
import { flushForReal, type LogFlushes } from './log-flushes.ts'
import { ONE_PLAN } from './one-plan.ts'

// `-F` would turn fsync off; without it and with these, a commit is on the disk before it is acknowledged.
const DURABLE = ['fsync=on', 'wal_sync_method=fsync', 'max_wal_size=64MB']
// The memory of the engine grows and never shrinks, and all buffers are touched at the start. What does not fit into them is in
// the page cache of the kernel.
const SMALL = ['shared_buffers=16MB', 'maintenance_work_mem=16MB']
// Plans are cached, and are made while most tables are small. A sequential scan of a small table asks the file system for its
// size each time, which takes longer than an index lookup; and the table grows while the plan stays.
const BY_INDEX = 'enable_seqscan=off'
// Tables are analyzed while everybody waits. Plans are made for all values, so they need no more than a small sample: how many
// values a column has, and how many of them are null.
const SAMPLED = 'default_statistics_target=10'
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'),
  ...[...DURABLE, ...SMALL, 'timezone=UTC', ONE_PLAN, BY_INDEX, SAMPLED].flatMap(setting => ['-c', setting]),
]

const PROGRAM = join(createRequire(import.meta.url).resolve('@electric-sql/pglite'), '../pglite.wasm')

/** The status with which the engine leaves a statement that failed. If it throws anything else, it did not survive. */
const STATEMENT_FAILED = 100

export interface Engine {
  pglite: PGlite
  flushes: LogFlushes
  close(): Promise<void>
}

// Node.js has it, but the types of Node.js do not declare it.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

// V8 optimises code that runs more than a few times, in as many threads as there are, and counts a call of a long function as
// if all of it had run. Much of PostgreSQL is long functions: optimising them took more CPU than the start itself, and memory
// that was never returned. So one thread does it, and only for code that runs often.
const COMPILED_PATIENTLY = ['--wasm-num-compilation-tasks=1', '--wasm-tiering-budget=50000000']

let program: Promise<object> | undefined

/** The program of the engine, compiled in other threads. Call it early when an engine will be started. */
export function compileEngine(): Promise<object> {
  program ??= compile()
  return program
}

async function compile(): Promise<object> {
  for (const flag of COMPILED_PATIENTLY) setFlagsFromString(flag)
  return WebAssembly.compile(await readFile(PROGRAM))
}

/**
 * Starts PostgreSQL on a folder, which is made if it does not exist. `onDeath` is called with the reason when the engine dies,
 * even while it starts, and must end the thread: no code of a dead engine may run again, or it might write.
 */
export async function startEngine(folder: string, onDeath: (reason: string) => never): Promise<Engine> {
  decodeExactly()
  let lastWords = ''
  const fs = new WatchedNodeFS(folder, cause => onDeath(lastWords || (cause as Error).message))
  const pglite = new Postgres({
    fs,
    pgliteWasmModule: await compileEngine(),
    extensions: { btree_gin, pg_trgm },
    startParams: START_PARAMETERS,
    onStderr(line) {
      lastWords = /\b(?:PANIC|FATAL): +(.*)/.exec(line)?.[1] ?? lastWords
      return false
    },
  })
  try {
    await pglite.waitReady
  } catch (error) {
    throw new Error(lastWords || (error as Error).message, { cause: error })
  }
  return { pglite, flushes: fs.flushes as LogFlushes, close: () => pglite.close() }
}

/** Skips the query for array types at the start: `pg` parses the arrays. */
class Postgres extends PGlite {
  override async _initArrayTypes(): Promise<void> {}
}

// biome-ignore lint/suspicious/noExplicitAny: the engine does not export the type of its module
type Module = any

/** The engine's file system never asks the kernel to flush, and the engine does not report that it died. This class adds both. */
class WatchedNodeFS extends NodeFS {
  flushes: LogFlushes | undefined

  constructor(
    folder: string,
    readonly died: (cause: unknown) => never,
  ) {
    super(folder)
  }

  override async init(...[engine, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(engine, options)
    result.emscriptenOpts.preRun?.push((module: Module) => {
      this.flushes = flushForReal(module, module.FS.lookupPath(PGlite.paths.PGDATA).node.mount.type)
      const initialized = module.onRuntimeInitialized
      module.onRuntimeInitialized = () => {
        initialized()
        this.#watch(module)
      }
    })
    return result
  }

  /** The engine swallows whatever ends it (a panic, a trap) and goes on waiting: so it is caught where it is thrown. */
  #watch(module: Module): void {
    for (const name of ['_PostgresMainLoopOnce', '_PostgresMainLongJmp']) {
      const run = module[name]
      module[name] = () => {
        try {
          return run()
        } catch (error) {
          if ((error as { status?: number }).status !== STATEMENT_FAILED) this.died(error)
          throw error
        }
      }
    }
  }
}
