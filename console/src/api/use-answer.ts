import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { keepStill } from '../parts/keep-still.ts'
import { type Answer, CallFailed, call, type Request, type Route } from './call.ts'

export interface Loading<T> {
  data: T | undefined
  /** The last failure; if there is `data` too, what is shown is out of date. */
  failure: CallFailed | undefined
  /** When it is retried automatically. */
  nextTryAt: number | undefined
  reload: () => void
}

const PAUSES_SECONDS = [1, 2, 4, 8, 15]

/** How long to wait before the next attempt after this many failures in a row. */
function pauseSeconds(failures: number, failure: CallFailed): number {
  return failure.retryAfterSeconds ?? (PAUSES_SECONDS[Math.min(failures, PAUSES_SECONDS.length) - 1] as number)
}

/**
 * Loads data as JSON has it, and recovers by itself: if the server is away, busy or throttling, the request is retried with growing pauses. With
 * `everyMs` it is repeated for as long as the page is visible.
 */
export function useLoading<T>(
  load: (signal: AbortSignal) => Promise<T>,
  dependencies: unknown[],
  everyMs?: number,
): Loading<T> {
  const [state, setState] = useState<Omit<Loading<T>, 'reload'>>({
    data: undefined,
    failure: undefined,
    nextTryAt: undefined,
  })
  const [round, setRound] = useState(0)
  const reload = useCallback(() => setRound(n => n + 1), [])
  const shown = useRef<unknown>(undefined)
  const key = JSON.stringify(dependencies)

  useEffect(() => {
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    if (shown.current !== key) setState({ data: undefined, failure: undefined, nextTryAt: undefined })
    shown.current = key

    const attempt = async () => {
      try {
        const data = await load(leaving.signal)
        failures = 0
        setState(before => {
          // What is the same as before is not drawn again.
          if (!before.failure && JSON.stringify(before.data) === JSON.stringify(data)) return before
          if (before.data !== undefined) keepStill()
          return { data, failure: undefined, nextTryAt: undefined }
        })
        if (everyMs) timer = setTimeout(whenLookedAt, everyMs)
      } catch (error) {
        if (leaving.signal.aborted) return
        const failure = error instanceof CallFailed ? error : new CallFailed(0, 'unexpected', String(error))
        failures++
        const pauseMs = failure.passes ? pauseSeconds(failures, failure) * 1000 : undefined
        setState(({ data }) => ({
          data: failure.passes ? data : undefined,
          failure,
          nextTryAt: pauseMs && Date.now() + pauseMs,
        }))
        if (pauseMs) timer = setTimeout(attempt, pauseMs)
      }
    }
    const whenLookedAt = () => {
      if (document.visibilityState === 'visible') attempt()
      else document.addEventListener('visibilitychange', whenLookedAt, { once: true, signal: leaving.signal })
    }
    attempt()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [key, round, everyMs])

  return { ...state, reload }
}

/** The answer of one endpoint. */
export function useAnswer<R extends Route>(
  route: R,
  request: Omit<Request<R>, 'signal' | 'body'> = {},
  everyMs?: number,
): Loading<Answer<R>> {
  return useLoading(signal => call(route, { ...request, signal } as Request<R>), [route, request], everyMs)
}
