import type { Worker } from 'node:worker_threads'
import { startThread } from '../../../lib/thread.ts'
import type { RuleSource } from './engine.ts'
import type { ScanAnswer, ScanQuestion } from './worker.ts'

const START_LIMIT_MS = 60_000

/** A thread that has compiled the rules and is ready for questions. */
export async function startScanThread(rules: RuleSource[]): Promise<Worker> {
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
export function ask(worker: Worker, question: ScanQuestion | undefined, limitMs: number): Promise<ScanAnswer> {
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
