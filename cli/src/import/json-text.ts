import { isRecord } from '../frame/output.ts'

/** A JSON value as the text of a cell. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  if (value === true) return 'yes'
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ')
  if (isRecord(value)) return textOf(value.name ?? value.value)
  return String(value)
}

/** The custom fields of issues and tasks: each comes with its name. */
export function customFields(fields: unknown): [string, string][] {
  if (!Array.isArray(fields)) return []
  return fields.filter(isRecord).map(field => [textOf(field.name), textOf(field.display_value ?? field.value)])
}
