/** What is wrong with a text that should be a JSON object. */
export class JsonFault extends Error {
  constructor(
    readonly problem:
      | 'must be a JSON object'
      | 'must be valid UTF-8'
      | 'must be valid JSON'
      | 'is too large'
      | 'is nested too deeply',
  ) {
    super(problem)
  }
}

/** A key of the outermost object occurs more than once. */
export class RepeatedKey extends Error {
  constructor(readonly key: string) {
    super(`The key ${JSON.stringify(key)} occurs more than once`)
  }
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d]
const NUMBER = /[-+.\deE]+/y
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

export interface JsonObject {
  fields: Record<string, unknown>
  /** How the top-level numbers were written: 1.0 and 1 are the same number, but not the same text. */
  numbers: Map<string, string>
  /** Where a key occurs twice in an object below the outermost one. */
  repeated: JsonPath[]
}

/** The keys and list indexes that lead to a place, outermost first. */
type JsonPath = (string | number)[]

/**
 * The JSON object in these bytes. Throws what is wrong when they are not UTF-8, not JSON, not an object, or
 * when a top-level key occurs twice: JSON.parse would silently keep the last and lose the first.
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  const excess = excessIn(bytes)
  if (excess) throw new JsonFault(excess)
  const text = decode(bytes)
  if (text.trim() === '') return { fields: {}, numbers: new Map(), repeated: [] }
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new JsonFault('must be a JSON object')
  const { numbers, repeated } = scan(text)
  const [key] = repeated.find(path => path.length === 1) ?? []
  if (key !== undefined) throw new RepeatedKey(String(key))
  return { fields: value as Record<string, unknown>, numbers, repeated }
}

/** How the numbers in the object at a path, of at most three keys, were written. The text is valid JSON. */
export function numbersAt(path: string[], text: string): Map<string, string> {
  return scan(text, path).numbers
}

/**
 * Far more than any body of ours has. A key takes a thousand times as long to read as a character: a megabyte of nothing else
 * would keep everybody waiting for a quarter of a second. The first key of an object is counted with its bracket.
 */
const MOST = { keys: 15_000, entries: 40_000, brackets: 120_000, levels: 1_000 }

/** What there is more of than that outside of strings, whatever else is wrong with the text. */
export function excessIn(bytes: Uint8Array): 'is too large' | 'is nested too deeply' | undefined {
  let [keys, entries, brackets, levels] = [0, 0, 0, 0]
  let isAfterComma = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfStringIn(bytes, at)
    else if (byte === COLON) {
      if (isAfterComma) keys++
    } else if (byte === COMMA) {
      entries++
      isAfterComma = true
    } else if (byte === BRACKET || byte === BRACE) {
      brackets++
      if (++levels > MOST.levels) return 'is nested too deeply'
      isAfterComma = false
    } else if (byte === BRACKET_END || byte === BRACE_END) levels--
  }
  return keys > MOST.keys || entries > MOST.entries || brackets > MOST.brackets ? 'is too large' : undefined
}

/** Where the string ends that begins at `start`: its quote, or the end of the text. */
function endOfStringIn(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    throw new JsonFault('must be valid UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonFault('must be valid JSON')
  }
}

/** How deep keys are compared: a key of an object in an entry of a list at the top. */
const DEEPEST = 4

/** An object or list that the walk is in, and where in it. */
interface Level {
  at: string | number
  /** The keys of an object so far. */
  keys: Set<string> | undefined
}

/** Walks the keys of objects. The text is known to be valid JSON, so looking at a few characters is enough. */
function scan(text: string, numbersOf: string[] = []): Omit<JsonObject, 'fields'> {
  const numbers = new Map<string, string>()
  const repeated: JsonPath[] = []
  const levels: Level[] = []
  let depth = 0
  let string = ''
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) continue
    const level = depth === levels.length ? levels.at(-1) : undefined
    if (code === QUOTE) {
      const end = endOfString(text, at)
      if (level?.keys) string = text.slice(at, end)
      at = end - 1
    } else if (code === BRACE || code === BRACKET) {
      if (depth < DEEPEST) levels.push(code === BRACE ? { at: '', keys: new Set() } : { at: 0, keys: undefined })
      depth++
    } else if (code === BRACE_END || code === BRACKET_END) {
      if (level) levels.pop()
      depth--
    } else if (!level) continue
    else if (code === COMMA && typeof level.at === 'number') level.at++
    else if (code === COLON && level.keys) {
      const key = JSON.parse(string) as string
      level.at = key
      if (level.keys.has(key)) repeated.push(levels.map(each => each.at))
      else level.keys.add(key)
    } else if (depth === numbersOf.length + 1 && isStartOfNumber(code) && isWithin(levels, numbersOf)) {
      NUMBER.lastIndex = at
      const [number = ''] = NUMBER.exec(text) ?? []
      numbers.set(level.at as string, number)
      at += number.length - 1
    }
  }
  return { numbers, repeated }
}

const isWithin = (levels: Level[], path: string[]) => path.every((key, n) => levels[n]?.at === key)

/** A body may be nothing else: a pattern for each of them would keep everybody waiting. */
const isBlank = (code: number) => code === 0x20 || (code <= 0x0d && code >= 0x09)

/** A minus or a digit. */
const isStartOfNumber = (code: number) => code === 0x2d || (code >= 0x30 && code <= 0x39)

/** The end of the string that begins at `start`, after its quote. What a backslash precedes is no quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) at += code === BACKSLASH ? 2 : 1
  return at + 1
}
