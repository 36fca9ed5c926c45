import { useEffect, useState } from 'preact/hooks'

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
addEventListener('popstate', changed)

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

export function go(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', BASE + to)
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
