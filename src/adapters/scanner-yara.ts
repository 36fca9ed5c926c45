import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Scanner } from '../domain/scanner.ts'
import type { RuleSource, WorkerAnswer } from './scanner-yara-worker.ts'

const MAX_BYTES = 5_242_880
const START_LIMIT_MS = 60_000
const require = createRequire(import.meta.url)

export interface YaraOptions {
  /** A folder with the operator's own rules: every .yar and .yara file in it. */
  rulesFolder?: string
  timeLimitMs?: number
}

/**
 * YARA-X in a thread of its own. `clean` means that no rule matched the file, nor anything packed in it, and that all of it
 * could be unpacked within bounds: the rules know kinds of attack, not the malware of the day. For that there is clamd.
 *
 * What is locked by a password is infected with `Archive.Encrypted`. Members already reach their files only through their
 * keys, so a company loses little by sending the document without its password, while a password on an archive is how
 * malware passes scanners.
 */
export async function createYaraScanner({ rulesFolder, timeLimitMs = 30_000 }: YaraOptions = {}): Promise<Scanner> {
  const builtIn = readRules(fileURLToPath(new URL('../../src/adapters/yara-rules/', import.meta.url)), () => 'diwan')
  const own = rulesFolder === undefined ? [] : readRules(rulesFolder, file => file)
  const { version } = require('@virustotal/yara-x/package.json') as { version: string }
  const engine = `YARA-X ${version}, built-in rules${own.length > 0 ? ` and ${own.length} of the operator's files` : ''}`
  let worker: Promise<Worker> | undefined
  const start = async () => {
    const thread = await startWorker([...builtIn, ...own])
    thread.once('exit', () => {
      worker = undefined
    })
    return thread
  }
  worker = start()
  await worker
  let lastScan: Promise<unknown> = worker
  let isClosed = false

  async function scanNow(bytes: Buffer, name: string): Promise<string | null> {
    if (isClosed) throw new Error('The scanner is closed')
    worker ??= start()
    const thread = await worker.catch(error => {
      worker = undefined
      throw error
    })
    try {
      const answer = await ask(thread, { bytes, name }, timeLimitMs)
      if ('finding' in answer) return answer.finding
      throw new Error('The scanner gave no verdict')
    } catch (error) {
      await thread.terminate()
      throw error
    }
  }

  return {
    async scan(bytes, name) {
      if (bytes.length > MAX_BYTES) throw new Error(`The scanner takes at most ${MAX_BYTES} bytes, not ${bytes.length}`)
      // One after the other, so that the time limit is of the scan and not of the queue.
      const scan = lastScan.then(() => scanNow(bytes, name))
      lastScan = scan.catch(() => {})
      const finding = await scan
      return { outcome: finding === null ? 'clean' : 'infected', engine, finding }
    },
    async close() {
      isClosed = true
      const thread = await worker?.catch(() => undefined)
      await thread?.terminate()
    },
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

async function startWorker(rules: RuleSource[]): Promise<Worker> {
  const extension = extname(fileURLToPath(import.meta.url))
  const worker = new Worker(new URL(`./scanner-yara-worker${extension}`, import.meta.url), {
    workerData: rules,
    execArgv: extension === '.ts' ? ['--import', registerTsx()] : [],
  })
  try {
    const answer = await ask(worker, undefined, START_LIMIT_MS)
    if ('problem' in answer) throw new Error(`Scanner rules cannot be used: ${answer.problem}`)
    // A thread that dies between two scans is replaced by the next; without a listener it would end the process.
    return worker.on('error', () => {})
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

/** `--import tsx` by itself leaves the threads of Node.js 20 without TypeScript. */
function registerTsx(): string {
  const api = import.meta.resolve('tsx/esm/api')
  return `data:text/javascript,import { register } from ${JSON.stringify(api)}; register()`
}

/** The next answer of the worker. It throws when the worker dies or takes too long: never is that a verdict. */
function ask(worker: Worker, message: unknown, limitMs: number): Promise<WorkerAnswer> {
  return new Promise<WorkerAnswer>((resolve, reject) => {
    const finish = (act: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      act()
    }
    const onMessage = (answer: WorkerAnswer) => finish(() => resolve(answer))
    const onError = (error: Error) => finish(() => reject(error))
    const onExit = (code: number) => onError(new Error(`The scanner's thread ended with code ${code}`))
    const timer = setTimeout(() => onError(new Error(`The scanner gave no answer in ${limitMs} ms`)), limitMs)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    if (message !== undefined) worker.postMessage(message)
  })
}
