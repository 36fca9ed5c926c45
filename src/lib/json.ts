import { excerpt } from './text.ts'

const NUMBER = /[-+.\deE]+/y
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

export interface JsonObject {
  fields: Record<string, unknown>
  /** How the top-level numbers were written: 1.0 and 1 are the same number, but not the same text. */
  numbers: Map<string, string>
  /** The keys that occur twice in an object of a top-level list. */
  repeated: RepeatedKey[]
}

interface RepeatedKey {
  list: string
  entry: number
  key: string
}

/**
 * The JSON object in these bytes. Throws a message a caller can act on when they are not UTF-8, not JSON, not an object, or
 * when a top-level key occurs twice: JSON.parse would silently keep the last and lose the first.
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  const text = decode(bytes)
  if (text.trim() === '') return { fields: {}, numbers: new Map(), repeated: [] }
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be a JSON object')
  return { fields: value as Record<string, unknown>, ...scanTop(text) }
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    throw new Error('must be valid UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('must be valid JSON')
  }
}

/**
 * Walks the keys of the outermost object, and of the objects in its lists. The text is known to be valid JSON, so looking at a
 * few characters is enough.
 */
function scanTop(text: string): Omit<JsonObject, 'fields'> {
  const seen = new Set<string>()
  const numbers = new Map<string, string>()
  const repeated: RepeatedKey[] = []
  const seenInEntry = new Set<string>()
  let isInList = false
  let entry = 0
  let depth = 0
  let string = ''
  let key: string | undefined
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (character === '"') {
      const end = endOfString(text, at)
      if (depth === 1 || depth === 3) string = text.slice(at, end)
      at = end - 1
    } else if (character === '{' || character === '[') {
      if (depth === 1) {
        isInList = character === '['
        entry = 0
      }
      if (depth === 2) seenInEntry.clear()
      depth++
    } else if (character === '}' || character === ']') depth--
    else if (depth === 2 && character === ',') entry++
    else if (depth === 3 && isInList && character === ':') {
      const inner = JSON.parse(string) as string
      if (seenInEntry.has(inner)) repeated.push({ list: key as string, entry, key: inner })
      seenInEntry.add(inner)
    } else if (depth !== 1) continue
    else if (character === ':') {
      key = JSON.parse(string) as string
      if (seen.has(key)) throw new Error(`has the field ${JSON.stringify(excerpt(key))} more than once`)
      seen.add(key)
    } else if (/[-\d]/.test(character)) {
      NUMBER.lastIndex = at
      const [number = ''] = NUMBER.exec(text) ?? []
      numbers.set(key as string, number)
      at += number.length - 1
    }
  }
  return { numbers, repeated }
}

/** The end of the string that begins at `start`: after the next quote that an even number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return quote + 1
  }
}
