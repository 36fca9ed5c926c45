import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { RuleSource } from './engine.ts'
import type { ScanAnswer, ScanQuestion } from './worker.ts'

const START_LIMIT_MS = 60_000

/** A thread that has compiled the rules and is ready to be asked. */
export async function startThread(rules: RuleSource[]): Promise<Worker> {
  const extension = extname(fileURLToPath(import.meta.url))
  const worker = new Worker(new URL(`./worker${extension}`, import.meta.url), {
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
