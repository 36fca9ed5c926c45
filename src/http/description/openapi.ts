import { exampleHandles } from '../../domain/records/examples.ts'
import { Bytes, ErrorBody } from '../answers/schema.ts'
import { answersAs, readBehind } from '../endpoints/conditional.ts'
import { readOfCreated } from '../endpoints/created.ts'
import type { EndpointFacts } from '../endpoints/endpoint.ts'
import { isRepeatable } from '../endpoints/idempotency.ts'
import { isMap } from '../requests/body.ts'
import { answersOf, BURST_BODY, failureComponents, headerComponents, json } from './answers.ts'
import { codeSamples, SERVER } from './code-samples.ts'
import { exampleOf, type Json, named } from './schemas.ts'
import { shareParts } from './shared-parts.ts'

interface Tag {
  name: string
  description: string
}

interface SurfaceFacts {
  title: string
  version: string
  description: string
  prefix: string
  /** What a credential of this surface looks like. */
  bearer: string
  /** The cookie that is accepted instead, where there is one. */
  cookie?: { name: string; description: string }
  /** The headings of the reference, keyed by the resource of an operation. */
  tags: Record<string, Tag>
  parameters: Record<string, string>
  /** The public API counts calls; the administration surface does not. */
  counted: boolean
  /** Whether there are samples of our own: the client has a method for each endpoint, and the demo company has the records. */
  hasSamples: boolean
  /** What is sent to receivers, where the surface sends something. */
  webhooks?: () => Json
}

export interface Surface<E extends EndpointFacts> extends SurfaceFacts {
  /** Describes what a caller needs. */
  needs: (endpoint: E) => string
  /** True for endpoints that are called without a credential. */
  isOpen?: (endpoint: E) => boolean
  /** True for endpoints that show and change records: they compare versions and recognise repeats. */
  isOfRecords: (endpoint: E) => boolean
}

/** Building the description takes a while and some megabytes, so it is done only on request. */
export function describer<E extends EndpointFacts>(endpoints: E[], surface: Surface<E>): () => Json {
  return () => describe(endpoints, surface)
}

/** The machine-readable description, made from the same declarations that serve the requests. */
function describe<E extends EndpointFacts>(endpoints: E[], surface: Surface<E>): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const ofRecords = surface.isOfRecords(endpoint) ? endpoints.filter(surface.isOfRecords) : []
    const shownBy = readBehind(endpoint, ofRecords)
    const createdFor = readOfCreated(endpoint, ofRecords)
    for (const address of endpoint.at) {
      const path = address.replace(/:(\w+)/g, '{$1}')
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: describeOperation(endpoint, address, surface, schemas, {
          shownBy,
          createdFor,
        }),
      }
    }
  }
  const shared = shareParts(paths)
  const responses = { ...failureComponents(surface.counted), ...shared.responses }
  return {
    openapi: '3.1.0',
    info: {
      title: surface.title,
      version: surface.version,
      description: surface.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: SERVER + surface.prefix }],
    security: [{ bearer: [] }, ...(surface.cookie ? [{ session: [] }] : [])],
    tags: Object.values(surface.tags),
    paths,
    ...(surface.webhooks && { webhooks: surface.webhooks() }),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: surface.bearer },
        ...(surface.cookie && { session: { type: 'apiKey', in: 'cookie', ...surface.cookie } }),
      },
      schemas: { ...schemas, Error: named(ErrorBody, schemas), BurstError: BURST_BODY },
      headers: headerComponents({ paths, responses }),
      ...shared,
      responses,
    },
  }
}

