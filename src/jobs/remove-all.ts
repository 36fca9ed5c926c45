import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Removes some after the other for as long as there may be more, unless it is told to end: then it returns false. After each the database
 * is left alone for as long as that took: others want it too, and nobody waits for what is removed.
 */
export async function removeAll(removeSome: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const startedAt = performance.now()
    if (!(await removeSome())) return true
    await sleep(performance.now() - startedAt, undefined, { signal }).catch(() => {})
    if (signal.aborted) return false
  }
}
