/** A page in the background is let go after this time. */
const HIDDEN_MS = 30_000
/** A session ends after an hour without use, and a page that nobody uses must not keep it. */
const UNUSED_MS = 30 * 60_000
const LOOK_EVERY_MS = 10_000

export interface Attendance {
  /** Resolves as soon as somebody is there, or at the end of everything. */
  arrival(): Promise<void>
  /** Aborts when nobody has been there for a while. */
  absence(): AbortSignal
}

/** Whether somebody looks at this page and uses it. */
export function watchAttendance(until: AbortSignal): Attendance {
  let usedAt = Date.now()
  let hiddenAt = document.visibilityState === 'visible' ? undefined : Date.now()
  let leaving = new AbortController()
  let onArrival: (() => void) | undefined

  const isThere = () => Date.now() - usedAt < UNUSED_MS && (hiddenAt === undefined || Date.now() - hiddenAt < HIDDEN_MS)
  const look = () => {
    if (!isThere()) return leaving.abort()
    if (leaving.signal.aborted) leaving = new AbortController()
    onArrival?.()
  }
  const onUse = () => {
    usedAt = Date.now()
    if (leaving.signal.aborted) look()
  }
  const onVisibility = () => {
    hiddenAt = document.visibilityState === 'visible' ? undefined : Date.now()
    if (hiddenAt === undefined) onUse()
  }
  document.addEventListener('visibilitychange', onVisibility, { signal: until })
  for (const use of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
    addEventListener(use, onUse, { signal: until, passive: true, capture: true })
  const timer = setInterval(look, LOOK_EVERY_MS)
  until.addEventListener('abort', () => {
    clearInterval(timer)
    onArrival?.()
  })

  return {
    arrival: () =>
      isThere() || until.aborted
        ? Promise.resolve()
        : new Promise(resolve => {
            onArrival = resolve
          }),
    absence: () => leaving.signal,
  }
}
