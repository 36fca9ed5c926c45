import { westernDigits } from './digits.ts'

/** Invisible, or not a letter by itself: direction and joining marks, tatweel, the signs for hamza and ayn in Latin. */
const HIDDEN =
  /[\u034f\u1abe\u180b-\u180f\ufe00-\ufe0f\u20dd-\u20e4\u0488\u0489\u00ad\u02be\u02bf\u061c\u0640\u0674\u06e5\u06e6\u0890\u0891\u08c9\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufc5e-\ufc63\ufcf2-\ufcf4\ufe70-\ufe7f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu
/** Accents, vowels, Quranic marks, and the madda that NFKD separates from آ. The hamza above is removed only later. */
const MARKS =
  /[\u0300-\u036f\u1ab0-\u1ace\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\ufb1e\u0610-\u061a\u061c\u0640\u064b-\u0653\u0655-\u065f\u0670\u0674\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0730-\u074a\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u02be\u02bf\u200b-\u200f]/gu
/** The capitals of Latin, Greek, Cyrillic, Armenian and Georgian, once accents are removed. */
const CAPITALS = /[A-Z\u00c0-\u024f\u0370-\u0556\u1c90-\u1cbf\u1e00-\u1eff]/gu
/** Thousands separators: one to three digits before them, and three after. */
const THOUSANDS = /[,\u060c\u066c](?<=[0-9].)(?<![0-9]{4}.)(?=[0-9]{3}(?![0-9]))/g
/** What separates words: punctuation, symbols, control characters, and runs of spaces. Emoji count as letters. */
const BETWEEN =
  / *(?:[\u0001-\u001f\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u02b9-\u02bd\u02c0-\u02ff\u0375\u03f6\u0482\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u06dd\u06de\u06e9\u06fd\u06fe\u0700-\u070d\u0888\u08e2\u0964\u0965\u0970\u1680\u2000-\u20cf\u2100-\u2131\u2133-\u214d\u214f\u218a-\u2bff\u2e00-\u2e7f\u3001-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30a0\u30fb\ufbb2-\ufbc2\ufd3e-\ufd4f\ufdcf\ufdfd-\ufdff\ufe45\ufe46\ufffc\ufffd] *)+| {2,}/gu

/** A letter, and the letters that are treated as the same. */
const LETTERS = [
  ['ا', 'ٱٲٳ'],
  ['ه', 'ةەہھۃ'],
  ['ي', 'ئىیے'],
  ['ك', 'کڪ'],
  ['d', 'đð'],
  ['h', 'ħ'],
  ['i', 'ı'],
  ['l', 'ł'],
  ['o', 'ø'],
  ['t', 'ŧ'],
  ['ae', 'æ'],
  ['oe', 'œ'],
  ['ss', 'ß'],
  ['th', 'þ'],
  ['σ', 'ς'],
] as const
const SPELLING = new Map(LETTERS.flatMap(([spelling, letters]) => [...letters].map(letter => [letter, spelling])))
const FOLDED = new RegExp(`[${[...SPELLING.keys()].join('')}]`, 'gu')

/** The normalised form of a name for searching: the same as the SQL function search_name, which explains each step. */
export function searchName(name: string): string {
  const letters = name
    .replace(HIDDEN, '')
    .normalize('NFKD')
    .replace(CAPITALS, letter => letter.toLowerCase())
    .replace(MARKS, '')
    .replaceAll('ي\u0654', 'ئ')
    .replaceAll('\u0654', '')
    .replaceAll('ئو', 'وو')
    .replace(FOLDED, letter => SPELLING.get(letter) as string)
  return westernDigits(letters).replace(THOUSANDS, '').replace(BETWEEN, ' ').trim()
}
