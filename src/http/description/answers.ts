import type { ErrorCode, ErrorStatus } from '../../domain/errors.ts'
import { Bytes } from '../answers/schema.ts'
import { type EndpointFacts, statusesOf } from '../endpoints/endpoint.ts'
import { isRepeatable } from '../endpoints/idempotency.ts'
import type { Json } from './schemas.ts'

/** The parts of an endpoint that determine its answers, besides whether the surface counts calls. */
export type Answering = Pick<
  EndpointFacts,
  'method' | 'status' | 'query' | 'returns' | 'refusesQuery' | 'failsWith'
> & {
  /** Whether it shows or changes records: repeats are recognised there. */
  isOfRecords?: boolean
  /** Whether `If-Match` is compared. */
  isConditional?: boolean
  /** Whether the answer to a write has the same ETag as the GET of the record. */
  isTagged?: boolean
  /** Whether the answer says where the new record is. */
  isPlaced?: boolean
}

const text = { type: 'string' }

const HEADERS: Json = {
  'X-Request-Id': { description: 'The id of this request in the logs', schema: text },
  'X-Ignored-Fields': {
    description: 'Unknown fields of the body, which were ignored; percent-encoded',
    schema: text,
  },
  'X-Ignored-Parameters': {
    description: 'Unknown query parameters, which were ignored; percent-encoded',
    schema: text,
  },
  'Idempotency-Replayed': {
    description: '`true` when this is the stored answer to an earlier request with the same `Idempotency-Key`',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-RateLimit-Limit': { description: 'Daily allowance of the company, or `unlimited`', schema: text },
  'X-RateLimit-Remaining': { description: 'Calls left today, or `unlimited`', schema: text },
  'X-RateLimit-Reset': {
    description: 'Unix time of the next reset: midnight in the company zone',
    schema: { type: 'integer' },
  },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
  Link: { description: 'The address of the next page: `<…>; rel="next"`; absent on the last page', schema: text },
  ETag: { description: 'The version of this answer, for `If-None-Match` and `If-Match`', schema: text },
  'Content-Disposition': { description: '`attachment`, with the name of the file', schema: text },
  'Accept-Ranges': {
    description: '`bytes`: parts can be requested with `Range`',
    schema: { type: 'string', enum: ['bytes'] },
  },
  'Content-Range': { description: 'Which bytes these are, and how many there are in all', schema: text },
  Location: {
    description: 'The address of the new record, or where the link leads',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'WWW-Authenticate': { description: '`Bearer`: how a credential is sent', schema: text },
}

const COUNT = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
const refTo = (header: string) => `#/components/headers/${header}`

/** The headers that a description refers to. */
export function headerComponents(description: Json): Json {
  const told = JSON.stringify(description)
  return Object.fromEntries(Object.entries(HEADERS).filter(([name]) => told.includes(`"${refTo(name)}"`)))
}

function headers(counted: boolean, ...names: string[]): Json {
  const told = ['X-Request-Id', ...names, ...(counted ? COUNT : [])]
  return Object.fromEntries(told.map(name => [name, { $ref: refTo(name) }]))
}

const DONE: Record<number, string> = { 200: 'Done', 201: 'Created' }

/** Every answer of an endpoint, by its status. */
export function answersOf(endpoint: Answering, counted: boolean, content: Json): Json {
  const { method, status = 200 } = endpoint
  const description = DONE[status]
  if (endpoint.returns === Bytes) return { ...answersWithBytes(counted), ...failuresOf(endpoint) }
  if (method === 'GET') {
    const link = endpoint.query?.properties.cursor ? ['Link'] : []
    const ok = { description, headers: headers(counted, 'X-Ignored-Parameters', ...link, 'ETag'), content }
    return { [status]: ok, 304: notModified(counted), ...failuresOf(endpoint) }
  }
  const replayed = isRepeatable(method) && endpoint.isOfRecords ? ['Idempotency-Replayed'] : []
  const tagged = [...(endpoint.isPlaced ? ['Location'] : []), ...(endpoint.isTagged ? ['ETag'] : [])]
  const told = headers(counted, 'X-Ignored-Fields', 'X-Ignored-Parameters', ...replayed, ...tagged)
  const done = statusesOf(endpoint).map(status => [status, { description: DONE[status], headers: told, content }])
  return { ...Object.fromEntries(done), ...failuresOf(endpoint) }
}

function notModified(counted: boolean): Json {
  return {
    description: 'Unchanged since the ETag in `If-None-Match`',
    headers: headers(counted, 'X-Ignored-Parameters', 'ETag'),
  }
}

/** A file has the media type that its name implies. */
function answersWithBytes(counted: boolean): Json {
  const file = ['X-Ignored-Parameters', 'ETag', 'Content-Disposition', 'Accept-Ranges']
  const content = { '*/*': { schema: Bytes } }
  return {
    200: { description: 'The file', headers: headers(counted, ...file), content },
    206: {
      description: 'The part that `Range` asked for',
      headers: headers(counted, ...file, 'Content-Range'),
      content,
    },
    302: {
      description: 'The file is a link; `Location` is its target',
      headers: headers(counted, 'X-Ignored-Parameters', 'Location'),
    },
    304: notModified(counted),
  }
}

/** 400 is an answer to what no client sends, whatever the endpoint. */
const NAMES: Record<Exclude<ErrorStatus, 400>, string> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  416: 'RangeNotSatisfiable',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
}

function failuresOf({ method, refusesQuery, failsWith, isConditional }: Answering): Json {
  const isWrite = method !== 'GET'
  const mayBe = (status: number) => {
    if (status === 409) return isWrite
    if (status === 410 || status === 416) return failsWith === status
    if (status === 412) return isConditional
    return status === 422 ? isWrite || refusesQuery : true
  }
  const statuses = Object.entries(NAMES).filter(([status]) => mayBe(Number(status)))
  return Object.fromEntries(statuses.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]))
}

