import { CallFailed, whileUnderway } from '../../api/call.ts'
import type { Language } from '../../words/language.ts'

/** As much of the description of the API as the explorer shows. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description?: string
  schema: { type?: string | string[]; enum?: unknown[]; default?: unknown }
}

export interface Endpoint {
  id: string
  method: string
  path: string
  /** The name of its subject, as it is shown. */
  tag: string
  summary: string
  description: string
  parameters: Parameter[]
  /** The example of its body, written out; undefined where it takes none. */
  example: string | undefined
}

export interface ApiDescription {
  prefix: string
  endpoints: Endpoint[]
  /** The headers that answers can have and that mean something to callers. */
  headers: string[]
}

interface Reference {
  $ref: string
}

interface Body {
  content: Record<string, { example?: unknown }>
}

interface DescribedOperation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: (Parameter | Reference)[]
  requestBody?: Body | Reference
}

interface OpenApi {
  tags: { name: string; 'x-displayName'?: string }[]
  servers: { url: string }[]
  paths: Record<string, Record<string, DescribedOperation>>
  components: {
    headers: Record<string, unknown>
    parameters: Record<string, Parameter>
    requestBodies: Record<string, Body>
  }
}

const DEADLINE_MS = 20_000

/** The description that the server gives of itself, in the language of the reader. */
export async function loadDescription(language: Language, signal: AbortSignal): Promise<ApiDescription> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)])
  const answering = fetch(language === 'ar' ? '/openapi.json?lang=ar' : '/openapi.json', {
    credentials: 'omit',
    signal: deadline,
  })
  const response = await whileUnderway(answering).catch(error => {
    if (signal.aborted) throw error
    throw new CallFailed(0, 'unreachable', 'The server cannot be reached.')
  })
  if (!response.ok) throw new CallFailed(response.status, 'unexpected', `${response.status} ${response.statusText}`)
  const { servers, tags, paths, components } = (await response.json()) as OpenApi
  const shownTags = new Map(tags.map(tag => [tag.name, tag['x-displayName'] ?? tag.name]))
  return {
    prefix: new URL(servers[0]?.url ?? '', location.origin).pathname,
    endpoints: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const endpoint = toEndpoint(method, path, operation, components)
        return { ...endpoint, tag: shownTags.get(endpoint.tag) ?? endpoint.tag }
      }),
    ),
    headers: Object.keys(components.headers),
  }
}

function toEndpoint(
  method: string,
  path: string,
  operation: DescribedOperation,
  components: OpenApi['components'],
): Endpoint {
  const body = inPlace(operation.requestBody, components.requestBodies)?.content['application/json']
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    tag: operation.tags[0] ?? '',
    summary: operation.summary,
    description: operation.description ?? '',
    parameters: (operation.parameters ?? []).flatMap(each => inPlace(each, components.parameters) ?? []),
    example: body && JSON.stringify(body.example ?? {}, null, 2),
  }
}

/** Operations refer to what several of them have in common. */
function inPlace<Part extends object>(part: Part | Reference | undefined, shared: Record<string, Part>) {
  return part && '$ref' in part ? shared[part.$ref.split('/').at(-1) ?? ''] : part
}
