import type { Tool } from '@modelcontextprotocol/server'
import type { Json } from '../http/description/schemas.ts'

/** An agent reads the schema before it calls anything: every byte of it is paid for in every conversation. */
const MOST_BYTES = 600
/**
 * Agents are not offered these: the page size is chosen so that the answer fits, and days are read and shown in the Gregorian
 * calendar.
 */
const isOffered = (name: string) => !['limit', 'offset', 'calendar'].includes(name) && !name.endsWith('_hijri')

/** The input of a tool: the parameters of its address, its query and its body in one object, with as many descriptions as fit. */
export function inputSchema(handles: Json, input: Json | undefined): Tool['inputSchema'] {
  const fields = Object.entries((input?.properties ?? {}) as Record<string, Json>)
  const properties: Record<string, Json> = { ...(handles as Record<string, Json>) }
  for (const [name, schema] of fields) if (isOffered(name)) properties[name] = schema
  const optional = input?.required === undefined
  const required = [...Object.keys(handles), ...(optional ? [] : (input.required as string[]))]
  const schema = { type: 'object' as const, properties: {} as Json, ...(required.length > 0 && { required }) }
  for (const [name, each] of Object.entries(properties)) schema.properties[name] = compact(each)
  describeWhatFits(schema, properties)
  return schema as Tool['inputSchema']
}

/** In their order, so that the most important fields are described first. */
function describeWhatFits(schema: { properties: Json }, properties: Record<string, Json>): void {
  for (const [name, { description }] of Object.entries(properties)) {
    if (typeof description !== 'string') continue
    const bare = schema.properties[name] as Json
    // The part after a semicolon is for readers of the reference.
    schema.properties[name] = { ...bare, description: description.split(';', 1)[0] }
    if (Buffer.byteLength(JSON.stringify(schema)) > MOST_BYTES) schema.properties[name] = bare
  }
}

/** Leaves out what the endpoint checks and reports anyway. */
function compact({ type, format, enum: values, items, maxItems, properties, required }: Json): Json {
  return {
    ...(values ? { enum: values } : { type }),
    ...((format === 'date' || format === 'date-time') && { format }),
    ...(items !== undefined && { items: compact(items as Json), ...(maxItems !== undefined && { maxItems }) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, Json>)
          .filter(([name]) => isOffered(name))
          .map(([name, each]) => [name, compact(each)]),
      ),
      ...(required !== undefined && { required }),
    }),
  }
}
