import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'
import type { TObject } from 'typebox'
import type { Caller } from '../domain/access/caller.ts'
import { isMap } from '../http/requests/body.ts'
import { repeatableIn } from '../http/requests/query.ts'
import type { Request } from '../http/requests/request.ts'
import { excerpt } from '../lib/text.ts'
import { localDay } from '../lib/zoned-time.ts'
import { shortAnswer } from './short-answer.ts'
import { handlesIn, type Tool } from './tools.ts'

const LONGEST_PAGE = 25

/**
 * Calls the endpoint of a tool through its address, so that it passes the same gate and is counted, audited and logged like any
 * other call. Only the throttle per address does not count it again.
 */
export async function callTool(
  app: FastifyInstance,
  { endpoint, address, inputs, shown }: Tool,
  args: Record<string, unknown>,
  { headers, id, ip, admitted }: Request,
): Promise<CallToolResult> {
  const handles = handlesIn(address)
  const unknown = Object.keys(args).find(name => !inputs.includes(name))
  if (unknown !== undefined) return refusal(`${excerpt(unknown)} is not an argument of ${shown.name}. ${taken(inputs)}`)
  const missing = handles.find(handle => !isHandle(args[handle]))
  if (missing) return refusal(`${missing} can't be blank`)
  const unwritable = problemInAddress(endpoint, handles, args)
  if (unwritable !== undefined) return refusal(unwritable)
  const answer = await app.inject({
    method: endpoint.method,
    url: `/api/v1${urlOf(endpoint, address, args)}`,
    headers: {
      authorization: headers.authorization ?? '',
      ...(headers['accept-language'] !== undefined && { 'accept-language': headers['accept-language'] }),
      'x-request-id': id,
      ...(endpoint.body && { 'content-type': 'application/json' }),
    },
    remoteAddress: ip,
    ...(endpoint.body && { payload: JSON.stringify(without(args, handles)) }),
  })
  const body: unknown = JSON.parse(answer.payload)
  if (answer.statusCode === 404 && handles.length > 0) return refusal(nothingCalled(handles, args))
  if (answer.statusCode >= 400) return refusal(messageOf(body))
  const known = shown.name === 'get_account' ? withToday(body as { data: object }, admitted as Caller) : body
  return { content: shortAnswer(withoutNoise(known), shown.name).map(text => ({ type: 'text', text })) }
}

/** An agent does not know which day it is where the people are. */
function withToday({ data }: { data: object }, { company: { time_zone } }: Caller): object {
  return { data: { ...data, today: localDay(time_zone, Date.now()).date, time_zone } }
}

/** Without what says nothing: fields that are null, and the slug of a record whose id stands beside it. */
function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise)
  if (typeof value !== 'object' || value === null) return value
  const isNoise = (name: string, each: unknown) =>
    (each === null && name !== 'next_cursor') || (name.endsWith('_slug') && name.replace(/_slug$/, '_id') in value)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (isNoise(name, each) ? [] : [[name, withoutNoise(each)]])),
  )
}

const taken = (inputs: string[]) => `It takes ${inputs.length > 0 ? inputs.join(', ') : 'none'}.`

/** The API does not say which record is missing: its caller wrote the address, but an agent did not. */
const nothingCalled = (handles: string[], args: Record<string, unknown>) =>
  handles.map(handle => `${handle}: nothing is called ${JSON.stringify(excerpt(String(args[handle])))}`).join('; ')

function urlOf({ query }: Tool['endpoint'], address: string, args: Record<string, unknown>): string {
  const path = address.replace(/:(\w+)/g, (_, handle) => encodeURIComponent(String(args[handle])))
  if (!query) return path
  const parameters = new URLSearchParams()
  for (const [name, value] of parametersFor(query, without(args, handlesIn(address))))
    for (const each of [value].flat()) if (each !== undefined && each !== null) parameters.append(name, String(each))
  const wanted = Number(args.limit ?? LONGEST_PAGE) || LONGEST_PAGE
  if (query.properties.limit) parameters.set('limit', String(Math.min(wanted, LONGEST_PAGE)))
  return `${path}?${parameters}`
}

/** What cannot be written into an address. A body needs no such check: its endpoint reads the very JSON that was sent. */
function problemInAddress(
  { query }: Tool['endpoint'],
  handles: string[],
  args: Record<string, unknown>,
): string | undefined {
  const several = repeatableIn(query)
  const written = handles.map((handle): Parameter => [handle, args[handle]])
  if (query) written.push(...parametersFor(query, without(args, handles)))
  for (const [name, value] of written) {
    const values = several.includes(name) ? [value].flat() : [value]
    if (!values.every(isScalar)) return `${excerpt(name)} must be text, a number, true or false`
    if (![name, ...values].every(each => String(each).isWellFormed()))
      return `${excerpt(name)} must not contain control characters or half of a surrogate pair`
  }
  return undefined
}

type Parameter = [name: string, value: unknown]

/** `{ metadata: { stage: 'review' } }` is the parameter `metadata[stage]`. */
function parametersFor({ properties }: TObject, args: Record<string, unknown>): Parameter[] {
  return Object.entries(args).flatMap(([name, value]): Parameter[] => {
    const isOfKeys = typeof value === 'object' && value !== null && isMap(properties[name] ?? {})
    return isOfKeys ? Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each]) : [[name, value]]
  })
}

const isScalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

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
