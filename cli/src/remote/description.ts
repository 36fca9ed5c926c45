import { readFileSync } from 'node:fs'
import { inPlace } from '../../../src/lib/openapi-parts.ts'

/** The parts of a schema that commands are made from. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  minimum?: number
  maximum?: number
}

/** An operation of the administration, as its description states it. */
export interface Operation {
  method: string
  /** From the root of the server. */
  path: string
  /** The names in the path. */
  parameters: string[]
  summary: string
  description: string
  query: JsonSchema | undefined
  body: JsonSchema | undefined
}

interface Described {
  operationId: string
  summary: string
  description: string
  parameters: { name: string; in: string; description?: string; schema: JsonSchema }[]
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
}

interface Description {
  servers: { url: string }[]
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, JsonSchema> } & Record<string, Record<string, unknown>>
}

/** Not imported: for JSON modules, Node.js 20 prints a warning. */
const FILE = new URL('../../../openapi-admin.json', import.meta.url)
const { servers, paths, components }: Description = JSON.parse(readFileSync(FILE, 'utf8'))

export function operationNamed(id: string): Operation {
  for (const [path, methods] of Object.entries(paths))
    for (const [method, described] of Object.entries(methods))
      if (described.operationId === id) return operationOf(method, path, inPlace(described, components))
  throw new Error(`The administration has no operation ${id}`)
}

function operationOf(method: string, path: string, described: Described): Operation {
  const { summary, description, parameters, requestBody } = described
  const queried = parameters.filter(parameter => parameter.in === 'query')
  const properties = queried.map(({ name, description, schema }) => [
    name,
    { ...resolved(schema), ...(description && { description }) },
  ])
  const body = requestBody?.content['application/json'].schema
  return {
    method: method.toUpperCase(),
    path: new URL(servers[0]?.url ?? '').pathname + path,
    parameters: parameters.filter(parameter => parameter.in === 'path').map(({ name }) => name),
    summary,
    // The last paragraph says who may call it, and whether it is audited.
    description: description.split('\n\n').slice(0, -1).join(' '),
    query: queried.length > 0 ? { properties: Object.fromEntries(properties) } : undefined,
    body: body && resolved(body),
  }
}

/** The same schema with what it refers to in its place. */
function resolved({ $ref, ...schema }: JsonSchema): JsonSchema {
  const { properties, items } = schema
  return {
    ...($ref && resolved(components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {})),
    ...schema,
    ...(items && { items: resolved(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, resolved(inner)])),
    }),
  }
}
