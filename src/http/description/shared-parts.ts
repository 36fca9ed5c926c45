import type { Json } from './schemas.ts'

type Kind = 'parameters' | 'requestBodies' | 'responses'

/** A parameter, a body or an answer, where it stands, and what it may be called: the first name that is free. */
interface Part {
  kind: Kind
  holder: Json
  key: string
  names: string[]
}

/** Moves what several operations have in common into components, which are returned, and leaves references in its place. */
export function shareParts(paths: Record<string, Json>): Record<Kind, Json> {
  const operations = Object.values(paths).flatMap(methods => Object.values(methods)) as Json[]
  const parts = operations.flatMap(partsOf).map(part => ({ ...part, text: JSON.stringify(part.holder[part.key]) }))
  const times = new Map<string, number>()
  for (const { text } of parts) times.set(text, (times.get(text) ?? 0) + 1)
  const shared: Record<Kind, Json> = { parameters: {}, requestBodies: {}, responses: {} }
  const known = new Map<string, string>()
  for (const { kind, holder, key, names, text } of parts) {
    if (times.get(text) === 1) continue
    const name = known.get(text) ?? names.find(each => !(each in shared[kind]))
    if (!name) throw new Error(`Two parts of the description would be called ${names.join(' or ')}`)
    known.set(text, name)
    shared[kind][name] = holder[key]
    holder[key] = { $ref: `#/components/${kind}/${name}` }
  }
  return shared
}

function partsOf(operation: Json): Part[] {
  const { requestBody } = operation
  const [parameters, responses] = [operation.parameters, operation.responses] as [Json & { name: string }[], Json]
  const owner = inPascalCase(String(operation.operationId).replace(/InProject$/, ''))
  const answers = Object.keys(responses).filter(status => ['200', '201', '304'].includes(status))
  return [
    ...parameters.map(({ name }, n) => ({
      kind: 'parameters' as const,
      holder: parameters,
      key: String(n),
      names: [inPascalCase(name), `${inPascalCase(name)}Of${owner}`],
    })),
    ...(requestBody
      ? [{ kind: 'requestBodies' as const, holder: operation, key: 'requestBody', names: [`${owner}Body`] }]
      : []),
    ...answers.map(status => ({
      kind: 'responses' as const,
      holder: responses,
      key: status,
      names: [status === '304' ? 'NotModified' : `${owner}Answer`, `${owner}Answer${status}`],
    })),
  ]
}

/** `If-None-Match` and `per_type` become `IfNoneMatch` and `PerType`. */
const inPascalCase = (name: string) =>
  name
    .split(/[-_]/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
