import type { Database } from './postgres.ts'

/** Those who look for work do so this often, even if nothing seems to have been written. */
const LOOK_ANYWAY_MS = 10_000

/**
 * For those who look for work again and again: returns a function that tells whether anything may have been written since it was
 * last called. Where other processes write too, that is always so.
 */
export function watchCommits(commits: Database['commits']): () => boolean {
  let seen = -1
  let lookedAt = 0
  return () => {
    if (!commits) return true
    const count = commits()
    const now = performance.now()
    if (count === seen && now - lookedAt < LOOK_ANYWAY_MS) return false
    seen = count
    lookedAt = now
    return true
  }
}
