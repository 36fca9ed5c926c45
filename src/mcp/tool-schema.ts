import type { Tool } from '@modelcontextprotocol/server'
import type { Json } from '../http/openapi-schemas.ts'

/** What an agent reads before it has called anything: every byte of it is paid for in every conversation. */
const MOST_BYTES = 600
/** A page has the size that fits; days are told in one calendar, and written in either. */
const LEFT_OUT = ['limit', 'offset', 'calendar']
/** What a query says yes and no with. */
const YES_OR_NO = JSON.stringify(['true', 'false', '1', '0'])

/** The input of a tool: what stands in its address, its query and its body in one object, with as many words as fit. */
export function inputSchema(handles: Json, input: Json | undefined): Tool['inputSchema'] {
  const fields = Object.entries((input?.properties ?? {}) as Record<string, Json>)
  const properties: Record<string, Json> = { ...(handles as Record<string, Json>) }
  for (const [name, schema] of fields) if (!LEFT_OUT.includes(name)) properties[name] = schema
  const optional = input?.required === undefined
  const required = [...Object.keys(handles), ...(optional ? [] : (input.required as string[]))]
  const schema = { type: 'object' as const, properties: {} as Json, ...(required.length > 0 && { required }) }
  for (const [name, each] of Object.entries(properties)) schema.properties[name] = compact(each)
  describeWhatFits(schema, properties)
  return schema as Tool['inputSchema']
}

/** In their order, so that what matters most is explained first. */
function describeWhatFits(schema: { properties: Json }, properties: Record<string, Json>): void {
  for (const [name, { description }] of Object.entries(properties)) {
    if (typeof description !== 'string') continue
    const bare = schema.properties[name] as Json
    // What follows a semicolon is for those who read the reference.
    schema.properties[name] = { ...bare, description: description.split(';', 1)[0] }
    if (Buffer.byteLength(JSON.stringify(schema)) > MOST_BYTES) schema.properties[name] = bare
  }
}

/** Without what the endpoint checks anyway and says when it is wrong. */
function compact({ type, format, enum: values, items, properties, required }: Json): Json {
  if (JSON.stringify(values) === YES_OR_NO) return { type: 'boolean' }
  return {
    ...(values ? { enum: values } : { type }),
    ...(format === 'date' && { format }),
    ...(items !== undefined && { items: compact(items as Json) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, Json>).map(([name, each]) => [name, compact(each)]),
      ),
      ...(required !== undefined && { required }),
    }),
  }
}
