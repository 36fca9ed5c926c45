import { useEffect, useRef } from 'preact/hooks'
import type { Change } from '../api/types.ts'
import { type News, onNews } from './hub.ts'

/** What a view shows: records of these kinds; if said, in this project, in or on this record, or only this one. */
export interface Shown {
  kinds: readonly Change['kind'][]
  project?: string | undefined
  parent?: string | number | undefined
  id?: string | number | undefined
}

/** Whether an entry of the feed changes what is shown. */
function concerns({ kinds, project, parent, id }: Shown, entry: Change): boolean {
  // A project that is archived or deleted takes everything in it along.
  if (entry.kind === 'project' && entry.id === project) return true
  if (parent !== undefined && entry.id === parent) return true
  if (!kinds.includes(entry.kind)) return false
  if (id !== undefined) return entry.id === id
  // An entry says where a record was moved, and not where it was.
  if (entry.change === 'moved') return true
  return (project === undefined || entry.project_id === project) && (parent === undefined || entry.parent_id === parent)
}

/** Everybody who looks at the same hears of a change at once, and should not ask at once. */
const SOON_MS = 100
const SPREAD_MS = 300
/** Where it never rests, what is shown is read again at growing distances. */
const APART_MS = 2_000
const MOST_APART_MS = 16_000

/**
 * Reads again what a view shows when somebody changed it, here or elsewhere. With `afterMs` it waits: for what follows from a
 * change a moment later.
 */
export function useLive(shown: Shown, reload: () => void, afterMs = 0): void {
  const latest = useRef({ shown, reload })
  latest.current = { shown, reload }
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let lastAt = 0
    let apartMs = APART_MS
    const run = () => {
      apartMs = Date.now() - lastAt < 2 * apartMs ? Math.min(2 * apartMs, MOST_APART_MS) : APART_MS
      timer = undefined
      lastAt = Date.now()
      latest.current.reload()
    }
    const stop = onNews(news => {
      const isMeant = news === 'anything' || news.some(entry => concerns(latest.current.shown, entry))
      if (!isMeant || timer) return
      const soon = SOON_MS + afterMs + Math.random() * SPREAD_MS
      timer = setTimeout(run, Math.max(soon, lastAt + apartMs - Date.now()))
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
}

/** Hears every piece of news itself. */
export function useNews(hear: (news: News) => void): void {
  const latest = useRef(hear)
  latest.current = hear
  useEffect(() => onNews(news => latest.current(news)), [])
}
