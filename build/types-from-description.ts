import { type Description, type Operation, operationsOf, type Schema } from './description.ts'
import { comment, literal, objectText, typeText } from './type-text.ts'

/**
 * The types of an API as one TypeScript file: every named schema, the query and the body of every endpoint, and
 * `Endpoints`, which maps the name of each endpoint to its address, its input and its answer.
 */
export function typesFrom(description: Description, file: string): string {
  const operations = operationsOf(description)
  const schemas = Object.entries(description.components.schemas).map(([name, schema]) => declared(name, schema))
  return [
    `// Written by "npm run openapi" from ${file}: change the declarations, not this file.\n`,
    ...schemas,
    ...operations.flatMap(inputs),
    `/** Every endpoint by its name. */\nexport interface Endpoints {\n${operations.map(entry).join('')}}\n`,
  ].join('\n')
}

/** `completeTask` and `Query` become `CompleteTaskQuery`. */
export function inputName({ name }: Operation, input: 'Query' | 'Body'): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}${input}`
}

function declared(name: string, schema: Schema, about = schema.description): string {
  const text = schema.properties ? `interface ${name} ${objectText(schema)}` : `type ${name} = ${typeText(schema)}`
  return `${comment(about)}export ${text}\n`
}

function inputs(operation: Operation): string[] {
  const { summary, query, body } = operation
  return [
    ...(query ? [declared(inputName(operation, 'Query'), query, summary)] : []),
    ...(body ? [declared(inputName(operation, 'Body'), body, summary)] : []),
  ]
}

function entry(operation: Operation): string {
  const { name, summary, method, path, params, query, body, answer } = operation
  const fields = {
    method: literal(method),
    path: literal(path),
    params: params.length > 0 ? `{ ${params.map(param => `${param}: string | number`).join('; ')} }` : 'undefined',
    query: query ? inputName(operation, 'Query') : 'undefined',
    body: body ? inputName(operation, 'Body') : 'undefined',
    answer: answer ? typeText(answer, '    ') : 'Blob',
  }
  const lines = Object.entries(fields).map(([key, value]) => `    ${key}: ${value}\n`)
  return `${comment(summary, '  ')}  ${name}: {\n${lines.join('')}  }\n`
}
