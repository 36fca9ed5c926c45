const JSON_TYPE = 'application/json'
/** Longer headers are not read: nobody lists that many media types. */
const LONGEST = 4_000

interface MediaRange {
  type: string
  weight: number
}

/**
 * True when an `Accept` header prefers this media type to JSON, by the rules of RFC 9110. Of two with the same weight, the one
 * that is named first is meant; JSON where neither is named.
 */
export function isPreferred(type: string, accept = ''): boolean {
  if (accept.length > LONGEST) return false
  const ranges = accept.split(',').map(readRange)
  const [weight, ofJson] = [weightOf(type, ranges), weightOf(JSON_TYPE, ranges)]
  if (weight !== ofJson) return weight > ofJson
  return weight > 0 && ranges.find(range => range.type === type || range.type === JSON_TYPE)?.type === type
}

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase())
  const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2)
  return { type, weight: weight !== undefined && /^[01](?:\.\d{0,3})?$/.test(weight) ? Number(weight) : 1 }
}

/** The most specific range that includes the type decides. */
function weightOf(type: string, ranges: MediaRange[]): number {
  const including = [type, type.replace(/\/.*/, '/*'), '*/*']
  return including.map(name => ranges.find(range => range.type === name)).find(range => range)?.weight ?? 0
}
