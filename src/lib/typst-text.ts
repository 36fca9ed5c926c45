/** A run of text this long fits between the margins of a page. */
const LONGEST_RUN = 40

// Scripts written without spaces can be broken anywhere as they are.
const RUN = /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u200b])\S)+/gu
// They belong to the character in front of them.
const ATTACHED = /\p{M}|\u200c|\u200d|\u2069|\p{Emoji_Modifier}/u

/** Characters without a direction, or with the other one, that our own fonts do not have: symbols, emoji, rare scripts. */
const STRAY = String.raw`(?=[\u0700-\uffff\u{10000}-\u{10ffff}])(?:\p{RI}{2}|[\p{S}\p{Extended_Pictographic}\p{Cn}\p{Co}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\u{10800}-\u{10fff}\u{1e800}-\u{1edff}])`
const STRAYS = new RegExp(`(?:${STRAY})(?:[\\p{M}\\p{Emoji_Modifier}]|\\u200d\\p{Extended_Pictographic}?)*`, 'gu')

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

/** Text to be read, as a string literal with what Typst needs to set it. None of that is seen or copied. */
export function typstText(text: string, longestRun = LONGEST_RUN): string {
  return typstString(breakable(isolated(text), longestRun))
}

/**
 * With stray characters set apart from the text around them. Typst 0.13 panics on several of them in a row, right to
 * left, when a font of the system has some and not the others.
 */
function isolated(text: string): string {
  return text.replace(STRAYS, '\u2066$&\u2069')
}

/** With places to break, zero-width spaces, in runs that are too long for a line. */
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