function describeOperation<E extends EndpointFacts>(
  endpoint: E,
  address: string,
  surface: Surface<E>,
  schemas: Json,
  { shownBy, createdFor }: { shownBy: EndpointFacts | undefined; createdFor: EndpointFacts | undefined },
): Json {
  const isOfRecords = surface.isOfRecords(endpoint)
  const [resource = ''] = !surface.counted && isOfRecords ? ['work'] : endpoint.operation.split(':')
  const body = endpoint.body && {
    // A PATCH without a body changes nothing.
    required: endpoint.method !== 'PATCH',
    content: json(named(endpoint.body, schemas), exampleOf(endpoint.body)),
  }
  const content = {
    ...json(named(endpoint.returns, schemas), exampleOf(endpoint.returns)),
    ...(endpoint.alsoAs && { [endpoint.alsoAs]: { schema: { type: 'string' } } }),
  }
  const isOpen = surface.isOpen?.(endpoint) ?? false
  const isFlat = endpoint.at.indexOf(address) > 0
  return {
    operationId: operationId(endpoint, address),
    'x-since': endpoint.since,
    summary: endpoint.summary + (isFlat ? ' (flat address)' : ''),
    description: [endpoint.description, surface.needs(endpoint)].filter(Boolean).join('\n\n'),
    tags: [surface.tags[resource]?.name],
    parameters: [
      ...pathParameters(endpoint, address, surface),
      ...queryParameters(endpoint, schemas),
      ...headerParameters(endpoint, isOfRecords, shownBy),
    ],
    ...(isOpen && { security: [] }),
    requestBody: body,
    responses: answersOf(
      {
        ...endpoint,
        isOfRecords,
        isConditional: shownBy !== undefined,
        isTagged: createdFor !== undefined || (shownBy !== undefined && answersAs(shownBy, endpoint)),
        isPlaced: createdFor !== undefined,
      },
      surface.counted,
      content,
    ),
    ...(surface.hasSamples && {
      'x-codeSamples': codeSamples({
        endpoint,
        name: operationId(endpoint, address),
        address,
        prefix: surface.prefix,
        isNested: endpoint.at.length > 1 && !isFlat,
      }),
    }),
  }
}

/** An operation has its plain name at its only address, or at the flat one; at the nested address `InProject` is appended. */
function operationId({ name, at }: EndpointFacts, address: string): string {
  const isNested = at.length > 1 && address === at[0]
  return name.replace(/_[a-z]/g, letter => letter.charAt(1).toUpperCase()) + (isNested ? 'InProject' : '')
}

function pathParameters({ at }: EndpointFacts, address: string, { parameters, counted }: SurfaceFacts): Json[] {
  const handles = counted ? exampleHandles(address, at.length > 1 && address === at[0]) : {}
  return [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: parameters[name],
    schema: { type: 'string' },
    // Pre-filled on the page when somebody tries the endpoint.
    ...(handles[name] && { example: handles[name] }),
  }))
}

function queryParameters({ query }: EndpointFacts, schemas: Json): Json[] {
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest }: Json = { ...schema }
    // The key of a map is part of the name that is sent: `metadata[stage]`.
    const style = isMap(schema) && { style: 'deepObject', explode: true }
    return { name, in: 'query', required: false, description, ...style, schema: named(rest, schemas) }
  })
}

function headerParameters(
  { method, returns }: EndpointFacts,
  isOfRecords: boolean,
  shownBy: EndpointFacts | undefined,
): Json[] {
  const header = (name: string, description: string, schema: Json = { type: 'string' }) => ({
    name,
    in: 'header',
    description,
    schema,
  })
  if (method === 'GET') {
    const ofBytes = [
      header('Range', 'The part to send, for example `bytes=0-1023`'),
      header(
        'If-Range',
        'An ETag: the part is sent only if the file is still the same; otherwise the whole file is sent',
      ),
    ]
    const tag = header('If-None-Match', 'An ETag from an earlier answer; 304 when nothing has changed since')
    return returns === Bytes ? [tag, ...ofBytes] : [tag]
  }
  const version = header('If-Match', 'One or more ETags of the record, or `*`; 412 when it has changed since')
  const conditions = shownBy ? [version] : []
  if (!isRepeatable(method) || !isOfRecords) return conditions
  const description =
    'A name of your choice for this request, remembered for 24 hours. A request repeated under the same name is carried out once and gets the same answer.'
  return [header('Idempotency-Key', description, { type: 'string', minLength: 1, maxLength: 255 }), ...conditions]
}
