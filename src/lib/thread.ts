import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { untilAborted, withDeadline } from './deadline.ts'

/** Thrown when a thread was late or died, say of what it was given to read. Another attempt may succeed. */
export class ThreadLost extends Error {
  override name = 'ThreadLost'
}

/** The one answer of a thread, which ends with it, or when that takes too long, or when `outer` aborts. */
export async function answerOf<T>(start: () => Worker, withinMs: number, outer?: AbortSignal): Promise<T> {
  try {
    return await withDeadline(withinMs, ended => messageOf<T>(start(), ended), { outer })
  } catch (error) {
    throw new ThreadLost((error as Error).message, { cause: error })
  }
}

async function messageOf<T>(thread: Worker, ended: AbortSignal): Promise<T> {
  try {
    const message = new Promise<T>((resolve, reject) => {
      thread.on('message', resolve).on('error', reject)
      thread.on('exit', code => reject(new Error(`The thread ended with code ${code}`)))
    })
    return await untilAborted(ended, message)
  } finally {
    await thread.terminate()
  }
}

/** Starts a thread that runs the file `name` next to the module at `beside`, in src and in dist alike. `handed` is not copied. */
export function startThread(
  name: string,
  beside: string,
  workerData?: unknown,
  resourceLimits: ResourceLimits = {},
  handed: ArrayBuffer[] = [],
): Worker {
  const extension = extname(fileURLToPath(beside))
  return new Worker(new URL(`./${name}${extension}`, beside), {
    workerData,
    transferList: handed,
    resourceLimits,
    execArgv: extension === '.ts' ? ['--import', registerTsx()] : [],
  })
}

/** `--import tsx` alone leaves the threads of Node.js 20 without TypeScript. */
function registerTsx(): string {
  // The tests have no import.meta.resolve at the start, and require would resolve to another file.
  const required = pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm/api'))
  const api = new URL('index.mjs', required)
  return `data:text/javascript,import { register } from ${JSON.stringify(api.href)}; register()`
}
