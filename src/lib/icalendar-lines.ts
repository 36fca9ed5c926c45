/** A component as it was written: its properties as unfolded lines, and the components within it. */
export interface Component {
  name: string
  lines: string[]
  parts: Component[]
}

/** A property in its parts. Parameters stay as they were written, including quotes. */
export interface Property {
  name: string
  parameters: string[]
  value: string
}

/** No calendar has a reason to nest deeper. */
const MAXIMUM_DEPTH = 10

/** Parses the first component of a text that somebody else wrote; undefined when it is not well formed. */
export function parseComponent(text: string): Component | undefined {
  const open: Component[] = [{ name: '', lines: [], parts: [] }]
  for (const line of unfold(text)) {
    const holder = open.at(-1) as Component
    const [, edge, name] = line.match(/^(BEGIN|END):([\w-]+)\s*$/i) ?? []
    if (edge?.toUpperCase() === 'BEGIN') {
      const component = { name: (name as string).toUpperCase(), lines: [], parts: [] }
      holder.parts.push(component)
      if (open.push(component) > MAXIMUM_DEPTH) return undefined
    } else if (edge) {
      if (open.length === 1 || open.pop()?.name !== name?.toUpperCase()) return undefined
    } else if (line.trim() !== '') holder.lines.push(line)
  }
  return open.length === 1 ? open[0]?.parts[0] : undefined
}

/** A line that begins with a space or a tab continues the one before it. */
function* unfold(text: string): Generator<string> {
  let unfolded: string | undefined
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? text.length : end - (text[end - 1] === '\r' ? 1 : 0))
    if (unfolded !== undefined && (line[0] === ' ' || line[0] === '\t')) unfolded += line.slice(1)
    else {
      if (unfolded !== undefined) yield unfolded
      unfolded = line
    }
    from = end < 0 ? text.length + 1 : end + 1
  }
  if (unfolded !== undefined) yield unfolded
}

export function writeComponent({ name, lines, parts }: Component): string {
  return [`BEGIN:${name}\r\n`, ...lines.map(fold), ...parts.map(writeComponent), `END:${name}\r\n`].join('')
}

export function nameOf(line: string): string {
  return line.slice(0, Math.max(0, line.search(/[;:]/))).toUpperCase()
}

/** The first value of a property, as it was written. */
export function firstValue({ lines }: Component, name: string): string | undefined {
  const line = lines.find(candidate => nameOf(candidate) === name)
  return line && splitLine(line).value
}

/** A colon or a semicolon within quotes is part of a parameter. */
export function splitLine(line: string): Property {
  const pieces: string[] = []
  let [from, at, isQuoted] = [0, 0, false]
  for (; at < line.length && (isQuoted || line[at] !== ':'); at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    else if (line[at] === ';' && !isQuoted) {
      pieces.push(line.slice(from, at))
      from = at + 1
    }
  }
  const [name = '', ...parameters] = [...pieces, line.slice(from, at)]
  return { name: name.toUpperCase(), parameters, value: line.slice(at + 1) }
}

export function joinLine({ name, parameters, value }: Property): string {
  return `${[name, ...parameters].join(';')}:${value}`
}

const LINE_BYTES = 75

/** A line holds 75 bytes, and no character is split. */
function fold(line: string): string {
  const pieces: string[] = []
  let [from, sizeBytes] = [0, 0]
  for (let at = 0; at < line.length; ) {
    const codePoint = line.codePointAt(at) as number
    const bytes = bytesOf(codePoint)
    if (sizeBytes + bytes > LINE_BYTES) {
      pieces.push(line.slice(from, at))
      // The space that it begins with counts.
      ;[from, sizeBytes] = [at, 1]
    }
    sizeBytes += bytes
    at += codePoint > 0xffff ? 2 : 1
  }
  return `${[...pieces, line.slice(from)].join('\r\n ')}\r\n`
}

/** The length of a character in UTF-8. */
function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}
