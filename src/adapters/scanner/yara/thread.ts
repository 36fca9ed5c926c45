import type { Worker } from 'node:worker_threads'
import type { Obstacle } from '../../../domain/ports/virus-scanner.ts'
import { startThread } from '../../../lib/thread.ts'
import type { RuleSets, ScanAnswer, ScanQuestion } from './worker.ts'

const START_LIMIT_MS = 60_000
/** The thread gives up by itself before it is ended: what takes too long today takes too long tomorrow. */
const OWN_SHARE_OF_LIMIT = 0.7

export interface ThreadOptions {
  timeLimitMs: number
  /** An idle thread is ended after this time. */
  restAfterMs: number
  /** After how many starts of the engine the thread is ended. */
  renewAfterScans: number
  onThread(id: number): void
}

export interface ScanThread {
  /** Compiles the rules now instead of with the first file. Throws when they cannot be used. */
  start(): Promise<void>
  scan(bytes: Buffer, name: string): Promise<{ finding: string | null; obstacle: Obstacle | null }>
  /** True when it does not run and has not failed: the next file starts it. */
  isAtRest(): boolean
  close(): Promise<void>
}

/**
 * Scans one file at a time, in a thread that starts when it is needed. The engine never gives back some of its memory, so the
 * thread is ended when it has been used for long or has been idle for a while.
 */
export function createScanThread(rules: RuleSets, options: ThreadOptions): ScanThread {
  const { timeLimitMs, restAfterMs, renewAfterScans, onThread } = options
  let running: Promise<Worker> | undefined
  let hasFailed = false
  let isClosed = false
  let resting: NodeJS.Timeout | undefined

  function start(): Promise<Worker> {
    const starting = startScanWorker(rules)
    const leave = () => {
      if (running === starting) running = undefined
    }
    running = starting
    starting.then(
      worker => {
        hasFailed = false
        onThread(worker.threadId)
        worker.once('exit', leave)
      },
      () => {
        hasFailed = true
        leave()
      },
    )
    return starting
  }

  async function end(): Promise<void> {
    const ending = running
    running = undefined
    await (await ending?.catch(() => undefined))?.terminate()
  }

  function restLater(): void {
    resting = setTimeout(end, restAfterMs).unref()
  }

  return {
    async start() {
      await start()
      restLater()
    },

    async scan(bytes, name) {
      if (isClosed) throw new Error('The scanner is closed')
      clearTimeout(resting)
      try {
        const worker = await (running ?? start())
        const question = { bytes, name, timeLimitMs: timeLimitMs * OWN_SHARE_OF_LIMIT }
        const answer = await ask(worker, question, timeLimitMs)
        if (!('finding' in answer)) throw new Error('The scanner gave no verdict')
        if (answer.engineScans >= renewAfterScans) await end()
        else restLater()
        return answer
      } catch (error) {
        await end()
        throw error
      }
    },

    isAtRest: () => !isClosed && !hasFailed && running === undefined,

    async close() {
      isClosed = true
      clearTimeout(resting)
      await end()
    },
  }
}

/** A thread that has compiled the rules and is ready for questions. */
async function startScanWorker(rules: RuleSets): Promise<Worker> {
  const worker = startThread('worker', import.meta.url, rules)
  try {
    const answer = await ask(worker, undefined, START_LIMIT_MS)
    if ('problem' in answer) throw new Error(`Scanner rules cannot be used: ${answer.problem}`)
    // A thread that dies between two scans is replaced for the next; without a listener the error would end the process.
    return worker.on('error', () => {})
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

/** The next answer of the worker. It throws when the worker dies or takes too long: that is never a verdict. */
function ask(worker: Worker, question: ScanQuestion | undefined, limitMs: number): Promise<ScanAnswer> {
  return new Promise<ScanAnswer>((resolve, reject) => {
    const finish = (act: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      act()
    }
    const onMessage = (answer: ScanAnswer) => finish(() => resolve(answer))
    const onError = (error: Error) => finish(() => reject(error))
    const onExit = (code: number) => onError(new Error(`The scanner's thread ended with code ${code}`))
    const timer = setTimeout(() => onError(new Error(`The scanner gave no answer in ${limitMs} ms`)), limitMs)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    if (question !== undefined) worker.postMessage(question)
  })
}
