import { isolatePhrases } from '../../lib/isolated-phrases.ts'
import type { BaseFont, FontChooser } from './font-runs.ts'

/** Text of this length without a break fits between the margins of a page. */
const LONGEST_RUN = 40

// Scripts written without spaces can already be broken anywhere.
const RUN = /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u200b])\S)+/gu
// They belong to the character in front of them.
const ATTACHED = /\p{M}|\u200c|\u200d|\u2069|\p{Emoji_Modifier}/u
// They show text in another order than it was written, far beyond their place.
const OVERRIDES = /[\u202a-\u202e]/g
/** What is neither letter nor digit, with the marks on it. */
const SYMBOL = /(?:[^\p{L}\p{Nd}\p{M}]|^)\p{M}*/gu
const ARABIC = /\p{Script=Arabic}/u

export interface TextOptions {
  fonts: FontChooser
  base: BaseFont
  longestRun?: number | undefined
}

/**
 * The only way in which outside text enters Typst source: as a string literal, in which only the backslash and the quotation
 * mark are special.
 */
export function typstString(text: string): string {
  const escaped = text
    .toWellFormed()
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
  return `"${escaped}"`
}

/** Readable text as one expression: a literal, or several where fonts other than the base font are needed. */
export function typstText(text: string, { fonts, base, longestRun = LONGEST_RUN }: TextOptions): string {
  const plain = withoutOverrides(text)
  const ordered = base === 'mono' ? plain : isolatePhrases(plain, base === 'arabic' ? 'rtl' : 'ltr')
  const pieces = fonts(breakable(withArabicSymbols(ordered), longestRun), base).flatMap(run =>
    run.font === undefined ? withPoints(run.text, base) : `in-font(${typstString(run.font)}, ${typstString(run.text)})`,
  )
  if (pieces.length === 1) return pieces[0] as string
  return pieces.length === 0 ? '""' : `{${pieces.join(';')}}`
}

const DECIMAL_POINT = /(?<=\d)\.(?=\d)/

/** The full stop of the Arabic font is a raised dot, which reads as a multiplication between digits. */
function withPoints(text: string, base: BaseFont): string[] {
  const pieces = base === 'arabic' ? text.split(DECIMAL_POINT) : [text]
  return pieces.flatMap((piece, index) => (index === 0 ? [typstString(piece)] : ['point', typstString(piece)]))
}

export function withoutOverrides(text: string): string {
  return text.replace(OVERRIDES, '')
}

/**
 * Typst ends its process when it has to set Arabic symbols together with others from left to right, as `(۞)` in an English
 * sentence. So each is set from right to left by itself, which leaves it where it is.
 */
function withArabicSymbols(text: string): string {
  return text.replace(SYMBOL, symbol => (ARABIC.test(symbol) ? `\u2067${symbol}\u2069` : symbol))
}

/** Adds break opportunities, zero-width spaces, to runs that are too long for a line. */
function breakable(text: string, longestRun: number): string {
  return text.replace(RUN, run => (run.length <= longestRun ? run : inStretches(run, longestRun)))
}

function inStretches(run: string, longest: number): string {
  let length = 0
  let broken = ''
  for (const character of run) {
    if (length >= longest && !ATTACHED.test(character)) {
      broken += '\u200b'
      length = 0
    }
    broken += character
    length++
  }
  return broken
}
