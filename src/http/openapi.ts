import type { TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { Bytes, ErrorBody } from './schema.ts'

type Json = Record<string, unknown>
type Describable = Pick<
  Endpoint,
  'operation' | 'summary' | 'description' | 'method' | 'at' | 'query' | 'refusesQuery' | 'body' | 'status' | 'returns'
>

export interface Surface {
  title: string
  version: string
  description: string
  prefix: string
  /** What a credential of this surface looks like. */
  bearer: string
  /** How the description tells what a caller needs. */
  needs: (endpoint: never) => string
  tags: Record<string, string>
  parameters: Record<string, string>
  /** The public API counts calls; the administration surface does not. */
  counted: boolean
}

/** The machine-readable description, made from the same declarations that serve the requests. */
export function describe(endpoints: Describable[], surface: Surface): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    for (const [n, address] of endpoint.at.entries()) {
      const path = address.replace(/:(\w+)/g, '{$1}')
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: describeOperation(endpoint, address, n > 0, surface, schemas),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: surface.title,
      version: surface.version,
      description: surface.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: surface.prefix }],
    security: [{ bearer: [] }],
    tags: Object.entries(surface.tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: surface.bearer } },
      schemas: { ...schemas, Error: named(ErrorBody, schemas), BurstError: BURST_BODY },
      headers: surface.counted ? RATE_HEADERS : undefined,
      responses: responses(surface.counted),
    },
  }
}

function describeOperation(
  endpoint: Describable,
  address: string,
  isFlat: boolean,
  surface: Surface,
  schemas: Json,
): Json {
  const isWrite = endpoint.method !== 'GET'
  const isBytes = endpoint.returns === Bytes
  const [resource = ''] = endpoint.operation.split(':')
  const body = endpoint.body && {
    required: true,
    content: json(named(endpoint.body, schemas), exampleOf(endpoint.body)),
  }
  return {
    operationId: operationId(endpoint.summary) + (isFlat ? 'ByRef' : ''),
    summary: endpoint.summary + (isFlat ? ' (flat address, ref only)' : ''),
    description: [endpoint.description, surface.needs(endpoint as never)].filter(Boolean).join('\n\n'),
    tags: [resource],
    parameters: [
      ...pathParameters(address, surface),
      ...queryParameters(endpoint),
      ...headerParameters(endpoint, surface),
    ],
    requestBody: body,
    responses: {
      [endpoint.status]: {
        description: endpoint.status === 201 ? 'Created' : 'Done',
        headers: headersOf(surface.counted, isWrite),
        content: isBytes
          ? { 'application/octet-stream': { schema: endpoint.returns } }
          : json(named(endpoint.returns, schemas), exampleOf(endpoint.returns)),
      },
      ...(isBytes && PARTS_AND_LINKS),
      ...(!isWrite && { 304: { description: 'Not changed since the ETag of `If-None-Match`' } }),
      ...Object.fromEntries(
        failures(isWrite, endpoint.refusesQuery).map(status => [status, { $ref: `#/components/responses/${status}` }]),
      ),
    },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curl(endpoint, address, surface) }],
  }
}

const PARTS_AND_LINKS = {
  206: { description: 'The part that `Range` asked for' },
  302: { description: 'A link: `Location` says where to' },
}

const failures = (isWrite: boolean, refusesQuery = false) => [
  401,
  403,
  404,
  ...(isWrite ? [409] : []),
  ...(isWrite || refusesQuery ? [422] : []),
  429,
  500,
  503,
]

function operationId(summary: string): string {
  const [first = '', ...rest] = summary
    .replace(/[^\w ]/g, '')
    .split(' ')
    .filter(word => !/^(a|an|the|its|it|and|of|in|to|from|with)$/i.test(word))
  return first.toLowerCase() + rest.map(word => word[0]?.toUpperCase() + word.slice(1)).join('')
}

function pathParameters(address: string, { parameters }: Surface): Json[] {
  return [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: parameters[name],
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Describable): Json[] {
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schema as unknown as Json
    return { name, in: 'query', required: false, description, schema: rest }
  })
}

function headerParameters({ method }: Describable, { counted }: Surface): Json[] {
  if (method === 'GET')
    return [
      {
        name: 'If-None-Match',
        in: 'header',
        description: 'An ETag: 304 when nothing has changed',
        schema: { type: 'string' },
      },
    ]
  if (method !== 'POST' || !counted) return []
  const description =
    'A name for this request, kept for 24 hours: repeated under the same name, it is done once and answered the same'
  return [
    { name: 'Idempotency-Key', in: 'header', description, schema: { type: 'string', minLength: 1, maxLength: 255 } },
  ]
}

