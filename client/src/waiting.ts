import { DiwanError } from './error.ts'

/** Gives `run` a signal that is aborted when the caller aborts or the time is up, and fails accordingly. */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const watch = watchFor(signal)
  watch.start(ms)
  try {
    return await run(watch.signal)
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : error
  } finally {
    watch.end()
  }
}

export interface Watch {
  signal: AbortSignal
  start(ms: number): void
  stop(): void
  end(): void
}

/** A signal that is aborted with the caller's own, or when something that was started is not stopped in time. */
export function watchFor(signal: AbortSignal | undefined): Watch {
  const controller = new AbortController()
  const onAbort = () => controller.abort(signal?.reason)
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort)
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    start(ms) {
      stop()
      const late = () => new DiwanError({ code: 'time_out', message: `The server did not answer within ${ms} ms.` })
      timer = setTimeout(() => controller.abort(late()), ms)
    },
    stop,
    end() {
      stop()
      signal?.removeEventListener('abort', onAbort)
      controller.abort()
    },
  }
}

/** Ends early, and throws its reason, when the caller aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
  })
}

/** Twice as long after every failure, and different for two clients that failed together. */
export function growing(firstMs: number, failures: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** failures, longestMs) * (0.5 + Math.random() / 2)
}
