import { inPlace } from '../src/lib/openapi-parts.ts'

/** The parts of an OpenAPI description from which types are generated. */
export interface Schema {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

interface Content {
  content?: Record<string, { schema: Schema }>
}

interface DescribedOperation {
  operationId: string
  summary: string
  description?: string
  parameters: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
}

export interface Description {
  servers: { url: string }[]
  paths: Record<string, Record<string, DescribedOperation>>
  /** The messages that webhooks receive. */
  webhooks?: Record<string, { post: { summary: string; requestBody: Content } }>
  components: { schemas: Record<string, Schema> } & Record<string, Record<string, unknown>>
}

/** An endpoint as its callers see it. */
export interface Operation {
  /** In camelCase, verb first: `completeTask`. */
  name: string
  summary: string
  description: string
  method: string
  path: string
  params: string[]
  query?: Schema
  body?: Schema
  /** Undefined if the answer is the bytes of a file. */
  answer?: Schema
  /** True if the endpoint honours `If-Match`. */
  isConditional: boolean
}

/** Every endpoint once: if it has two addresses, with the flat one. */
export function operationsOf({ paths, components }: Description): Operation[] {
  const described = Object.entries(inPlace(paths, components)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const names = new Set(described.map(({ operation }) => operation.operationId))
  return described
    .filter(({ operation: { operationId } }) => !names.has(withoutParent(operationId)))
    .map(({ method, path, operation }) => toOperation(method, path, operation))
}

/** The name of the flat address, if this is the nested one. */
const withoutParent = (id: string) => (id.endsWith('InProject') ? id.slice(0, -'InProject'.length) : '')

function toOperation(method: string, path: string, operation: DescribedOperation): Operation {
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
  const query = operation.parameters.filter(parameter => parameter.in === 'query')
  return {
    name: operation.operationId,
    summary: operation.summary.replace(' (flat address)', ''),
    description: operation.description ?? '',
    method,
    path,
    params: operation.parameters.filter(parameter => parameter.in === 'path').map(({ name }) => name),
    ...(query.length > 0 && { query: objectOf(query) }),
    ...present('body', jsonOf(operation.requestBody)),
    ...present('answer', jsonOf(success)),
    isConditional: operation.parameters.some(({ name }) => name === 'If-Match'),
  }
}

function objectOf(parameters: DescribedOperation['parameters']): Schema {
  return {
    type: 'object',
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { ...schema, ...present('description', description) }]),
    ),
  }
}

export const jsonOf = (body?: Content) => body?.content?.['application/json']?.schema

const present = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  value === undefined ? {} : ({ [key]: value } as Record<Key, Value>)
