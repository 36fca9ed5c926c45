import { answersAs } from './conditional.ts'
import type { EndpointFacts, Placed } from './endpoint.ts'

/** The GET that shows what an endpoint creates, or may create, in the same form; undefined for a batch, which has no address. */
export function readOfCreated<Read extends EndpointFacts>(
  endpoint: EndpointFacts,
  endpoints: Read[],
): Read | undefined {
  if (endpoint.status !== 201 && endpoint.method !== 'PUT') return undefined
  const shows = endpoints.filter(read => isOfOneRecord(read) && answersAs(read, endpoint))
  const isBelow = ({ at }: Read) => at.some(address => endpoint.at.includes(address.replace(/\/:\w+$/, '')))
  // A link is created at an address of its own, and shown as the file that it is.
  return shows.find(isBelow) ?? shows[0]
}

const isOfOneRecord = ({ method, at }: EndpointFacts) => method === 'GET' && at.every(address => /:\w+$/.test(address))

/** Where its GET shows a new record: at the flat address, where there is one. */
export function locationOf({ at }: EndpointFacts, params: Record<string, string>, answer: unknown): string {
  // The cast holds: the answer is one record, in the form of its GET.
  const { data, parent_ref } = answer as Placed & { data: { id: string | number; ref?: string } }
  const address = at.at(-1) ?? ''
  const names = [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const [own = '', parent = ''] = names.reverse()
  const handles: Record<string, unknown> = { ...params, [own]: data.ref ?? data.id }
  if (parent_ref !== undefined) handles[parent] = parent_ref
  return address.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(handles[name])))
}
