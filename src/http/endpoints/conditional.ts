import type { FastifyReply, FastifyRequest } from 'fastify'
import { preconditionFailed } from '../../domain/errors.ts'
import { tagsIn } from '../../lib/entity-tags.ts'
import { UMM_AL_QURA } from '../../lib/hijri.ts'
import { sentTag } from '../answers/compression.ts'
import { tagOf } from '../answers/etag.ts'
import type { Json } from '../description/schemas.ts'
import type { RawQuery } from '../requests/query.ts'
import type { Reply } from '../requests/request.ts'
import type { ReadEndpoint } from './declare.ts'
import type { BaseCall, EndpointFacts } from './endpoint.ts'

/**
 * The GET that shows the record which an endpoint writes: it has the same address, or the address without the action at its
 * end. An endpoint that creates has none, because the record that it finds is the parent of the new one.
 */
export function readBehind<Read extends EndpointFacts>(endpoint: EndpointFacts, endpoints: Read[]): Read | undefined {
  if (endpoint.method === 'GET' || endpoint.status === 201) return undefined
  if (endpoint.method === 'PUT') return readNamed(collectionOf(endpoint), endpoints)
  const addresses = endpoint.at
    .map(address => (endpoint.method === 'POST' ? address.replace(/\/\w+$/, '') : address))
    .filter(address => /:\w+$/.test(address))
  return endpoints.find(({ method, at }) => method === 'GET' && at.some(address => addresses.includes(address)))
}

/** The last name in the address of a PUT: `tasks` in `/lists/:list/tasks/ext::external_id`. */
function collectionOf({ at: [address = ''] }: EndpointFacts): string {
  return address.split('/').at(-2) ?? ''
}

/** The GET of one record in a collection. */
function readNamed<Read extends EndpointFacts>(collection: string, endpoints: Read[]): Read | undefined {
  const isOfOne = (address: string) => {
    const [name, parameter] = address.split('/').slice(-2)
    return name === collection && parameter?.startsWith(':')
  }
  return endpoints.find(({ method, at }) => method === 'GET' && at.some(isOfOne))
}

/** True when a write answers with the record as its GET shows it, so that both answers have the same ETag. */
export function answersAs(read: EndpointFacts, write: EndpointFacts): boolean {
  return JSON.stringify(read.returns) === JSON.stringify(write.returns)
}

/** Sets the ETag of the answer to such a write. */
export async function tagWritten(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode < 300 && typeof payload === 'string')
    reply.header('etag', sentTag(request, Buffer.byteLength(payload), tagOf(payload)))
  return payload
}

/**
 * Refuses the call when `If-Match` names other versions of the record than the one that its GET would show now. The caller has
 * locked the record, so it stays the version that was compared until the write commits.
 */
export async function requireMatch<Call extends BaseCall>(
  read: ReadEndpoint<Call>,
  call: Call,
  params: Call['params'],
  reply: Reply,
): Promise<void> {
  const header = call.headers['if-match']
  // `*` only asks that the record exists, and it has been found.
  if (header === undefined || header === '*') return
  const tags = tagsIn(header)
  for (const query of waysToAsk(read)) {
    const shown = await read.read({ ...call, params, holds: 'nothing' }, query)
    if (tags.includes(tagOf(reply.serializeInput(shown as Json, read.returns as Json)))) return
  }
  throw preconditionFailed()
}

/** With a second calendar, the same version of the record was shown under another ETag. */
function waysToAsk({ query }: EndpointFacts): RawQuery[] {
  return query && 'calendar' in query.properties ? [{}, { calendar: UMM_AL_QURA }] : [{}]
}
