// Every control character but tab, newline and carriage return.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
const EACH_CONTROL = new RegExp(CONTROL, 'g')

/** True for text that can be stored and returned unchanged: no control characters, no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text)
}

/** The same text as far as it can be stored: the database would refuse the rest. */
export function storableText(text: string): string {
  return isStorableText(text) ? text : text.toWellFormed().replace(EACH_CONTROL, '\ufffd')
}

/** White space, and what Unicode calls ignorable: joiners, direction marks, fillers, variation selectors, tags and the like. */
const IGNORABLE = String.raw`\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8`
/** Drawn as nothing, whatever Unicode calls it: an empty Braille cell, marks around annotations, noncharacters. */
const EMPTY = String.raw`\u2800\ufff9-\ufffb\ufffe\uffff`
/** Both kinds beyond the first plane. */
const BEYOND = String.raw`\u{13430}-\u{13440}\u{1bca0}-\u{1bca3}\u{1d159}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`

const VISIBLE = new RegExp(`[^${IGNORABLE}${EMPTY}${BEYOND}]`, 'u')

/** True for a text that has something visible in it. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text)
}

/** The first characters of a text, none of them halved. */
export function beginningOf(text: string, characters: number): string {
  return [...text.slice(0, 2 * characters).toWellFormed()].slice(0, characters).join('')
}

/** Whether a text has more characters than this. One that is far too long is not walked through to count them. */
export function isLongerThan(text: string, characters: number): boolean {
  if (text.length <= characters || isFarLongerThan(text, characters)) return text.length > characters
  return [...text].length > characters
}

/** Whether a text has more characters than this even if each of them is a pair of surrogates. */
export function isFarLongerThan(text: string, characters: number): boolean {
  return text.length > 2 * characters
}

/** As much of what a stranger wrote as we repeat in a sentence. */
export function excerpt(text: string, characters = 100): string {
  if (text.length <= characters) return text
  const beginning = beginningOf(text, characters)
  return beginning.length < text.length ? `${beginning}…` : text
}
