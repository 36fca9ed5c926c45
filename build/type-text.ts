import type { Schema } from './description.ts'

/** A schema as a TypeScript type. */
export function typeText(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.anyOf) return union(schema.anyOf.map(each => typeText(each, indent)))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map(literal))
  return union([schema.type].flat().map(type => typeNamed(type, schema, indent)))
}

function typeNamed(type: string | undefined, schema: Schema, indent: string): string {
  if (type === undefined) return 'unknown'
  if (type === 'object') return objectText(schema, indent)
  if (type === 'array') return arrayOf(schema.items ?? {}, indent)
  if (type === 'integer') return 'number'
  if (['string', 'number', 'boolean', 'null'].includes(type)) return type
  throw new Error(`There is no TypeScript type for ${type}`)
}

export function objectText({ properties, required = [], additionalProperties }: Schema, indent = ''): string {
  if (!properties) {
    const values = typeof additionalProperties === 'object' ? typeText(additionalProperties, indent) : 'unknown'
    return `Record<string, ${values}>`
  }
  const deeper = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = `${/^[a-z_]\w*$/i.test(name) ? name : literal(name)}${required.includes(name) ? '' : '?'}`
    return `${comment(schema.description, deeper)}${deeper}${key}: ${typeText(schema, deeper)}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

/** A comment with its line ending; empty if there is no text. */
export function comment(text: string | undefined, indent = ''): string {
  if (!text) return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n').filter(Boolean)
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map(line => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

function arrayOf(item: Schema, indent = ''): string {
  const isUnion = item.anyOf || item.enum || Array.isArray(item.type)
  return isUnion ? `(${typeText(item, indent)})[]` : `${typeText(item, indent)}[]`
}

const union = (types: string[]) => [...new Set(types)].join(' | ')

export const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : String(value)
