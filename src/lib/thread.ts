import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type ResourceLimits, Worker } from 'node:worker_threads'

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