/** Schemas with a title become components, so that clients get named types. */
function named(schema: unknown, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map(each => named(each, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: Json = {}
  for (const [key, value] of Object.entries(schema)) {
    // What only our own reader of bodies understands is not for others.
    if (key !== 'numberAsText') copy[key] = key === 'examples' ? value : named(value, schemas)
  }
  if (typeof copy.title !== 'string') return copy
  schemas[copy.title] = copy
  return { $ref: `#/components/schemas/${copy.title}` }
}

function exampleOf(schema: TSchema | Json): unknown {
  const {
    examples,
    default: fallback,
    const: fixed,
    enum: values,
    type,
    properties,
    items,
    format,
    anyOf,
  } = schema as Json
  if (Array.isArray(examples)) return examples[0]
  if (fallback !== undefined) return fallback
  if (fixed !== undefined) return fixed
  if (Array.isArray(values)) return values[0]
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0])
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, exampleOf(each as Json)]))
  }
  if (items) return [exampleOf(items as Json)]
  const [plainType] = [type].flat()
  if (plainType === 'integer') return 1
  if (plainType === 'boolean') return true
  return FORMAT_EXAMPLES[format as string] ?? 'text'
}

const FORMAT_EXAMPLES: Record<string, string> = {
  date: '2026-11-15',
  'date-time': '2026-11-15T08:30:00.000Z',
  email: 'layla@example.com',
}

function json(schema: unknown, example: unknown): Json {
  return { 'application/json': { schema, example } }
}

function curl({ method, body }: Describable, address: string, { prefix }: Surface): string {
  const url = `http://127.0.0.1:3000${prefix}${address.replace(/:(\w+)/g, '{$1}')}`
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`, `-H 'Authorization: Bearer '"$TOKEN"`]
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(exampleOf(body))}'`)
  return lines.join(' \\\n  ')
}

const RATE_HEADERS = {
  'X-RateLimit-Limit': { description: 'Daily allowance of the company, or `unlimited`', schema: { type: 'string' } },
  'X-RateLimit-Remaining': { description: 'Calls left today, or `unlimited`', schema: { type: 'string' } },
  'X-RateLimit-Reset': {
    description: 'Unix time of the next reset: midnight in the company zone',
    schema: { type: 'integer' },
  },
}

function headersOf(counted: boolean, isWrite: boolean): Json {
  const rate = Object.keys(RATE_HEADERS).map(name => [name, { $ref: `#/components/headers/${name}` }])
  const ignored = {
    description: 'Fields of the body that mean nothing here and were dropped',
    schema: { type: 'string' },
  }
  return {
    'X-Request-Id': { description: 'The id of this request in the logs', schema: { type: 'string' } },
    ...(isWrite
      ? { 'X-Ignored-Fields': ignored }
      : { ETag: { description: 'Marks this answer', schema: { type: 'string' } } }),
    ...(counted && Object.fromEntries(rate)),
  }
}

const BURST_BODY = { type: 'object', required: ['error'], properties: { error: { type: 'string' } } }
const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } }

function responses(counted: boolean): Json {
  const error = (description: string, code: string, message: string) => ({
    description,
    content: json({ $ref: '#/components/schemas/Error' }, { error: { code, message } }),
  })
  const burst = { error: 'Too many requests. Try again in 12 seconds.' }
  return {
    401: error('The credential is missing or invalid', 'unauthorized', 'The API key is missing or invalid.'),
    403: error(
      'Not permitted, or not in the plan (`plan_upgrade_required`)',
      'forbidden',
      'The key is not allowed projects:write.',
    ),
    404: error(
      'No such record within reach, or no such endpoint (`unknown_endpoint`)',
      'not_found',
      'The record was not found.',
    ),
    409: error('Lost a race; safe to repeat', 'conflict', 'Another request changed the same thing at the same moment.'),
    422: error('The body can be mended', 'unprocessable_entity', "name can't be blank"),
    429: {
      description: counted
        ? 'The daily allowance is spent (`rate_limit_exceeded`), or the burst throttle refused: then `error` is a plain string'
        : 'Too many failed sign-ins; `error` is a plain string',
      headers: RETRY_AFTER,
      content: json(
        { anyOf: [{ $ref: '#/components/schemas/BurstError' }, { $ref: '#/components/schemas/Error' }] },
        burst,
      ),
    },
    500: error('A fault on our side', 'internal_error', 'Something went wrong on our side.'),
    503: error('Not available at the moment', 'unavailable', 'The service is not available at the moment.'),
  }
}
