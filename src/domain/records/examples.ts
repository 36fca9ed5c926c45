/**
 * The records of the demo company that samples use: it has them under these handles on every machine, so that a sample can be
 * run as it is. Numbers are those that the first records of an empty database get.
 */
export const EXAMPLE_RECORDS = {
  project: { ref: 'prj-4k7q2m9x0c', slug: 'website-launch' },
  list: { ref: 'lst-7m2kq90xcd', slug: 'design' },
  task: { ref: 'tsk-0q8v5n2jyt', slug: 'right-to-left-review' },
  discussion: { ref: 'mjl-3w8h1k6tzp', slug: 'which-day-do-we-go-live' },
  file: { ref: 'fil-9d4w7c1hza' },
  folder: { number: 1 },
  event: { number: 1 },
} as const

/** Numbered in the order in which the demo company gets them. */
const COMMENTS = { list: 1, task: 2, discussion: 5 }

/** How a sample refers to each record in an address: by slug, where the address takes slugs, or by ref. */
export function exampleHandles(address: string, bySlug: boolean): Record<string, string> {
  const handles = [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, exampleHandle(name, address, bySlug)])
  return Object.fromEntries(handles)
}

function exampleHandle(name: string, address: string, bySlug: boolean): string {
  const record: { ref?: string; slug?: string; number?: number } | undefined =
    EXAMPLE_RECORDS[name as keyof typeof EXAMPLE_RECORDS]
  if (record) return (bySlug ? record.slug : undefined) ?? record.ref ?? String(record.number)
  const [, on = ''] = /:(\w+)\/comments\/:comment/.exec(address) ?? []
  return String(COMMENTS[on as keyof typeof COMMENTS] ?? `{${name}}`)
}
