import type { Schema } from './description.ts'

/** Where a value goes decides how wide its type is: what a program gives may be any sequence, what it gets is a list. */
export type Way = 'given' | 'taken'

/** A class that has to be declared because a type names it. */
export interface Declared {
  name: string
  text: string
}

/** A schema as a Python type. Objects become classes, which are added to `classes` under names made from `name`. */
export function pythonType(schema: Schema, name: string, way: Way, classes: Declared[]): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.anyOf) return union(schema.anyOf.map(each => pythonType(each, name, way, classes)))
  if (schema.const !== undefined) return `Literal[${pythonValue(schema.const)}]`
  if (schema.enum) {
    const values = schema.enum.filter(value => value !== null).map(pythonValue)
    return union([`Literal[${values.join(', ')}]`, ...(schema.enum.includes(null) ? ['None'] : [])])
  }
  return union([schema.type].flat().map(type => typeNamed(type, schema, name, way, classes)))
}

function typeNamed(type: string | undefined, schema: Schema, name: string, way: Way, classes: Declared[]): string {
  if (type === 'object') return objectType(schema, name, way, classes)
  if (type === 'array') {
    const item = pythonType(schema.items ?? {}, name.replace(/s$/, ''), way, classes)
    return way === 'taken' ? `Sequence[${item}]` : `List[${item}]`
  }
  if (type === 'string' && way === 'taken' && schema.format === 'date') return 'Union[str, date]'
  const plain = PLAIN[type ?? '']
  if (!plain) throw new Error(`There is no Python type for ${type}`)
  return plain
}

const PLAIN: Record<string, string> = {
  '': 'Any',
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

function objectType(schema: Schema, name: string, way: Way, classes: Declared[]): string {
  if (schema.properties) {
    classes.push({ name, text: classText(name, schema, way, classes) })
    return name
  }
  const { additionalProperties: values } = schema
  const value = typeof values === 'object' ? pythonType(values, name, way, classes) : 'Any'
  return way === 'taken' ? `Mapping[str, ${value}]` : `Dict[str, ${value}]`
}

/** Python 3.9 has no word for a single field that may be missing: these are in a class of their own. */
export function classText(name: string, schema: Schema, way: Way, classes: Declared[], about?: string): string {
  const { properties = {}, required = [] } = schema
  const field = ([key, value]: [string, Schema]) => {
    if (pythonName(key) !== key) throw new Error(`${name}.${key} cannot be a field of a class in Python`)
    const type = pythonType(value, `${name}${capitalized(key)}`, way, classes)
    return `    ${key}: ${type}\n${docstring([value.description], '    ')}`
  }
  const fields = Object.entries(properties)
  const always = fields.filter(([key]) => required.includes(key)).map(field)
  const sometimes = fields.filter(([key]) => !required.includes(key)).map(field)
  const doc = docstring([about ?? schema.description], '    ')
  if (sometimes.length === 0) return `class ${name}(TypedDict):\n${doc}${always.join('')}`
  if (always.length === 0) return `class ${name}(TypedDict, total=False):\n${doc}${sometimes.join('')}`
  return `class _${name}(TypedDict):\n${always.join('')}\n\nclass ${name}(_${name}, total=False):\n${doc}${sometimes.join('')}`
}

/** `Union[str, None]` is written the way people do. */
export function union(types: string[]): string {
  const parts = [...new Set(types.flatMap(type => /^Union\[([^[\]]+)\]$/.exec(type)?.[1]?.split(', ') ?? [type]))]
  if (parts.length === 1) return parts[0] ?? ''
  const others = parts.filter(part => part !== 'None')
  return others.length === 1 && others.length < parts.length ? `Optional[${others[0]}]` : `Union[${parts.join(', ')}]`
}

const WIDTH = 100

/** A docstring with its line ending; empty if there is no text. */
export function docstring(paragraphs: (string | undefined)[], indent: string): string {
  const lines = paragraphs.filter(Boolean).flatMap((text, n) => [
    ...(n > 0 ? [''] : []),
    ...String(text)
      .split('\n')
      .flatMap(line => wrapped(line, WIDTH - indent.length)),
  ])
  if (lines.length === 0) return ''
  const text = lines.map(line => (line ? indent + line : '')).join('\n')
  const safe = text.trimStart().replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  const isLong = lines.length > 1 || safe.endsWith('"')
  return `${indent}"""${safe}${isLong ? `\n${indent}` : ''}"""\n`
}

/** Lines of at most so many characters. If the text is indented, the lines after the first are indented more. */
function wrapped(text: string, width: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? ''
  const [first = '', ...words] = text.trim().split(' ')
  const lines = [indent + first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(indent + indent + word)
  }
  return lines
}

const KEYWORDS =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  )

/** `createList` becomes `create_list`, and `from`, which Python keeps for itself, `from_`. */
export function pythonName(name: string): string {
  const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  if (!/^[a-z]\w*$/.test(snake)) throw new Error(`${name} cannot be a name in Python`)
  return KEYWORDS.includes(snake) ? `${snake}_` : snake
}

/** `task_list` becomes `TaskList`. */
export function capitalized(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function pythonValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : JSON.stringify(value)
}
