import { inPlace } from '../../lib/openapi-parts.ts'
import type { Json } from './schemas.ts'

/** What of a description becomes part of a collection. */
interface Described {
  info: { title: string; version: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: { name: string; in: 'path' | 'query' | 'header'; description?: string; example?: string }[]
  requestBody?: { content: { 'application/json': { example?: unknown } } }
}

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/**
 * A description as a collection for Postman, and for what reads its format. Postman can import the description too, but then sends
 * every optional header and parameter with a placeholder. Here they are switched off, and the key is entered once.
 */
export function postmanCollection(description: Json): Json {
  // The cast holds: it is a description of ours.
  const shared = description as Json & Described
  const { info, servers, tags, paths } = inPlace(shared, shared.components)
  const { origin, pathname } = new URL(servers[0]?.url ?? '')
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // Where an endpoint has two addresses, the flat one is enough.
      .filter(([, { operationId }]) => !operationId.endsWith('InProject'))
      .map(([method, operation]) => ({ tag: operation.tags[0], item: itemOf(method, pathname + path, operation) })),
  )
  return {
    info: { name: `${info.title} ${info.version}`, schema: FORMAT },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'address', value: origin },
      { key: 'key', value: '', description: 'An API key: svc_api_…' },
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: requests.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  }
}

function itemOf(method: string, path: string, { summary, description, parameters, requestBody }: Operation): Json {
  const off = (place: 'query' | 'header') =>
    parameters.flatMap(({ name, description, in: where }) =>
      where === place ? [{ key: name, value: '', description, disabled: true }] : [],
    )
  const handles = parameters.filter(parameter => parameter.in === 'path')
  const example = requestBody?.content['application/json'].example
  const type = requestBody ? [{ key: 'Content-Type', value: 'application/json' }] : []
  return {
    name: summary.replace(' (flat address)', ''),
    request: {
      method: method.toUpperCase(),
      description,
      header: [...type, ...off('header')],
      ...(requestBody && { body: { mode: 'raw', raw: JSON.stringify(example ?? {}, null, 2) } }),
      url: urlOf(path, handles, off('query')),
    },
  }
}

/** Postman fills a variable that is a whole segment; what is only a part of one is filled here. */
function urlOf(path: string, handles: Operation['parameters'], query: Json[]): Json {
  const filled = (segment: string) =>
    segment.replace(/\{(\w+)\}/g, (_, name) => handles.find(handle => handle.name === name)?.example ?? name)
  const segments = path
    .slice(1)
    .split('/')
    .map(segment => (/^\{\w+\}$/.test(segment) ? `:${segment.slice(1, -1)}` : filled(segment)))
  return {
    raw: `{{address}}/${segments.join('/')}`,
    host: ['{{address}}'],
    path: segments,
    query,
    variable: handles
      .filter(({ name }) => segments.includes(`:${name}`))
      .map(({ name, description, example }) => ({ key: name, value: example ?? '', description })),
  }
}
