import { useEffect, useState } from 'preact/hooks'
import { keep, newPage, restoreScroll } from './scroll.ts'

const BASE = '/console'

/** The URL of a page, below `/console`: deep links and the back button work, and a reload shows the same. */
export interface Address {
  path: string
  query: URLSearchParams
}

function current(): Address {
  return { path: location.pathname.slice(BASE.length) || '/', query: new URLSearchParams(location.search) }
}

let now = current()
const listeners = new Set<() => void>()
addEventListener('popstate', () => {
  if (!guard || now.path === current().path) {
    changed()
    restoreScroll()
    return
  }
  // The browser has left already: it is taken back, and asked to leave once more if the reader wants to.
  const to = location.pathname.slice(BASE.length) + location.search
  history.pushState(newPage(), '', addressOf(now))
  guard(() => go(to, { anyway: true }))
})

const addressOf = ({ path, query }: Address) => BASE + path + (query.size ? `?${query}` : '')

/** Asks before a page is left on which something would be lost; whoever stays does not call `leave`. */
type Guard = (leave: () => void) => void
let guard: Guard | undefined

/** One page at a time has something to lose. Returns how to give the guard up. */
export function guardPage(asks: Guard): () => void {
  guard = asks
  return () => {
    if (guard === asks) guard = undefined
  }
}

/** Does what takes away what the page shows, such as closing a dialog: whoever would lose something is asked first. */
export function leave(act: () => void): void {
  if (guard) guard(act)
  else act()
}

function changed(): void {
  now = current()
  for (const listener of listeners) listener()
}

export function useAddress(): Address {
  const [address, setAddress] = useState(now)
  useEffect(() => {
    const update = () => setAddress(now)
    listeners.add(update)
    // It may have changed since the first render.
    update()
    return () => void listeners.delete(update)
  }, [])
  return address
}

export function go(to: string, { replace = false, anyway = false } = {}): void {
  const isLeaving = to.split('?', 1)[0] !== now.path
  if (guard && isLeaving && !replace && !anyway) {
    guard(() => go(to, { anyway: true }))
    return
  }
  if (replace) history.replaceState(history.state, '', BASE + to)
  else {
    // It may have been scrolled just now.
    keep()
    history.pushState(newPage(), '', BASE + to)
  }
  changed()
  if (!replace) scrollTo(0, 0)
}

export function href(to: string): string {
  return BASE + to
}

/** A value in the URL, such as a filter: it survives a reload and can be sent to somebody. */
export function useQuery(name: string, fallback = ''): [string, (value: string) => void] {
  const { query } = useAddress()
  const set = (value: string) => setQuery({ [name]: value === fallback || value === '' ? [] : [value] })
  return [query.get(name) ?? fallback, set]
}

/** Whether a value in the URL is this one. Of many that ask, only those are drawn again for which that has changed. */
export function useQueryIs(name: string, value: string): boolean {
  const isNow = () => now.query.get(name) === value
  const [is, setIs] = useState(isNow)
  useEffect(() => {
    const update = () => setIs(isNow())
    listeners.add(update)
    update()
    return () => void listeners.delete(update)
  }, [name, value])
  return is
}

/** The same for a filter that takes several values. */
export function useQueryList(name: string): [string[], (values: string[]) => void] {
  const { query } = useAddress()
  return [query.getAll(name), values => setQuery({ [name]: values })]
}

/** A flag in the URL; undefined when it is not there. */
export function asFlag(text: string | null): boolean | undefined {
  return text ? text === 'true' : undefined
}

/** An id in the URL. The server refuses what is not one. */
export function asId(text: string): number | undefined {
  return text ? Number(text) : undefined
}

/** Changes these values in the URL, and leaves the others. */
export function setQuery(changes: Record<string, string[]>): void {
  const { path, query } = current()
  for (const [name, values] of Object.entries(changes)) {
    query.delete(name)
    for (const value of new Set(values)) query.append(name, value)
  }
  go(path + (query.size ? `?${query}` : ''), { replace: true })
}

/** The parts of a path named in a pattern such as `/companies/:company/keys`; undefined when the path does not match. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.replace(/\/$/, '').split('/')]
  if (pattern === '/') return path === '/' ? {} : undefined
  if (wanted.length !== given.length) return undefined
  const found: Record<string, string> = {}
  for (const [i, part] of wanted.entries()) {
    const value = given[i] as string
    if (part.startsWith(':')) {
      if (value === '') return undefined
      try {
        found[part.slice(1)] = decodeURIComponent(value)
      } catch {
        return undefined
      }
    } else if (part !== value) return undefined
  }
  return found
}

/** Loads the console from the beginning, for whoever is signed in by now. */
export function beginAgain(): void {
  location.assign(`${BASE}/`)
}
