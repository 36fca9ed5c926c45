import { RECORDS } from './records.ts'

/** By what the record is on, numbered in the order in which the demo company gets them. */
const COMMENTS = { list: 1, task: 2, discussion: 5 }

/** No record of the demo company has it: a sample creates one. */
const EXTERNAL_ID = 'crm-77'

/** How a sample refers to each record in an address: by slug, where the address takes slugs, or by ref. */
export function exampleHandles(address: string, bySlug: boolean): Record<string, string> {
  const handles = [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, exampleHandle(name, address, bySlug)])
  return Object.fromEntries(handles)
}

function exampleHandle(name: string, address: string, bySlug: boolean): string {
  if (name === 'external_id') return EXTERNAL_ID
  const example = Object.values(RECORDS).find(({ parameter }) => parameter === name)?.example
  if (example) return handleOf(example, bySlug)
  const [, on = ''] = /:(\w+)\/comments\/:comment/.exec(address) ?? []
  return String(COMMENTS[on as keyof typeof COMMENTS] ?? `{${name}}`)
}

function handleOf(example: { ref?: string; slug?: string; number?: number }, bySlug: boolean): string {
  return (bySlug ? example.slug : undefined) ?? example.ref ?? String(example.number)
}
