/** Work that was left behind, because its time was up. */
class OutOfTime extends Error {
  constructor(limitMs: number) {
    super(`Not done within ${limitMs / 1000} seconds`)
  }
}

/**
 * The result of work that has a limited time. `ended` tells the work when its time is up, or when `outer` aborts; work that
 * does not end `graceMs` after that is left behind, and this throws.
 *
 * The timer is an ordinary one: the garbage collector may take those of AbortSignal.timeout and AbortSignal.any away.
 */
export async function withDeadline<T>(
  limitMs: number,
  work: (ended: AbortSignal) => Promise<T>,
  { outer, graceMs = 0 }: { outer?: AbortSignal | undefined; graceMs?: number } = {},
): Promise<T> {
  const ending = new AbortController()
  let [ended, left]: NodeJS.Timeout[] = []
  try {
    return await new Promise<T>((resolve, reject) => {
      const end = () => {
        ending.abort()
        left ??= setTimeout(() => reject(new OutOfTime(limitMs)), graceMs)
      }
      ended = setTimeout(end, limitMs)
      // `outer` may live as long as the process: no listener stays on it.
      outer?.addEventListener('abort', end, { once: true, signal: ending.signal })
      if (outer?.aborted) end()
      work(ending.signal).then(resolve, reject)
    })
  } finally {
    clearTimeout(ended)
    clearTimeout(left)
    ending.abort()
  }
}

/** The result of work, or an error as soon as the signal aborts, whether the work has noticed or not. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const settled = new AbortController()
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        const abort = () => reject(signal.reason)
        signal.addEventListener('abort', abort, { once: true, signal: settled.signal })
        if (signal.aborted) abort()
      }),
    ])
  } finally {
    settled.abort()
  }
}
