import type { Change } from '../api/types.ts'
import { follow } from './follow.ts'

/** What is told of the feed: entries, or that anything may have changed. */
export type News = readonly Change[] | 'anything'
type Listener = (news: News) => void

const listeners = new Set<Listener>()
/** Those who began to read before the feed was followed, and may have missed something. */
const early = new Set<Listener>()
const reachListeners = new Set<(isReached: boolean) => void>()
let hasBegun = false
let isReached = true

/** Follows the feed of a company on behalf of the whole page. Returns how to stop. */
export function followOnPage(company: number): () => void {
  const stopping = new AbortController()
  follow(
    company,
    {
      onBegin() {
        hasBegun = true
        for (const listener of early) listener('anything')
        early.clear()
      },
      onEntries: tell,
      onGap: () => tell('anything'),
      onReach: setReached,
    },
    stopping.signal,
  )
  return () => {
    stopping.abort()
    hasBegun = false
    setReached(true)
  }
}

function tell(news: News): void {
  for (const listener of listeners) listener(news)
}

function setReached(now: boolean): void {
  if (now === isReached) return
  isReached = now
  for (const listener of reachListeners) listener(now)
}

export function onNews(listener: Listener): () => void {
  listeners.add(listener)
  if (!hasBegun) early.add(listener)
  return () => {
    listeners.delete(listener)
    early.delete(listener)
  }
}

/** Tells when the server is lost, and when it is there again. */
export function onReach(listener: (isReached: boolean) => void): () => void {
  reachListeners.add(listener)
  return () => void reachListeners.delete(listener)
}
