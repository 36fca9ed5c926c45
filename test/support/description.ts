import { readFileSync } from 'node:fs'

/** What a description says about a value. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  format?: string
}

interface Parameter {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  schema: Schema
}

interface Content {
  $ref?: string
  content?: Record<string, { schema: Schema; example?: Record<string, unknown> }>
}

interface WrittenOperation {
  operationId: string
  description?: string
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

/** An operation with what it refers to. */
export interface Operation {
  id: string
  method: string
  /** Without the prefix of its surface, and with parameters in braces. */
  path: string
  text: string
  parameters: Parameter[]
  takesBody: boolean
  /** The JSON that it takes. */
  json: { schema: Schema; example?: Record<string, unknown> } | undefined
  responses: Record<string, Content>
}

export interface Description {
  document: object
  /** In their order. */
  operations: Operation[]
  /** What is meant, where something refers to it. */
  follow<T extends { $ref?: string }>(one: T): T
}

export function readDescription(file: string): Description {
  const document = JSON.parse(readFileSync(file, 'utf8'))
  const follow = <T extends { $ref?: string }>(one: T): T => {
    if (one.$ref === undefined) return one
    const steps = one.$ref.split('/').slice(1)
    return follow(steps.reduce((found, step) => found[step.replaceAll('~1', '/')], document))
  }
  const paths = Object.entries<Record<string, WrittenOperation>>(document.paths)
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, description, parameters, requestBody, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      text: description ?? '',
      parameters: (parameters ?? []).map(follow),
      takesBody: requestBody !== undefined,
      json: requestBody && follow(requestBody).content?.['application/json'],
      responses,
    })),
  )
  return { document, operations, follow }
}