export const BURST_BODY = { type: 'object', required: ['error'], properties: { error: text } }

/** The failures that all endpoints share, under names from which a generator can make types. */
export function failureComponents(counted: boolean): Json {
  const error = (description: string, told: Json, code: ErrorCode, message: string) => ({
    description,
    headers: told,
    content: json({ $ref: '#/components/schemas/Error' }, { error: { code, message } }),
  })
  const admitted = headers(counted, 'X-Ignored-Parameters')
  const read = headers(counted, 'X-Ignored-Fields', 'X-Ignored-Parameters')
  return {
    Unauthorized: error(
      'The credential is missing or invalid',
      headers(false, 'WWW-Authenticate'),
      'unauthorized',
      'The API key is missing or invalid.',
    ),
    Forbidden: error(
      'Not permitted, or not in the plan (`plan_upgrade_required`)',
      admitted,
      'forbidden',
      'The key is not allowed projects:write.',
    ),
    NotFound: error(
      'The record does not exist or is not accessible, or there is no such endpoint (`unknown_endpoint`)',
      admitted,
      'not_found',
      'The record was not found.',
    ),
    Conflict: error(
      'Another request changed the same thing at the same moment: it is safe to try again. Or an `external_id` is taken by the record that `error.id` names',
      read,
      'conflict',
      'Another request changed the same thing at the same moment.',
    ),
    Gone: error(
      'The cursor is too old, or not one of ours',
      admitted,
      'cursor_expired',
      'The cursor is older than 30 days.',
    ),
    PreconditionFailed: error(
      'The record has changed: `If-Match` does not match its current version',
      admitted,
      'precondition_failed',
      'If-Match does not match the current version of the record.',
    ),
    RangeNotSatisfiable: error(
      'The range begins after the end of the file; `Content-Range` has its size',
      { ...admitted, ...headers(false, 'Content-Range') },
      'range_not_satisfiable',
      'Range begins after the end of the file, which has 1024 bytes.',
    ),
    Unprocessable: error(
      'The request has a mistake that the caller can fix',
      read,
      'unprocessable_entity',
      "name can't be blank",
    ),
    TooManyRequests: tooManyRequests(counted),
    InternalError: error(
      'Something went wrong on our side',
      admitted,
      'internal_error',
      'Something went wrong on our side.',
    ),
    Unavailable: error(
      'The service is temporarily unavailable',
      admitted,
      'unavailable',
      'The service is not available at the moment.',
    ),
  }
}

function tooManyRequests(counted: boolean): Json {
  const schema = { anyOf: [{ $ref: '#/components/schemas/BurstError' }, { $ref: '#/components/schemas/Error' }] }
  return {
    description: counted
      ? 'The daily allowance is spent (`rate_limit_exceeded`), or the burst throttle refused: then `error` is a plain string'
      : 'Too many failed sign-ins; `error` is a plain string',
    headers: headers(counted, 'Retry-After'),
    content: json(schema, { error: 'Too many requests. Try again in 12 seconds.' }),
  }
}

export function json(schema: unknown, example: unknown): Json {
  return { 'application/json': { schema, example } }
}
