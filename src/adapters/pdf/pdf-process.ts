import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { PdfRefused, PdfUnavailable } from '../../domain/ports/pdf-renderer.ts'
import { type Said, say } from '../../domain/sentences/sentences.ts'
import type { SealedFolder } from './sealed-folder.ts'
import type { Manuscript, RenderAnswer, WorkerLimits } from './worker.ts'

export interface PdfProcessLimits extends WorkerLimits {
  seconds: number
}

export interface PdfProcess {
  /** Kills the process when the signal is aborted: nothing else stops it in the middle of a document. */
  print(manuscript: Manuscript, signal?: AbortSignal): Promise<Buffer>
  close(): Promise<void>
}

const START_WITHIN_MS = 30_000
const BEGIN_WITHIN_MS = 5_000

/**
 * Renders one document after the other, in a process that starts with the first document and again after it has ended. It is a
 * process and not a thread: a thread cannot be ended while it is in native code, shares its memory with the server and takes
 * the server down when that code overflows its stack.
 */
export function createPdfProcess(folder: SealedFolder, limits: PdfProcessLimits): PdfProcess {
  let child: ChildProcess | undefined
  let isClosed = false

  async function start(): Promise<ChildProcess> {
    if (isClosed) throw new PdfUnavailable()
    const started = startWorker(folder, limits)
    started.once('exit', () => {
      if (child === started) child = undefined
    })
    child = started
    const { answer } = await heard(started, START_WITHIN_MS)
    if (answer === 'ready') {
      // Answering requests has priority over rendering documents; but a start is short, and somebody waits for it.
      if (child === started && started.pid) setPriority(started.pid, constants.priority.PRIORITY_BELOW_NORMAL)
      return started
    }
    child = undefined
    await ended(started)
    throw new PdfUnavailable(undefined, {
      cause: new Error(`The PDF process did not start: ${JSON.stringify(answer)}`),
    })
  }

  async function tell(manuscript: Manuscript, signal: AbortSignal | undefined): Promise<Heard> {
    if (signal?.aborted) throw new PdfUnavailable()
    const worker = child ?? (await start())
    const leave = () => void ended(worker)
    if (signal?.aborted || isClosed) throw new PdfUnavailable()
    signal?.addEventListener('abort', leave)
    worker.send(manuscript)
    try {
      return await heard(worker, BEGIN_WITHIN_MS, limits.seconds * 1000)
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  return {
    async print(manuscript, signal) {
      let { hasBegun, answer } = await tell(manuscript, signal)
      // The process had died or stalled before it was asked, so another takes its place.
      if (!hasBegun) ({ hasBegun, answer } = await tell(manuscript, signal))
      if (typeof answer === 'object' && 'pdf' in answer) {
        // It does not give back the memory of a large document by itself.
        if (child && answer.memoryBytes > limits.memoryBytes / 3) await ended(child)
        return Buffer.from(answer.pdf)
      }
      const isDocumentsFault = hasBegun && !isClosed && !signal?.aborted
      throw isDocumentsFault ? new PdfRefused(refusal(answer, limits)) : new PdfUnavailable()
    },

    async close() {
      isClosed = true
      if (child) await ended(child)
    },
  }
}

type Ending = 'too slow' | { signal: NodeJS.Signals | null; code: number | null }
interface Heard {
  hasBegun: boolean
  answer: RenderAnswer | Ending
}

function startWorker(folder: SealedFolder, { memoryBytes }: PdfProcessLimits): ChildProcess {
  const { path: cwd, env } = folder.open()
  const extension = extname(fileURLToPath(import.meta.url))
  const path = fileURLToPath(new URL(`./worker${extension}`, import.meta.url))
  const child = fork(path, [JSON.stringify({ memoryBytes } satisfies WorkerLimits)], {
    cwd,
    env,
    execArgv: extension === '.ts' ? ['--import', typescriptLoader()] : [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // Whoever waits for an answer gets the error as well; without a listener, it would end the server.
  child.on('error', () => {})
  return child
}

function typescriptLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
}

/**
 * The next message of the worker, or how it ended; one that is silent for too long is killed. Once it has begun, it has more
 * time.
 */
function heard(child: ChildProcess, withinMs: number, onceBegunMs = withinMs): Promise<Heard> {
  return new Promise(resolve => {
    let hasBegun = false
    let timer = setTimeout(settle, withinMs, 'too slow')
    const onMessage = (message: RenderAnswer) => {
      if (message !== 'begun') return settle(message)
      hasBegun = true
      clearTimeout(timer)
      timer = setTimeout(settle, onceBegunMs, 'too slow')
    }
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => settle({ code, signal })
    const onError = (error: Error) => settle({ failed: error.message })
    child.on('message', onMessage).on('exit', onExit).on('error', onError)

    async function settle(answer: RenderAnswer | Ending): Promise<void> {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      // A process that cannot be sent messages is as good as dead.
      const isLost = answer === 'too slow' || (typeof answer === 'object' && 'failed' in answer && !hasBegun)
      if (isLost) await ended(child)
      resolve({ hasBegun, answer })
    }
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

/** Continues a sentence that begins with the name of the field. */
function refusal(answer: RenderAnswer | Ending, { seconds, memoryBytes }: PdfProcessLimits): Said {
  if (answer === 'too slow') return say('could not be rendered within {seconds} seconds', { seconds })
  // Nobody else kills it: it was its own watchdog, or the system's.
  if (typeof answer === 'object' && 'signal' in answer && answer.signal === 'SIGKILL')
    return say('needs more than {megabytes} MB to be rendered', { megabytes: Math.round(memoryBytes / 1024 ** 2) })
  return 'could not be rendered; simplify its formatting'
}
