import type { Tool as ShownTool } from '@modelcontextprotocol/server'
import { apiEndpoints } from '../api/endpoints.ts'
import type { ApiEndpoint } from '../api/gate.ts'
import { RECORDS } from '../descriptions.ts'
import { isDestructive } from '../domain/access/operations.ts'
import type { Json } from '../http/openapi-schemas.ts'
import { inputSchema } from './tool-schema.ts'

/** An endpoint as agents see it. */
export interface Tool {
  endpoint: ApiEndpoint
  /** The flat address: it asks for the least. */
  address: string
  /** What is listed. */
  shown: ShownTool
}

/** Characters. */
const MOST_WORDS = 200

export const TOOLS: Tool[] = apiEndpoints.flatMap(endpoint => (endpoint.tool ? [toTool(endpoint, endpoint.tool)] : []))

function toTool(endpoint: ApiEndpoint, name: string): Tool {
  const address = endpoint.at.at(-1) ?? ''
  const handles = handlesIn(address).map(handle => [handle, { type: 'string', description: describeHandle(handle) }])
  const input = endpoint.method === 'GET' ? withoutRequired(endpoint.query) : endpoint.body
  return {
    endpoint,
    address,
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

/** As much as decides whether it is the right one. */
function describe({ summary, description = '' }: ApiEndpoint): string {
  const [first = ''] = description.split('\n', 1)
  return first && first.length <= MOST_WORDS ? `${summary}. ${first}` : `${summary}.`
}

/** A flat address takes a ref only. */
function describeHandle(handle: string): string {
  const [words = ''] = (RECORDS[handle as keyof typeof RECORDS] ?? '').split(', or on a nested address')
  return words.replaceAll('`', '')
}

/** A query has a default for whatever is left out. */
function withoutRequired(query: ApiEndpoint['query']): Json | undefined {
  return query && { properties: query.properties }
}

/** What is created is created again when it is called again; every other write leaves the same behind. */
function annotationsOf({ operation, method, status }: ApiEndpoint): ShownTool['annotations'] {
  if (operation.endsWith(':read')) return { readOnlyHint: true, openWorldHint: false }
  return {
    destructiveHint: isDestructive(operation),
    idempotentHint: method === 'PATCH' || (method === 'POST' && status === 200),
    openWorldHint: false,
  }
}
