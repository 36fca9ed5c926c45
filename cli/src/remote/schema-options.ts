import type { Option, Options } from '../frame/command.ts'
import type { JsonSchema } from './description.ts'

/** An option, and where its value goes in the body or the query. */
interface Field {
  name: string
  path: string[]
  option: Option
}

/** Every field as an option: `time_zone` is `--time-zone`, and the `name` within `owner` is `--owner-name`. */
export function fieldsOf(schema: JsonSchema | undefined, verb: string, within: string[] = []): Field[] {
  const { properties = {}, required = [] } = schema ?? {}
  return Object.entries(properties).flatMap(([field, inner]) => {
    const path = [...within, field]
    if (inner.properties) return fieldsOf(inner, verb, path)
    const name = path.join('-').replaceAll('_', '-')
    return [{ name, path, option: optionOf(inner, required.includes(field), `${verb} ${path.join('.')}`) }]
  })
}

function optionOf(schema: JsonSchema, isRequired: boolean, plainHelp: string): Option {
  const types = [schema.type].flat()
  const help = schema.description?.replaceAll('`', '') ?? plainHelp
  if (types.includes('boolean')) return { type: 'flag', help, isSwitch: true }
  const facts = { help, ...(isRequired && { isRequired: true as const }) }
  const isNullable = types.includes('null')
  if (types.includes('array')) return { type: 'list', ...facts, ...choicesOf(schema.items) }
  if (types.includes('integer')) {
    const { minimum, maximum } = schema
    return {
      type: 'number',
      ...facts,
      isNullable,
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
    }
  }
  return { type: 'text', ...facts, isNullable, ...choicesOf(schema) }
}

function choicesOf(schema: JsonSchema | undefined): { choices?: string[] } {
  const choices = schema?.enum?.filter(value => typeof value === 'string')
  return choices && choices.length > 0 ? { choices } : {}
}

export function optionsOf(fields: Field[]): Options {
  return Object.fromEntries(fields.map(({ name, option }) => [name, option]))
}

/** The object that a schema describes, from the options that were given. */
export function valuesOf(fields: Field[], options: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { name, path } of fields) {
    if (!Object.hasOwn(options, name)) continue
    const last = path.at(-1) as string
    const parent = path.slice(0, -1).reduce<Record<string, unknown>>((object, key) => {
      object[key] ??= {}
      return object[key] as Record<string, unknown>
    }, values)
    parent[last] = options[name]
  }
  return values
}
