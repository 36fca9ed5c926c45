import type { Request } from './request.ts'

/** A collection. Iterating gives every record, page after page; nothing is asked for before that. */
export interface Pages<Item, Page> extends AsyncIterable<Item> {
  /** One page: the first, or the one that `cursor` or `offset` in the query leads to. */
  page(): Promise<Page>
}

interface Page {
  data: unknown
  meta: { next_cursor: string | null }
}

export function pagesOf(request: Request, read: (request: Request) => Promise<Page>): Pages<unknown, Page> {
  return {
    page: () => read(request),
    async *[Symbol.asyncIterator]() {
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

/** Where other things stand beside the records, those have the name that the address ends with. */
function recordsIn({ data }: Page, path: string): unknown[] {
  if (Array.isArray(data)) return data
  return (data as Record<string, unknown[]>)[path.slice(path.lastIndexOf('/') + 1)] ?? []
}
