import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { shortAnswer } from './short-answer.ts'
import { handlesIn, type Tool } from './tools.ts'

const PAGE_SIZE = '25'

/**
 * Calls the endpoint of a tool through its address, so that it passes the same gate and is counted, audited and logged like any
 * other call. Only the throttle per address does not count it again.
 */
export async function callTool(
  app: FastifyInstance,
  { endpoint, address, shown }: Tool,
  args: Record<string, unknown>,
  { headers, id, ip }: FastifyRequest,
): Promise<CallToolResult> {
  const missing = handlesIn(address).find(handle => !isHandle(args[handle]))
  if (missing) return refusal(`${missing} can't be blank`)
  const answer = await app.inject({
    method: endpoint.method,
    url: `/api/v1${urlOf(endpoint, address, args)}`,
    headers: {
      authorization: headers.authorization ?? '',
      'x-request-id': id,
      ...(endpoint.body && { 'content-type': 'application/json' }),
    },
    remoteAddress: ip,
    ...(endpoint.body && { payload: JSON.stringify(without(args, handlesIn(address))) }),
  })
  const body: unknown = JSON.parse(answer.payload)
  if (answer.statusCode >= 400) return refusal(messageOf(body))
  const ignored = [answer.headers['x-ignored-fields'], answer.headers['x-ignored-parameters']].filter(Boolean)
  const texts = [
    shortAnswer(body, shown.name),
    ...(ignored.length > 0 ? [`Unknown, and ignored: ${ignored.join(', ')}`] : []),
  ]
  return { content: texts.map(text => ({ type: 'text', text })) }
}

function urlOf({ query }: Tool['endpoint'], address: string, args: Record<string, unknown>): string {
  const path = address.replace(/:(\w+)/g, (_, handle) => encodeURIComponent(String(args[handle])))
  if (!query) return path
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(without(args, handlesIn(address))))
    for (const each of [value].flat()) if (each !== undefined && each !== null) parameters.append(name, String(each))
  if (query.properties.limit) parameters.set('limit', PAGE_SIZE)
  return `${path}?${parameters}`
}

/** True for a single path segment that cannot change the address. */
function isHandle(value: unknown): boolean {
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText && !['', '.', '..'].includes(String(value))
}

const without = (args: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)))

const refusal = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

/** The burst throttle answers with a bare string. */
function messageOf(body: unknown): string {
  const { error } = body as { error: string | { message: string } }
  return typeof error === 'string' ? error : error.message
}
