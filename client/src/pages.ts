import type { Request } from './request.ts'

/** A collection. Iterating returns every record, page after page; nothing is requested before that. */
export interface Pages<Item, Page> extends AsyncIterable<Item> {
  /** One page: the first, or the one that `cursor` or `offset` in the query selects. */
  page(): Promise<Page>
}

interface Page {
  data: unknown
  meta: { next_cursor: string | null }
}

/** `first` is asked when the iteration begins: what it throws is a failure of that. */
export function pagesOf(first: () => Request, read: (request: Request) => Promise<Page>): Pages<unknown, Page> {
  return {
    page: async () => read(first()),
    async *[Symbol.asyncIterator]() {
      const request = first()
      let next: Request | undefined = request
      while (next) {
        const page: Page = await read(next)
        yield* recordsIn(page, request.path)
        const cursor = page.meta.next_cursor
        next = cursor === null ? undefined : { ...request, query: { ...request.query, cursor } }
      }
    },
  }
}

/** If an answer has more than the records, these have the name that the path ends with. */
function recordsIn({ data }: Page, path: string): unknown[] {
  if (Array.isArray(data)) return data
  return (data as Record<string, unknown[]>)[path.slice(path.lastIndexOf('/') + 1)] ?? []
}
