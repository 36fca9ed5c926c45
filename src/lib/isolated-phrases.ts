import { countWords, type Direction } from './base-direction.ts'

const OPEN = { ltr: '\u2066', rtl: '\u2067' }
const CLOSE = '\u2069'

// No two parts of a pattern can match the same character, so matching takes linear time.
const ENCLOSED = /"[^"]+"|“[^“”]+”|«[^«»]+»|\([^()]+\)|\[[^[\]]+\]/g
/** Words without a letter that runs from right to left, up to the next quotation mark or bracket; or what is isolated already. */
const PHRASE =
  /\u2066[^\u2066\u2069]*\u2069|(?<=^|[\s("“«[])[^\s"“”«»()[\]،؛؟\u0590-\u08ff\ufb1d-\ufefc\u2066-\u2069]+(?: +[^\s"“”«»()[\]،؛؟\u0590-\u08ff\ufb1d-\ufefc\u2066-\u2069]+)*/gu
const LETTER = /\p{L}/u
/** A number with a symbol and then a letter behind it is torn apart: the letters come before the number. */
const WHOLE_BEGINNING = /^(?:\p{L}|\p{N}+(?:[\p{L}\s]|$))/u
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
/** A telephone number or a date: three or more groups of digits. Two are a range, which is read like the text around it. */
const GROUPS = /(?<!\S)\d+(?:[-/ ]\d+){2,}/g
const ARABIC_GROUPS = /\u2066[^\u2066\u2069]*\u2069|(?<![^\s("“«[])[٠-٩]+(?:[-/ ][٠-٩]+){2,}/g
const SIGNED_NUMBER = /^[-+−±$€£¥]\d/
const SENTENCE_END = '.,:;!?…'

/**
 * Text with invisible isolates around phrases that run against the direction of their paragraph, with their punctuation. By the
 * rules of Unicode alone the punctuation would end up on the other side: `C++` as `++C`, a telephone number with its groups in
 * reverse.
 */
export function isolatePhrases(text: string, direction: Direction): string {
  const other = direction === 'rtl' ? 'ltr' : 'rtl'
  const enclosed = text.replace(ENCLOSED, whole => {
    const inside = whole.slice(1, -1)
    const words = countWords(inside)
    const isOther = words[other] > 0 && words[direction] === 0 && !isWhole(inside)
    return isOther ? `${whole[0]}${isolate(inside, other)}${whole.at(-1)}` : whole
  })
  return direction === 'ltr' ? enclosed : isolateGroups(enclosed.replace(PHRASE, isolateLatin), ARABIC_GROUPS)
}

function isolateGroups(text: string, groups: RegExp): string {
  return text.replace(groups, group => (isIsolated(group) ? group : isolate(group, 'ltr')))
}

/** Isolates a phrase that begins or ends with a symbol. */
function isolateLatin(phrase: string): string {
  if (isIsolated(phrase)) return phrase
  const words = phrase.split(' ')
  const first = words.findIndex(word => LETTER.test(word) || SIGNED_NUMBER.test(word))
  if (first < 0) return isolateGroups(phrase, GROUPS)
  const last = words.findLastIndex(word => LETTER_OR_DIGIT.test(word))
  const before = isolateGroups(words.slice(0, first).join(' '), GROUPS)
  const own = words.slice(first, last + 1).join(' ')
  const after = words.slice(last + 1).map(word => ` ${word}`)
  let end = own.length
  while (SENTENCE_END.includes(own[end - 1] as string)) end--
  const core = own.slice(0, end)
  const shown = isWhole(core) ? core : isolate(core, 'ltr')
  return [before, before && ' ', shown, own.slice(end), ...after].join('')
}

/** True for what Unicode keeps together by itself: it begins and ends with a letter or a digit, and not as `2027.pdf` does. */
function isWhole(text: string): boolean {
  return WHOLE_BEGINNING.test(text) && LETTER_OR_DIGIT.test(text.at(-1) ?? '')
}

function isIsolated(text: string): boolean {
  return text.startsWith(OPEN.ltr)
}

function isolate(text: string, direction: Direction): string {
  return `${OPEN[direction]}${text}${CLOSE}`
}
