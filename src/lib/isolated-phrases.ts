import { countWords, type Direction } from './base-direction.ts'

const OPEN = { ltr: '\u2066', rtl: '\u2067' }
const CLOSE = '\u2069'

// No two parts of a pattern can match the same character: the time is linear.
const ENCLOSED = /"[^"]+"|“[^“”]+”|«[^«»]+»|\([^()]+\)|\[[^[\]]+\]/g
/** A number with its sign or currency, a telephone number with its groups. */
const SIGNED = /(?<![\p{L}\p{N}])(?:\+\d+(?:[ -]\d+)+|[-+−±$€£¥]\d[\d.,]*(?<![.,]))/gu
/** C++, C#, .NET, @name, #tag. */
const NAMED = /(?<![\p{L}\p{N}])(?:[.@#][a-z][a-z\d]*|[a-z][a-z\d]*[+#]+(?![\p{L}\p{N}]))/giu

/**
 * Text with invisible isolates around what runs against the direction of its paragraph together with its punctuation.
 * By the rules of Unicode alone the punctuation would end up on the other side: `C++` as `++C`, a telephone number with its
 * groups in reverse.
 */
export function isolatePhrases(text: string, direction: Direction): string {
  const enclosed = text.replace(ENCLOSED, whole => {
    const inside = whole.slice(1, -1)
    const { ltr, rtl } = countWords(inside)
    const other = direction === 'rtl' ? ltr > 0 && rtl === 0 : rtl > 0 && ltr === 0
    return other ? `${whole[0]}${isolate(inside, direction === 'rtl' ? 'ltr' : 'rtl')}${whole.at(-1)}` : whole
  })
  if (direction === 'ltr') return enclosed
  return enclosed.replace(SIGNED, number => isolate(number, 'ltr')).replace(NAMED, name => isolate(name, 'ltr'))
}

function isolate(text: string, direction: Direction): string {
  return `${OPEN[direction]}${text}${CLOSE}`
}
