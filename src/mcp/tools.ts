import type { Tool as ShownTool } from '@modelcontextprotocol/server'
import { apiEndpoints } from '../api/endpoints.ts'
import type { ApiEndpoint } from '../api/gate.ts'
import { HANDLES } from '../descriptions.ts'
import { isDestructive } from '../domain/access/operations.ts'
import type { Json } from '../http/description/schemas.ts'
import { inputSchema } from './tool-schema.ts'

/** An endpoint as agents see it. */
export interface Tool {
  endpoint: ApiEndpoint
  /** The flat address, because it needs the fewest parameters. */
  address: string
  /** The names of its arguments; the list leaves out a few. */
  inputs: string[]
  /** What the list of tools shows. */
  shown: ShownTool
}

/** In characters. */
const MOST_WORDS = 200

export const TOOLS: Tool[] = apiEndpoints.flatMap(endpoint => (endpoint.tool ? [toTool(endpoint, endpoint.tool)] : []))

function toTool(endpoint: ApiEndpoint, name: string): Tool {
  const address = endpoint.at.at(-1) ?? ''
  const handles = handlesIn(address).map(handle => [handle, { type: 'string', description: describeHandle(handle) }])
  const input = endpoint.method === 'GET' ? withoutRequired(endpoint.query) : endpoint.body
  return {
    endpoint,
    address,
    inputs: [...handlesIn(address), ...Object.keys((input?.properties as Json | undefined) ?? {})],
    shown: {
      name,
      description: describe(endpoint),
      inputSchema: inputSchema(Object.fromEntries(handles), input as Json | undefined),
      annotations: annotationsOf(endpoint),
    },
  }
}

export function handlesIn(address: string): string[] {
  return [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

/** Enough to decide whether it is the right tool. */
function describe({ summary, description = '' }: ApiEndpoint): string {
  const [first = ''] = description.split('\n', 1)
  return first && first.length <= MOST_WORDS ? `${summary}. ${first}` : `${summary}.`
}

/** A flat address takes a ref only. */
function describeHandle(handle: string): string {
  const [words = ''] = (HANDLES[handle] ?? '').split(', or on a nested address')
  return words.replaceAll('`', '')
}

/** A query has a default for every parameter that is left out. What has an external id is read at its address, as `ext:…`. */
function withoutRequired(query: ApiEndpoint['query']): Json | undefined {
  if (!query) return undefined
  const { external_id, ...properties }: Json = query.properties
  return { properties }
}

/** Repeating a call that creates something creates another; repeating any other write has no further effect. */
function annotationsOf({ operation, method, status }: ApiEndpoint): ShownTool['annotations'] {
  if (operation.endsWith(':read')) return { readOnlyHint: true, openWorldHint: false }
  return {
    destructiveHint: isDestructive(operation),
    idempotentHint: method === 'PATCH' || method === 'PUT' || (method === 'POST' && status === 200),
    openWorldHint: false,
  }
}
