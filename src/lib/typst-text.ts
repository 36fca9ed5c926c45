/** A run of text this long fits between the margins of a page. */
const LONGEST_RUN = 40

// Scripts written without spaces can be broken anywhere as they are.
const RUN = /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u200b])\S)+/gu
// They belong to the character in front of them.
const ATTACHED = /\p{M}|\u200c|\u200d/u

/**
 * The one way in which text from outside enters Typst source: as a string literal, in which nothing but the backslash
 * and the quotation mark has a meaning.
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

/** The text with places to break, zero-width spaces, in runs that are too long for a line. */
export function breakable(text: string, longestRun = LONGEST_RUN): string {
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
