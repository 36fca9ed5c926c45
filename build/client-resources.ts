import { methodPath } from '../src/http/description/method-names.ts'
import { type Description, type Operation, operationsOf, type Schema } from './description.ts'
import { comment, literal, typeText } from './type-text.ts'
import { inputName } from './types-from-description.ts'

/** The methods of the client as one TypeScript file: their types, and the table from which they are created at run time. */
export function resourcesFrom(description: Description, file: string): string {
  const operations = operationsOf(description)
  requireOwnNames(operations)
  const signatures = operations.map(signature)
  const known = [...Object.keys(description.components.schemas), ...operations.flatMap(inputsOf), 'Endpoints']
  const used = known.filter(name => new RegExp(`\\b${name}\\b`).test(signatures.join('\n')))
  const typed = operations.map((operation, n) => ({
    at: methodPath(operation),
    text: (indent: string) => `${comment(operation.summary, indent)}${indent}${signatures[n]}`,
  }))
  const table = operations.map(operation => ({
    at: methodPath(operation),
    text: (indent: string) =>
      `${indent}${methodPath(operation).at(-1)}: [${facts(operation).map(literal).join(', ')}],`,
  }))
  return [
    `// Written by "npm run openapi" from ${file}: change the declarations, not this file.\n`,
    "import type { Method, Options, Pages, PostOptions, Versioned } from './methods.ts'",
    `import type { ${used.join(', ')} } from './types.ts'\n`,
    `export const PREFIX = ${literal(new URL(description.servers[0]?.url ?? '').pathname)}\n`,
    `export interface Resources {\n${grouped(typed, '')}}\n`,
    '/** Of each method: the HTTP method, the address, what it takes besides the handles in the address, and what it gives. */',
    `export const METHODS: Record<string, Method | Record<string, Method>> = {\n${grouped(table, ',')}}\n`,
  ].join('\n')
}

export function requireOwnNames(operations: Operation[]): void {
  const names = operations.map(operation => methodPath(operation).join('.'))
  const twice = names.filter((name, n) => names.indexOf(name) !== n)
  if (twice.length > 0) throw new Error(`Two endpoints would be ${twice.join(', ')}: name one of them otherwise`)
}

/** The methods grouped by resource, in the order of the description. */
function grouped(methods: { at: string[]; text: (indent: string) => string }[], separator: string): string {
  const resources = [...new Set(methods.map(({ at }) => (at.length > 1 ? at[0] : '')))]
  return resources
    .map(resource => {
      const own = methods.filter(({ at }) => (at.length > 1 ? at[0] : '') === resource)
      if (!resource) return own.map(({ text }) => `${text('  ')}\n`).join('')
      return `  ${resource}: {\n${own.map(({ text }) => `${text('    ')}\n`).join('')}  }${separator}\n`
    })
    .join('')
}

const inputsOf = (operation: Operation) => [inputName(operation, 'Query'), inputName(operation, 'Body')]

/** `complete(task: string, options?: PostOptions & Versioned): Promise<Task>` */
function signature(operation: Operation): string {
  const { params, query, body, method, isConditional } = operation
  const handles = params.map(param => `${param}: string | number`)
  const bodyIsOptional = !body?.required?.length && method === 'POST'
  const input = [
    ...(query ? [`query?: ${inputName(operation, 'Query')}`] : []),
    ...(body ? [`body${bodyIsOptional ? '?' : ''}: ${inputName(operation, 'Body')}`] : []),
  ]
  const options =
    (method === 'POST' || method === 'PUT' ? 'PostOptions' : 'Options') + (isConditional ? ' & Versioned' : '')
  const taken = [...handles, ...input, `options?: ${options}`].join(', ')
  return `${methodPath(operation).at(-1)}(${taken}): ${given(operation)}`
}

function given(operation: Operation): string {
  const { name, answer } = operation
  const kind = kindOf(operation)
  if (kind === 'pages') return `Pages<${typeText(itemOf(operation))}, Endpoints['${name}']['answer']>`
  if (kind === 'bytes') return 'Promise<Blob>'
  if (kind === 'answer') return `Promise<Endpoints['${name}']['answer']>`
  const data = answer?.properties?.data ?? {}
  return `Promise<${data.$ref || data.items?.$ref ? typeText(data) : `Endpoints['${name}']['answer']['data']`}>`
}

/** The records of a page. If a page has several kinds, these are the ones under the last name in the address. */
export function itemOf({ path, answer }: Operation): Schema {
  const data = answer?.properties?.data
  const records = data?.properties?.[path.split('/').at(-1) ?? ''] ?? data
  if (!records?.items) throw new Error(`${path} has pages, but of what?`)
  return records.items
}

/** Pages if there is a cursor; the whole answer if a read returns `meta` besides `data`; otherwise `data` alone. */
export function kindOf({ method, query, answer }: Operation): 'pages' | 'answer' | 'data' | 'bytes' {
  if (!answer) return 'bytes'
  if (query?.properties?.cursor) return 'pages'
  return method === 'GET' && answer.properties?.meta ? 'answer' : 'data'
}

function facts(operation: Operation): string[] {
  const { method, path, query, body } = operation
  return [method, path, query ? 'query' : body ? 'body' : '', kindOf(operation)]
}
