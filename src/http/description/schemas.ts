import type { TSchema } from 'typebox'

export type Json = Record<string, unknown>

/** What a schema says only to those of ours who read bodies and queries and write answers. */
const FOR_READERS = ['numberAsText', 'notBlank', 'mustBe', 'visible', 'isKey', 'isSentence']

/**
 * A schema as the description shows it. Schemas with a title become components, so that clients get named types. A component
 * says what the thing is, and never whether it may be null: the place that refers to it says that.
 */
export function named(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map(each => named(each, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: Json = {}
  for (const [key, value] of Object.entries(schema)) {
    if (!FOR_READERS.includes(key)) copy[key] = key === 'examples' ? value : named(value, components)
  }
  // Without it, generators take ids for numbers of 32 bits.
  if (typesOf(copy).includes('integer')) copy.format = 'int64'
  if ('numberAsText' in schema) copy.type = ['string', 'number', ...typesOf(copy).filter(type => type !== 'string')]
  if (typeof copy.title !== 'string') return copy
  const types = typesOf(copy).filter(type => type !== 'null')
  const type = types.length === 1 ? types[0] : types
  const isNullable = typesOf(copy).includes('null')
  if (!Array.isArray(copy.enum)) return place(component(copy.title, { ...copy, type }, components), isNullable)
  // The description of an enum also belongs to the place that refers to it.
  const { description, ...choice } = copy
  const values = copy.enum.filter(value => value !== null)
  const reference = component(copy.title, { ...choice, type, enum: values }, components)
  return { ...place(reference, isNullable), ...(description !== undefined && { description }) }
}

const place = (reference: Json, isNullable: boolean): Json =>
  isNullable ? { anyOf: [reference, { type: 'null' }] } : reference

const typesOf = ({ type }: Json): unknown[] => [type].flat()

function component(title: string, schema: Json, components: Json): Json {
  components[title] ??= schema
  if (JSON.stringify(components[title]) !== JSON.stringify(schema))
    throw new Error(`Two schemas have the title ${title}: give one of them another`)
  return { $ref: `#/components/schemas/${title}` }
}

export function exampleOf(schema: TSchema | Json): unknown {
  const { examples, default: fallback, const: fixed, enum: values, properties, items, format, anyOf } = schema as Json
  if (Array.isArray(examples)) return examples[0]
  if (fallback !== undefined) return fallback
  if (fixed !== undefined) return fixed
  if (Array.isArray(values)) return values[0]
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0])
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, exampleOf(each as Json)]))
  }
  if (items) return [exampleOf(items as Json)]
  const [type] = typesOf(schema as Json)
  if (type === 'integer') return 1
  if (type === 'boolean') return true
  return FORMAT_EXAMPLES[format as string] ?? 'text'
}

const FORMAT_EXAMPLES: Record<string, string> = {
  date: '2026-11-15',
  'date-time': '2026-11-15T08:30:00.000Z',
  email: 'layla@example.com',
}
