import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../lib/thread.ts'
import type { Answer, Question } from './engine-worker.ts'

/** The code is the one PostgreSQL uses for a server that is shutting down: the caller may retry. */
export class EngineDied extends Error {
  readonly code = '57P01'
}

/** PostgreSQL in a thread of its own: while it works or waits for the disk, the main thread goes on. */
export interface EngineThread {
  /** Runs the messages of some statements, after everything that was sent before. Answers are passed on as soon as they come. */
  run(statements: Uint8Array, onAnswer: (bytes: Uint8Array) => void): Promise<void>
  /** How often the kernel had been asked to flush when the last answer came. */
  flushes(): number
  close(): Promise<void>
}

interface Waiting {
  onAnswer: (bytes: Uint8Array) => void
  resolve: () => void
  reject: (death: Error) => void
}

const CLOSE_WITHIN_MS = 5_000

let prepared: Worker | undefined

/** Loads and compiles the engine in its thread. Call it early when a database will be opened after other things are loaded. */
export function prepareEngine(): void {
  prepared ??= newThread()
  // A failure this early is ignored: opening the database fails again and says why.
  prepared
    .on('error', () => {})
    .once('exit', () => {
      prepared = undefined
    })
}

function newThread(): Worker {
  const thread = startThread('engine-worker', import.meta.url)
  // The thread keeps the process alive only while somebody waits for an answer.
  thread.unref()
  return thread
}

/** Opens the database in a folder, which is made if it does not exist. `onDeath` is called once if the engine dies after that. */
export async function openEngine(folder: string, onDeath: (death: EngineDied) => void): Promise<EngineThread> {
  const thread = prepared ?? newThread()
  prepared = undefined
  const waiting: Waiting[] = []
  let flushes = 0
  let reason = ''
  let death: EngineDied | undefined

  thread.on('message', (answer: Answer) => {
    if (answer !== 'open') {
      if ('death' in answer) {
        reason = answer.death
        return
      }
      flushes = answer.flushes
      waiting[0]?.onAnswer(answer.bytes)
      if (!answer.isLast) return
    }
    waiting.shift()?.resolve()
    if (waiting.length === 0) thread.unref()
  })
  thread.on('error', error => {
    reason = error.message
  })
  thread.once('exit', () => {
    death = new EngineDied(`The embedded database has died: ${reason}`)
    for (const { reject } of waiting.splice(0)) reject(death)
  })

  function ask(question: Question, onAnswer = (_: Uint8Array) => {}): Promise<void> {
    if (death) return Promise.reject(death)
    if (waiting.length === 0) thread.ref()
    thread.postMessage(question, typeof question === 'object' ? [question.buffer as ArrayBuffer] : [])
    return new Promise((resolve, reject) => waiting.push({ onAnswer, resolve, reject }))
  }

  async function close(): Promise<void> {
    if (death) return
    thread.off('exit', tellDeath).ref()
    thread.postMessage('close' satisfies Question)
    await Promise.race([once(thread, 'exit'), sleep(CLOSE_WITHIN_MS, undefined, { ref: false })])
    await thread.terminate()
  }

  const tellDeath = () => onDeath(death as EngineDied)
  await ask(folder as Question).catch(() => {
    throw new Error(`The embedded database does not open: ${reason}`)
  })
  thread.once('exit', tellDeath)
  return { run: ask, flushes: () => flushes, close }
}
