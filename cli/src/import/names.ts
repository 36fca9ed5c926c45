/** Invisible characters: direction marks, joiners, the byte order mark. */
const UNSEEN = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

const isSpace = (sign: string | undefined) =>
  sign !== undefined && /[\s\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/.test(sign)

/** A cell without the surrounding white space and invisible marks. Those inside may have a meaning. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (isSpace(text[start])) start++
  while (end > start && isSpace(text[end - 1])) end--
  return text.slice(start, end)
}

/** The title of a list, on one line. */
export function listTitle(text: string): string {
  return trimmed(text).replaceAll(/\s+/g, ' ').normalize('NFC')
}

/** Short vowels and letter stretching. */
const ADORNMENTS = /[\u0640\u064b-\u0652\u0670]/g

/** Statuses, people and yes or no recur in every row. */
const plainNames = new Map<string, string>()
const MOST_REMEMBERED = 1_000
const LONGEST_REMEMBERED = 60

/** Normalises names for comparison: those of columns, statuses and people, in Arabic and Latin letters. */
export function plainName(text: string): string {
  const known = plainNames.get(text)
  if (known !== undefined) return known
  const plain = madePlain(text)
  if (plainNames.size < MOST_REMEMBERED && text.length <= LONGEST_REMEMBERED) plainNames.set(ownCopy(text), plain)
  return plain
}

function madePlain(text: string): string {
  return text
    .replaceAll(UNSEEN, '')
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(ADORNMENTS, '')
    .replaceAll(/[أإآٱ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه')
    .replaceAll(/[_\s]+/g, ' ')
}

/** A separate copy: a slice of a string keeps the whole string in memory. */
export function ownCopy(text: string): string {
  return Buffer.from(text).toString()
}
