import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, setPriority, tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { PdfRefused, type PdfRenderer } from '../domain/pdf.ts'
import type { WorkerAnswer, WorkerLimits } from './pdf-worker.ts'

export interface PdfLimits extends WorkerLimits {
  seconds: number
  /** How many documents are set at the same time, each in a process of its own. */
  processes: number
}

const LIMITS: PdfLimits = { seconds: 20, memoryBytes: 1024 ** 3, processes: 2 }
const START_WITHIN_MS = 30_000

/**
 * Markdown set by Typst, in processes rather than in threads: a thread cannot be ended while it is in native code, shares
 * its memory with the server and takes the server with it when that code overflows its stack.
 */
export function createTypstRenderer(limits = LIMITS): PdfRenderer {
  let folder: string | undefined
  const emptyFolder = () => {
    folder ??= mkdtempSync(join(tmpdir(), 'diwan-pdf-'))
    return folder
  }
  const free = Array.from({ length: limits.processes }, () => createPress(emptyFolder, limits))
  const all = [...free]
  const waiting: ((press: Press) => void)[] = []

  return {
    async render(markdown) {
      // The one that printed last is warm: others start only when it is busy.
      const press = free.pop() ?? (await new Promise<Press>(resolve => waiting.push(resolve)))
      try {
        return await press.print(markdown)
      } finally {
        const next = waiting.shift()
        if (next) next(press)
        else free.push(press)
      }
    },

    async close() {
      await Promise.all(all.map(press => press.close()))
      if (folder) rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Press {
  print(markdown: string): Promise<Buffer>
  close(): Promise<void>
}

/** One document after the other, in a process that starts with the first, and anew after one that was ended. */
function createPress(emptyFolder: () => string, limits: PdfLimits): Press {
  let child: ChildProcess | undefined
  let isClosed = false

  async function start(): Promise<ChildProcess> {
    if (isClosed) throw new Error('The PDF renderer is closed')
    const started = startWorker(emptyFolder(), limits)
    started.once('exit', () => {
      if (child === started) child = undefined
    })
    child = started
    const answer = await nextAnswer(started, START_WITHIN_MS)
    if (answer !== 'ready') throw new Error(`The PDF process did not start: ${JSON.stringify(answer)}`)
    return started
  }

  return {
    async print(markdown) {
      const worker = child ?? (await start())
      worker.send(markdown)
      const answer = await nextAnswer(worker, limits.seconds * 1000)
      if (typeof answer === 'object' && 'pdf' in answer) {
        // What it took for a large document it does not give back by itself.
        if (answer.memoryBytes > limits.memoryBytes / 3) await ended(worker)
        return Buffer.from(answer.pdf)
      }
      throw isClosed ? new Error('The PDF renderer was closed') : new PdfRefused(refusal(answer, limits))
    },

    async close() {
      isClosed = true
      if (child) await ended(child)
    },
  }
}

type Ending = 'too slow' | { signal: NodeJS.Signals | null; code: number | null }

function startWorker(folder: string, { memoryBytes }: PdfLimits): ChildProcess {
  const extension = extname(fileURLToPath(import.meta.url))
  const path = fileURLToPath(new URL(`./pdf-worker${extension}`, import.meta.url))
  const child = fork(path, [JSON.stringify({ memoryBytes } satisfies WorkerLimits)], {
    cwd: folder,
    execArgv: extension === '.ts' ? ['--import', typescriptLoader()] : [],
    // No secrets, no packages of Typst from this user's folders, and a proxy that nobody answers instead of a network.
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder, ALL_PROXY: 'http://127.0.0.1:9' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // Whoever waits for an answer hears of it as well; unheard, it would end the server.
  child.on('error', () => {})
  // Answering requests comes before setting documents.
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return child
}

function typescriptLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
}

/** What the worker says next, or how it ended; one that says nothing for too long is ended. */
function nextAnswer(child: ChildProcess, withinMs: number): Promise<WorkerAnswer | Ending> {
  return new Promise(resolve => {
    const timer = setTimeout(() => settle('too slow'), withinMs)
    const onMessage = (message: unknown) => settle(message as WorkerAnswer)
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => settle({ code, signal })
    const onError = (error: Error) => settle({ failed: error.message })
    child.on('message', onMessage).on('exit', onExit).on('error', onError)

    async function settle(answer: WorkerAnswer | Ending): Promise<void> {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      if (answer === 'too slow') await ended(child)
      resolve(answer)
    }
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

/** Reads on after the name of the field. */
function refusal(answer: WorkerAnswer | Ending, { seconds, memoryBytes }: PdfLimits): string {
  if (answer === 'too slow') return `could not be rendered within ${seconds} seconds`
  // Nobody else kills it: it was its own watch, or the system's.
  if (typeof answer === 'object' && 'signal' in answer && answer.signal === 'SIGKILL')
    return `needs more than ${Math.round(memoryBytes / 1024 ** 2)} MB to be rendered`
  return 'could not be rendered; simplify its formatting'
}
