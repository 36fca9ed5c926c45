import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findingOf, type Scanner, type Verdict } from '../../../domain/ports/virus-scanner.ts'
import { say, type Words } from '../../../domain/sentences/sentences.ts'
import { FairQueue } from '../../../lib/fair-queue.ts'
import { QUEUES } from '../../../queues.ts'
import type { RuleSource } from './engine.ts'
import { createScanThread, type ScanThread, type ThreadOptions } from './thread.ts'

const MAX_BYTES = 5_242_880
const require = createRequire(import.meta.url)

export interface YaraOptions extends Partial<ThreadOptions> {
  /** A folder with the operator's own rules: every .yar and .yara file in it. */
  rulesFolder?: string
}

const DEFAULTS: ThreadOptions = {
  timeLimitMs: 30_000,
  // Less than a minute, because that is how often its health is checked.
  restAfterMs: 30_000,
  renewAfterScans: 1_000,
  onThread() {},
}

/**
 * YARA-X in threads of its own. `clean` means that no rule matched the file, nor anything packed in it, and that all of it
 * could be unpacked within bounds: the rules know kinds of attack, not the malware of the day. For that there is clamd.
 *
 * A file that is locked by a password or packed in an unknown way is neither infected nor clean: it has `failed`.
 */
export async function createYaraScanner({ rulesFolder, ...options }: YaraOptions = {}): Promise<Scanner> {
  const builtIn = readRules(fileURLToPath(new URL('./rules/', import.meta.url)))
  const own = rulesFolder === undefined ? [] : readRules(rulesFolder)
  const { version } = require('@virustotal/yara-x/package.json') as { version: string }
  const rules = rulesOf(`YARA-X ${version}`, own.length)
  const engine = rules.en
  const queue = new FairQueue<'scans'>('scans', QUEUES.scans)
  const threads = Array.from({ length: QUEUES.scans.total }, () =>
    createScanThread({ builtIn, own }, { ...DEFAULTS, ...options }),
  )
  const free = [...threads]
  // The operator's rules may be wrong, so they are checked now. Our own rules are compiled with the first file.
  if (own.length > 0) await free.at(-1)?.start()

  async function inThread<T>(work: (thread: ScanThread) => Promise<T>): Promise<T> {
    // The queue lets in as many as there are. The one that was returned last is warm.
    const thread = free.pop() as ScanThread
    try {
      return await work(thread)
    } finally {
      free.push(thread)
    }
  }
  const scan = (bytes: Buffer, name: string) => queue.run('scans', () => inThread(thread => thread.scan(bytes, name)))

  return {
    async scan(bytes, name): Promise<Verdict> {
      if (bytes.length > MAX_BYTES) throw new Error(`The scanner takes at most ${MAX_BYTES} bytes, not ${bytes.length}`)
      const { finding, obstacle } = await scan(bytes, name)
      if (finding !== null) return { outcome: 'infected', engine, finding }
      if (obstacle !== null) return { outcome: 'failed', engine, finding: findingOf(obstacle) }
      return { outcome: 'clean', engine, finding: null }
    },
    async check() {
      if (free.length === 0)
        return { state: 'ok', message: say('{engine}; scanning at the moment.', { engine: rules }) }
      if (threads.every(thread => thread.isAtRest()))
        return { state: 'ok', message: say('{engine}; at rest until the next file.', { engine: rules }) }
      await scan(Buffer.from('check'), 'check.txt')
      return { state: 'ok', message: rules }
    },
    async close() {
      await Promise.all(threads.map(thread => thread.close()))
    },
  }
}

function rulesOf(program: string, ownFiles: number): Words {
  return ownFiles === 0
    ? say('{program}, built-in rules', { program })
    : say("{program}, built-in rules and {count} of the operator's files", { program, count: ownFiles })
}

function readRules(folder: string): RuleSource[] {
  return readdirSync(folder)
    .filter(file => /\.yara?$/i.test(file))
    .sort()
    .map(name => join(folder, name))
    .map(file => ({ file, text: readFileSync(file, 'utf8') }))
}
