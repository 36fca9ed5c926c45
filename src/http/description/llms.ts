import { inPlace } from '../../lib/openapi-parts.ts'
import type { Json } from './schemas.ts'

// The description as plain text for language models, by the convention of llmstxt.org: a short list, and everything in one page.

interface Described {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> } & Record<string, Record<string, unknown>>
}

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: { name: string; in: string; description?: string; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema; example?: unknown } } }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Schema {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  items?: Schema
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  format?: string
}

interface Listed extends Operation {
  method: string
  path: string
}

/** Where an endpoint has two addresses, the flat one is enough. */
function endpointsOf({ paths }: Described, tag: string): Listed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId, tags }]) => tags[0] === tag && !operationId.endsWith('InProject'))
      .map(([method, operation]) => ({
        ...operation,
        summary: operation.summary.replace(' (flat address)', ''),
        method: method.toUpperCase(),
        path,
      })),
  )
}

function read(description: Json): Described {
  // The cast holds: it is a description of ours.
  const described = description as Json & Described
  return inPlace(described, described.components)
}

const headOf = ({ info: { title, version } }: Described, address: string) => [
  `# ${title} ${version}`,
  `> Projects, task lists, tasks, discussions, files and calendar events of a company, over JSON. The API is at ${address}, and every request carries \`Authorization: Bearer svc_api_…\`.`,
]

/** What there is, and where to read more. */
export function llmsText(description: Json): string {
  const described = read(description)
  const address = described.servers[0]?.url ?? ''
  const { origin } = new URL(address)
  return paragraphs([
    ...headOf(described, address),
    '## Documents',
    lines([
      `- [Everything in one page](${origin}/llms-full.txt): getting started, errors, limits, every endpoint and every field`,
      `- [OpenAPI description](${origin}/openapi.json): for programs`,
      `- [Reference](${origin}/docs): for people`,
      `- MCP server at ${origin}/mcp: the same as tools, with the same key`,
    ]),
    ...described.tags.flatMap(({ name }) => [
      `## ${name}`,
      lines(endpointsOf(described, name).map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`)),
    ]),
  ])
}

/** All of it: the chapters, every endpoint, and every field of a record. */
export function fullLlmsText(description: Json): string {
  const described = read(description)
  const address = described.servers[0]?.url ?? ''
  return paragraphs([
    ...headOf(described, address),
    described.info.description.replaceAll(/^# /gm, '## '),
    ...described.tags.flatMap(({ name, description: about }) => [
      `## ${name}`,
      about,
      ...endpointsOf(described, name).flatMap(endpointText),
    ]),
    '## Records',
    ...Object.entries(described.components.schemas).flatMap(([name, schema]) => [
      `### ${name}`,
      fieldsOf({ ...schema, required: [] }),
    ]),
  ])
}

function endpointText({ method, path, summary, description, parameters, requestBody, responses }: Listed): string[] {
  const body = requestBody?.content['application/json']
  const asked = parameters.filter(({ in: place }) => place === 'query')
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const shown = Object.values(answer?.[1].content ?? {})[0]?.schema
  return [
    `### ${summary}`,
    `\`${method} ${path}\``,
    description,
    ...(asked.length > 0
      ? [
          'Query:',
          lines(
            asked.map(({ name, description: about, schema }) =>
              field(name, { ...schema, ...(about && { description: about }) }),
            ),
          ),
        ]
      : []),
    ...(body ? ['Body:', fieldsOf(body.schema)] : []),
    ...(body?.example === undefined ? [] : [`\`\`\`json\n${JSON.stringify(body.example)}\n\`\`\``]),
    ...(shown ? [`Answers ${answer?.[0]} with ${typeOf(shown)}.`] : []),
  ]
}

function fieldsOf({ properties = {}, required = [] }: Schema): string {
  return lines(Object.entries(properties).map(([name, schema]) => field(name, schema, required.includes(name))))
}

function field(name: string, schema: Schema, isRequired = false): string {
  const about = schema.description ? `: ${schema.description.replaceAll('\n', ' ')}` : ''
  return `- \`${name}\` (${typeOf(schema)}${isRequired ? ', required' : ''})${about}`
}

/** `string or null`, `Task`, `list of Task` */
function typeOf({ $ref, type, anyOf, items, enum: values, properties, format }: Schema): string {
  if ($ref) return $ref.split('/').at(-1) ?? ''
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (values) return values.map(value => JSON.stringify(value)).join(' | ')
  if (properties)
    return `{${Object.entries(properties)
      .map(([name, each]) => `${name}: ${typeOf(each)}`)
      .join(', ')}}`
  const types = [type ?? 'any'].flat().map(each => (each === 'array' && items ? `list of ${typeOf(items)}` : each))
  return types.join(' or ') + (format && format !== 'int64' ? ` (${format})` : '')
}

const lines = (texts: string[]) => texts.join('\n')
const paragraphs = (texts: string[]) => `${texts.filter(Boolean).join('\n\n')}\n`
