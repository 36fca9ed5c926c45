import { CallFailed, whileUnderway } from '../../api/call.ts'

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

interface DescribedOperation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

interface OpenApi {
  servers: { url: string }[]
  paths: Record<string, Record<string, DescribedOperation>>
  components: { headers: Record<string, unknown> }
}

const DEADLINE_MS = 20_000

/** The description that the server gives of itself. */
export async function loadDescription(signal: AbortSignal): Promise<ApiDescription> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)])
  const answering = fetch('/openapi.json', { credentials: 'omit', signal: deadline })
  const response = await whileUnderway(answering).catch(error => {
    if (signal.aborted) throw error
    throw new CallFailed(0, 'unreachable', 'The server cannot be reached.')
  })
  if (!response.ok) throw new CallFailed(response.status, 'unexpected', `${response.status} ${response.statusText}`)
  const { servers, paths, components } = (await response.json()) as OpenApi
  return {
    prefix: new URL(servers[0]?.url ?? '', location.origin).pathname,
    endpoints: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => toEndpoint(method, path, operation)),
    ),
    headers: Object.keys(components.headers),
  }
}

function toEndpoint(method: string, path: string, operation: DescribedOperation): Endpoint {
  const body = operation.requestBody?.content['application/json']
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    tag: operation.tags[0] ?? '',
    summary: operation.summary,
    description: operation.description ?? '',
    parameters: operation.parameters ?? [],
    example: body && JSON.stringify(body.example ?? {}, null, 2),
  }
}
