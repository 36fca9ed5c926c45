const WORD = /[\p{Script=Arabic}\p{M}]+/gu
const VOWEL_MARK = /[\u064b-\u065f\u0670]/
const MARKS = /\p{M}+/gu
/** No word is longer. */
const LONGEST_WORD = 40

/** The words of a text that carry vowel marks, without the marks, and the marks; each once, up to a number. */
export function markedWords(text: string, most: number): { bare: string[]; marks: string[] } {
  const words = new Set<string>()
  for (const [word] of text.matchAll(WORD)) {
    if (words.size === most) break
    if (word.length <= LONGEST_WORD && VOWEL_MARK.test(word)) words.add(word)
  }
  return {
    bare: [...new Set([...words].map(word => word.replace(MARKS, '')).filter(word => word !== ''))],
    marks: [...new Set([...words].flatMap(word => word.match(MARKS) ?? []))].slice(0, most),
  }
}
