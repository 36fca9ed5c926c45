import { itemOf, kindOf } from './client-resources.ts'
import { type Description, jsonOf, type Operation, operationsOf, type Schema } from './description.ts'
import { capitalized, classText, type Declared, pythonType } from './python-text.ts'

/**
 * The types of the Python client as one module: every named schema, what the answers of the endpoints are besides, what their
 * bodies hold in lists, and the messages that webhooks receive.
 */
export function pythonTypesFrom(description: Description, file: string): string {
  const classes: Declared[] = []
  for (const [name, schema] of Object.entries(description.components.schemas))
    classes.push({ name, text: classText(name, schema, 'given', classes) })
  for (const operation of operationsOf(description)) {
    answerType(operation, classes)
    for (const [name, schema] of Object.entries(inputOf(operation))) inputType(operation, name, schema, classes)
  }
  const messages = webhooks(description, classes)
  requireOneMeaning(classes)
  return [
    `# Written by "npm run openapi" from ${file}: change the declarations, not this file.`,
    '"""The records of the API and the answers of its endpoints. At run time they are dicts."""\n',
    'from __future__ import annotations\n',
    'from datetime import date',
    'from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union\n',
    `__all__ = [\n${[...classes.map(({ name }) => name), 'Webhook'].map(name => `    "${name}",\n`).join('')}]\n`,
    ...classes.map(({ text }) => `\n${text}`),
    `\nWebhook = Union[\n${messages.map(name => `    ${name},\n`).join('')}]`,
    '"""A message that a webhook receives: its `type` tells which record `data` is."""\n',
  ].join('\n')
}

/** What a method of the client returns, as a type. Adds the classes that it needs. */
export function answerType(operation: Operation, classes: Declared[]): string {
  const { answer } = operation
  const name = capitalized(operation.name)
  const kind = kindOf(operation)
  if (!answer || kind === 'bytes') return 'bytes'
  if (kind === 'answer') return pythonType(answer, `${name}Answer`, 'given', classes)
  if (kind === 'data') return pythonType(answer.properties?.data ?? {}, `${name}Data`, 'given', classes)
  const item = pythonType(itemOf(operation), `${name}Item`, 'given', classes)
  return `Pages[${item}, ${pythonType(answer, `${name}Page`, 'given', classes)}]`
}

/** The type of a field that a method takes. Adds the classes that it needs. */
export function inputType(operation: Operation, field: string, schema: Schema, classes: Declared[]): string {
  return pythonType(schema, capitalized(operation.name) + capitalized(field), 'taken', classes)
}

export const inputOf = ({ query, body }: Operation): Record<string, Schema> => (query ?? body)?.properties ?? {}

/** Adds a class for the message of each kind, and gives their names. */
function webhooks(description: Description, classes: Declared[]): string[] {
  return Object.entries(description.webhooks ?? {}).map(([kind, { post }]) => {
    const name = `${capitalized(kind)}Webhook`
    classes.push({ name, text: classText(name, jsonOf(post.requestBody) ?? {}, 'given', classes, post.summary) })
    return name
  })
}

function requireOneMeaning(classes: Declared[]): void {
  const names = classes.map(({ name }) => name)
  const twice = names.filter((name, n) => names.indexOf(name) !== n)
  if (twice.length > 0) throw new Error(`Two types of the Python client would be ${twice.join(', ')}`)
}
