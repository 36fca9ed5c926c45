import { methodPath } from '../src/http/description/method-names.ts'
import { kindOf, requireOwnNames } from './client-resources.ts'
import { type Description, type Operation, operationsOf, type Schema } from './description.ts'
import { capitalized, docstring, pythonName, pythonValue, union } from './python-text.ts'
import { answerType, inputOf, inputType } from './python-types.ts'

/** The methods of the Python client as one module: a class for each resource, and one that has them all. */
export function pythonResourcesFrom(description: Description, file: string): string {
  const operations = operationsOf(description)
  requireOwnNames(operations)
  const resourceOf = (operation: Operation) =>
    methodPath(operation).length > 1 ? (methodPath(operation)[0] ?? '') : ''
  const resources = [...new Set(operations.map(resourceOf))].filter(Boolean)
  const methodsOf = (resource: string) =>
    operations
      .filter(operation => resourceOf(operation) === resource)
      .map(method)
      .join('\n')
  const classes = resources.map(resource => `class ${capitalized(resource)}:\n${CONSTRUCTOR}\n${methodsOf(resource)}`)
  const bound = resources.map(resource => `        self.${resource} = ${capitalized(resource)}(calls)\n`).join('')
  const all = `class Resources:\n${CONSTRUCTOR}${bound}\n${methodsOf('')}`
  const text = [...classes, all].join('\n\n')
  return [
    `# Written by "npm run openapi" from ${file}: change the declarations, not this file.`,
    '"""The methods of the client, one for every endpoint."""\n',
    'from __future__ import annotations\n',
    'from datetime import date',
    'from typing import List, Literal, Mapping, Optional, Sequence, Union, cast\n',
    'from ._calls import NOT_GIVEN, Calls, IfMatch, NotGiven, Options, Ref, segment',
    'from ._pages import Pages',
    'from ._sender import OnAnswer',
    `from .types import (\n${namesUsed(operations)
      .map(name => `    ${name},\n`)
      .join('')})\n`,
    `PREFIX = ${pythonValue(new URL(description.servers[0]?.url ?? '').pathname)}\n\n`,
    text,
  ].join('\n')
}

const CONSTRUCTOR = '    def __init__(self, calls: Calls) -> None:\n        self._calls = calls\n'

const OPTIONS = {
  if_match: 'Optional[IfMatch]',
  idempotency_key: 'Optional[str]',
  timeout: 'Optional[float]',
  on_answer: 'Optional[OnAnswer]',
}

function method(operation: Operation): string {
  const name = pythonName(methodPath(operation).at(-1) ?? '')
  const handles = operation.params.map(param => `        ${pythonName(param)}: Ref,\n`)
  const keywords = [
    ...fieldsOf(operation).map(field => keyword(operation, field)),
    ...optionsOf(operation).map(option => `        ${option}: ${OPTIONS[option]} = None,\n`),
  ]
  const head = `        self,\n${handles.join('')}        *,\n${keywords.join('')}`
  return `    def ${name}(\n${head}    ) -> ${answerType(operation, [])}:\n${doc(operation)}${sending(operation)}`
}

/** What is in the address need not be repeated in the body. */
function fieldsOf(operation: Operation): [string, Schema][] {
  const fields = Object.entries(inputOf(operation)).filter(([field]) => !operation.params.includes(field))
  const wrong = fields.find(([field]) => field in OPTIONS)
  if (wrong) throw new Error(`${operation.name} has a field ${wrong[0]}, which is an option of every method`)
  return [...fields.filter(isRequired(operation)), ...fields.filter(field => !isRequired(operation)(field))]
}

const isRequired =
  ({ query, body }: Operation) =>
  ([field]: [string, Schema]) =>
    ((query ?? body)?.required ?? []).includes(field)

/** In a body, null and what is left out differ; in a query there is no null. */
function keyword(operation: Operation, [field, schema]: [string, Schema]): string {
  const type = inputType(operation, field, schema, [])
  const start = `        ${pythonName(field)}: `
  if (isRequired(operation)([field, schema])) return `${start}${type},\n`
  if (operation.query) return `${start}${union([...apart(type), 'None'])} = None,\n`
  return `${start}${union([...apart(type), 'NotGiven'])} = NOT_GIVEN,\n`
}

/** `Optional[str]` is one of two types. */
function apart(type: string): string[] {
  const [, inner] = /^Optional\[(.+)\]$/.exec(type) ?? []
  return inner ? [inner, 'None'] : [type]
}

function optionsOf({ method, isConditional }: Operation): (keyof typeof OPTIONS)[] {
  const isNamed = method === 'POST' || method === 'PUT'
  return [
    ...(isConditional ? (['if_match'] as const) : []),
    ...(isNamed ? (['idempotency_key'] as const) : []),
    'timeout',
    'on_answer',
  ]
}

function doc(operation: Operation): string {
  const described = fieldsOf(operation).filter(([, { description }]) => description)
  const fields = described.map(([field, { description }]) => `  ${pythonName(field)}: ${description}`)
  const about = operation.description.split('\n\n')
  return docstring([operation.summary, ...about, fields.join('\n')], '        ')
}

/** The call of the shared function that sends it. */
function sending(operation: Operation): string {
  const { method, params, path, query, body } = operation
  const kind = kindOf(operation)
  const address = params.length
    ? `f"${path.replace(/\{(\w+)\}/g, (_, name: string) => `{segment('${name}', ${pythonName(name)})}`)}"`
    : pythonValue(path)
  const fields = fieldsOf(operation).map(([field]) => `                ${pythonValue(field)}: ${pythonName(field)},\n`)
  const input = query || body ? `            {\n${fields.join('')}            },\n` : '            None,\n'
  const options = optionsOf(operation).map(option => `${option}=${option}`)
  const call = `self._calls.${kind}(\n            ${pythonValue(method)},\n            ${address},\n${input}            Options(${options.join(', ')}),\n        )`
  const isTyped = kind === 'pages' || kind === 'bytes'
  return `        ${isTyped ? `return ${call}` : `answer = ${call}\n        return cast(${pythonValue(answerType(operation, []))}, answer)`}\n`
}

/** The classes that the signatures name. */
function namesUsed(operations: Operation[]): string[] {
  const types = operations.flatMap(operation => [
    answerType(operation, []),
    ...fieldsOf(operation).map(([field, schema]) => inputType(operation, field, schema, [])),
  ])
  const names = types.flatMap(type => type.replaceAll(/"[^"]*"/g, '').match(/\w+/g) ?? [])
  const known = new Set(
    'Any Dict List Literal Mapping Optional Sequence Union Pages str int float bool bytes date None'.split(' '),
  )
  return [...new Set(names)].filter(name => !known.has(name)).sort()
}
