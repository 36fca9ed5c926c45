import { join } from 'node:path'
import {
  type CallExpression,
  isCallExpression,
  isPropertyAccessExpression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast'
import {
  API,
  type Checker,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
  type UnionOrIntersectionType,
} from 'typescript/unstable/sync'

const ROOT = join(import.meta.dirname, '..')

/** A field of a row as its type declares it. */
interface DeclaredField {
  optional: boolean
  kinds: Set<string>
}

type Row = Map<string, DeclaredField>

/** Reads the type of row that a call declares, such as `T` of `db.one<T>(…)`. */
export function openRowTypes() {
  const api = new API({ cwd: ROOT })
  const config = join(ROOT, 'tsconfig.json')
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
  if (!project) throw new Error(`${config} could not be opened`)
  const { checker, program } = project
  const known = new Map<string, Row>()

  /** Where the innermost place is in a helper that leaves the type open, the next one says what it is. */
  function at(places: string[]): Row {
    const key = places.join(' ')
    const row = known.get(key) ?? read(places)
    known.set(key, row)
    return row
  }

  function read([place, ...outer]: string[]): Row {
    const call = place && callAt(place)
    const type = call && rowOf(checker, call)
    const row: Row = new Map()
    for (const part of type ? partsOf(type) : []) {
      const fields = part.flags & TypeFlags.TypeParameter ? at(outer) : fieldsOf(checker, part)
      for (const [name, field] of fields) row.set(name, field)
    }
    return row
  }

  function callAt(place: string): CallExpression | undefined {
    const [file = '', line = '', column = ''] = place.split(':')
    const source = program.getSourceFile(join(ROOT, file))
    return source && findCall(source, offsetOf(source.text, Number(line), Number(column)))
  }

  return { at, close: () => api.close() }
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0
  for (let n = 1; n < line; n++) start = text.indexOf('\n', start) + 1
  return start + column - 1
}

/** The call whose name begins at a position; or, where the caller waited for it, the first one behind the position. */
function findCall(source: SourceFile, position: number): CallExpression | undefined {
  let found: { call: CallExpression; start: number } | undefined
  const visit = (node: Node): void => {
    if (isCallExpression(node)) {
      const start = nameStart(source, node)
      if (start >= position && (!found || start < found.start)) found = { call: node, start }
    }
    node.forEachChild(child => {
      visit(child)
      return undefined
    })
  }
  visit(source)
  return found && found.start - position < 80 ? found.call : undefined
}

function nameStart(source: SourceFile, { expression }: CallExpression): number {
  const name = isPropertyAccessExpression(expression) ? expression.name : expression
  return name.pos + (/^\s*/.exec(source.text.slice(name.pos, name.end))?.[0].length ?? 0)
}

/** The row in what a call returns: `Promise<Row>`, `Promise<Row[]>`, `AsyncGenerator<Row>` or a page of rows. */
function rowOf(checker: Checker, call: CallExpression): Type | undefined {
  const signature = checker.getResolvedSignature(call)
  let type = signature && checker.getReturnTypeOfSignature(signature)
  for (let depth = 0; type && depth < 4; depth++) {
    const symbol = type.getSymbol()?.name
    const data =
      symbol === '__object' && checker.getPropertyOfType(type, 'meta')
        ? checker.getPropertyOfType(type, 'data')
        : undefined
    if (symbol === 'Promise' || symbol === 'AsyncGenerator' || symbol === 'Array')
      type = checker.getTypeArguments(type as TypeReference)[0]
    else if (data) type = checker.getTypeOfSymbol(data)
    else if (type.flags & TypeFlags.Union) {
      const [only, ...more]: Type[] = (type as UnionOrIntersectionType)
        .getTypes()
        .filter(part => !(part.flags & (TypeFlags.Undefined | TypeFlags.Null)))
      if (more.length > 0) return type
      type = only
    } else return type
  }
  return type
}

function partsOf(type: Type): readonly Type[] {
  return type.flags & TypeFlags.Intersection ? (type as UnionOrIntersectionType).getTypes() : [type]
}

function fieldsOf(checker: Checker, type: Type): Row {
  if (!(type.flags & TypeFlags.Object)) return new Map()
  return new Map(
    checker.getPropertiesOfType(type).map(property => {
      const declared = checker.getTypeOfSymbol(property)
      const kinds = new Set(declared ? kindsOf(declared) : [])
      const isAny = kinds.has('anything')
      return [
        property.name,
        { optional: isAny || (property.flags & SymbolFlags.Optional) !== 0, kinds: isAny ? ANYTHING : kinds },
      ]
    }),
  )
}

const ANYTHING = new Set(['string', 'number', 'boolean', 'object'])

function kindsOf(type: Type): string[] {
  const { flags } = type
  if (flags & TypeFlags.Boolean) return ['boolean']
  if (flags & TypeFlags.Union) return (type as UnionOrIntersectionType).getTypes().flatMap(kindsOf)
  if (flags & (TypeFlags.Undefined | TypeFlags.Null)) return []
  if (flags & TypeFlags.StringLike) return ['string']
  if (flags & TypeFlags.NumberLike) return ['number']
  if (flags & TypeFlags.BooleanLike) return ['boolean']
  if (flags & TypeFlags.Object) return ['object']
  return ['anything']
}
