import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findingOf, type Scanner, type Verdict } from '../../../domain/ports/virus-scanner.ts'
import type { RuleSource } from './engine.ts'
import { openThreads } from './threads.ts'

const MAX_BYTES = 5_242_880
const require = createRequire(import.meta.url)

export interface YaraOptions {
  /** A folder with the operator's own rules: every .yar and .yara file in it. */
  rulesFolder?: string
  timeLimitMs?: number
  /**
   * A thread that has been idle for this long is ended. It is less than a minute, because that is how often its health is
   * checked.
   */
  restAfterMs?: number
  /** After how many starts of the engine its thread is replaced. */
  renewAfterScans?: number
  /** Called for each thread that starts to scan. */
  onThread?: (id: number) => void
}

/**
 * YARA-X in threads of its own. `clean` means that no rule matched the file, nor anything packed in it, and that all of it
 * could be unpacked within bounds: the rules know kinds of attack, not the malware of the day. For that there is clamd.
 *
 * A file that is locked by a password or packed in an unknown way is neither infected nor clean: it has `failed`.
 */
export async function createYaraScanner(options: YaraOptions = {}): Promise<Scanner> {
  const {
    rulesFolder,
    timeLimitMs = 30_000,
    restAfterMs = 30_000,
    renewAfterScans = 1_000,
    onThread = () => {},
  } = options
  const builtIn = readRules(fileURLToPath(new URL('./rules/', import.meta.url)), () => 'diwan')
  const own = rulesFolder === undefined ? [] : readRules(rulesFolder, file => file)
  const { version } = require('@virustotal/yara-x/package.json') as { version: string }
  const engine = `YARA-X ${version}, built-in rules${own.length > 0 ? ` and ${own.length} of the operator's files` : ''}`
  const threads = openThreads([...builtIn, ...own], { timeLimitMs, restAfterMs, renewAfterScans, onThread })
  // The operator's rules may be wrong, so they are checked now. Our own rules are compiled with the first file.
  if (own.length > 0) await threads.start()

  return {
    async scan(bytes, name): Promise<Verdict> {
      if (bytes.length > MAX_BYTES) throw new Error(`The scanner takes at most ${MAX_BYTES} bytes, not ${bytes.length}`)
      const { finding, obstacle } = await threads.ask(bytes, name)
      if (finding !== null) return { outcome: 'infected', engine, finding }
      if (obstacle !== null) return { outcome: 'failed', engine, finding: findingOf(obstacle) }
      return { outcome: 'clean', engine, finding: null }
    },
    async check() {
      if (threads.isBusy()) return { state: 'ok', message: `${engine}; scanning at the moment.` }
      if (threads.isAtRest()) return { state: 'ok', message: `${engine}; at rest until the next file.` }
      await threads.ask(Buffer.from('check'), 'check.txt')
      return { state: 'ok', message: engine }
    },
    close: threads.close,
  }
}

function readRules(folder: string, namespaceOf: (file: string) => string): RuleSource[] {
  return readdirSync(folder)
    .filter(file => /\.yara?$/i.test(file))
    .sort()
    .map(name => {
      const file = join(folder, name)
      return { file, namespace: namespaceOf(file), text: readFileSync(file, 'utf8') }
    })
}
