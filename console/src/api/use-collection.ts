import { useRef, useState } from 'preact/hooks'
import { type Answer, CallFailed, call, type Request, type Route } from './call.ts'
import { type Loading, useLoading } from './use-answer.ts'

/** Endpoints that answer page by page. */
export type CollectionRoute = {
  [R in Route]: Answer<R> extends { data: unknown[]; meta: { next_cursor: string | null } } ? R : never
}[Route]
type Row<R extends CollectionRoute> = Answer<R> extends { data: (infer T)[] } ? T : never

export interface Collection<T> extends Loading<T[]> {
  total: number | undefined
  /** There are more than `total`: counting stopped there. */
  totalIsLowerBound: boolean
  /** The cells that did not answer, whose rows are missing. */
  cellsAway: number[]
  /** Adds the next page; undefined on the last. */
  more: (() => Promise<void>) | undefined
  loadingMore: boolean
}

interface Page<T> {
  data: T[]
  meta: { next_cursor: string | null; total?: number; total_is_lower_bound?: boolean; cells_away?: number[] }
}

/** A collection, a page at a time, each added to those before it. */
export function useCollection<R extends CollectionRoute>(
  route: R,
  request: Omit<Request<R>, 'signal' | 'body'> = {},
  everyMs?: number,
): Collection<Row<R>> {
  const ask = (signal: AbortSignal | undefined, cursor?: string) =>
    call(route, {
      ...request,
      query: { limit: 50, ...request.query, cursor },
      signal,
    } as unknown as Request<R>) as Promise<unknown> as Promise<Page<Row<R>>>
  return usePages(ask, [route, request], everyMs)
}

/** At most this many pages are requested again at once; a reader who wants the rest asks for more. */
const MOST_REFRESHED_PAGES = 20

/** The same for answers whose rows are only a part of their data: `ask` returns a page of them. */
export function usePages<T>(
  ask: (signal: AbortSignal | undefined, cursor?: string) => Promise<Page<T>>,
  dependencies: unknown[],
  everyMs?: number,
): Collection<T> {
  const key = JSON.stringify(dependencies)
  /** How many rows were shown when a page was last added, and of which collection. */
  const grown = useRef({ key, rows: 0 })
  const first = useLoading(
    async signal => {
      const isSame = grown.current.key === key
      return readPages(cursor => ask(signal, cursor), isSame ? grown.current.rows : 0)
    },
    dependencies,
    everyMs,
  )
  const [further, setFurther] = useState<{ of: Page<T>; rows: T[]; cursor: string | null }>()
  const [loadingMore, setLoadingMore] = useState(false)
  const [failure, setFailure] = useState<CallFailed>()

  const page = first.data
  const latest = useRef(page)
  latest.current = page
  const added = further && further.of === page ? further : undefined
  const cursor = added ? added.cursor : page?.meta.next_cursor
  const more = async () => {
    if (!page || !cursor || loadingMore) return
    setLoadingMore(true)
    try {
      const next = await ask(undefined, cursor)
      const rows = [...(added?.rows ?? []), ...next.data]
      grown.current = { key, rows: page.data.length + rows.length }
      setFurther({ of: page, rows, cursor: next.meta.next_cursor })
      setFailure(undefined)
      // The preceding pages were refreshed in the meantime, so all of them are requested together.
      if (latest.current !== page) first.reload()
    } catch (error) {
      setFailure(error instanceof CallFailed ? error : new CallFailed(0, 'unexpected', String(error)))
    } finally {
      setLoadingMore(false)
    }
  }
  const reload = () => {
    setFailure(undefined)
    first.reload()
  }
  return {
    ...first,
    failure: first.failure ?? failure,
    reload,
    data: page && [...page.data, ...(added?.rows ?? [])],
    total: page?.meta.total,
    totalIsLowerBound: page?.meta.total_is_lower_bound ?? false,
    cellsAway: page?.meta.cells_away ?? [],
    more: cursor ? more : undefined,
    loadingMore,
  }
}

/** As many pages as it takes to show this many rows again, as one. Deleted rows are gone, and added ones are there. */
async function readPages<T>(ask: (cursor?: string) => Promise<Page<T>>, rows: number): Promise<Page<T>> {
  let { data, meta } = await ask()
  for (let n = 1; n < MOST_REFRESHED_PAGES && data.length < rows && meta.next_cursor; n++) {
    const next = await ask(meta.next_cursor)
    data = [...data, ...next.data]
    meta = { ...meta, next_cursor: next.meta.next_cursor }
  }
  return { data, meta }
}
