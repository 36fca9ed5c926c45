const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON object in these bytes. Throws a message a caller can act on when they are not UTF-8, not JSON, not an object,
 * or when a key stands twice at the top: JSON.parse would keep the last and lose the first without a word.
 */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> {
  const text = decode(bytes)
  if (text.trim() === '') return {}
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be a JSON object')
  const twice = repeatedKey(text)
  if (twice !== undefined) throw new Error(`has the field ${JSON.stringify(twice)} more than once`)
  return value as Record<string, unknown>
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

/** The first key that the outermost object holds twice. The text is known to be valid JSON, so tokens are enough. */
function repeatedKey(text: string): string | undefined {
  const seen = new Set<string>()
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs
  let depth = 0
  let last = ''
  for (const [piece] of text.matchAll(token)) {
    if (piece === '{' || piece === '[') depth++
    else if (piece === '}' || piece === ']') depth--
    else if (piece === ':' && depth === 1) {
      const key = JSON.parse(last) as string
      if (seen.has(key)) return key
      seen.add(key)
    }
    last = piece
  }
  return undefined
}
