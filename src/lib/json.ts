const UTF8 = new TextDecoder('utf-8', { fatal: true })

export interface JsonObject {
  fields: Record<string, unknown>
  /** How the numbers at the top were written: 1.0 and 1 are one number, but not one text. */
  numbers: Map<string, string>
}

/**
 * The JSON object in these bytes. Throws a message a caller can act on when they are not UTF-8, not JSON, not an object,
 * or when a key stands twice at the top: JSON.parse would keep the last and lose the first without a word.
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  const text = decode(bytes)
  if (text.trim() === '') return { fields: {}, numbers: new Map() }
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be a JSON object')
  return { fields: value as Record<string, unknown>, numbers: scanTop(text) }
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

/** Walks the keys of the outermost object. The text is known to be valid JSON, so its tokens are enough. */
function scanTop(text: string): Map<string, string> {
  const seen = new Set<string>()
  const numbers = new Map<string, string>()
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*/gs
  let depth = 0
  let before = ''
  let key: string | undefined
  for (const [piece] of text.matchAll(token)) {
    if (piece === '{' || piece === '[') depth++
    else if (piece === '}' || piece === ']') depth--
    else if (piece === ':' && depth === 1) {
      key = JSON.parse(before) as string
      if (seen.has(key)) throw new Error(`has the field ${JSON.stringify(key)} more than once`)
      seen.add(key)
    } else if (before === ':' && depth === 1 && /^[-\d]/.test(piece)) numbers.set(key as string, piece)
    before = piece
  }
  return numbers
}
