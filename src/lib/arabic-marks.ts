const MARKED_WORD = /[\p{Script=Arabic}\p{M}]*[\u064b-\u065f\u0670][\p{Script=Arabic}\p{M}]*/gu
const MARKS = /\p{M}+/gu

/** The words of a text that carry vowel marks, with the marks taken off, and the marks; each once, up to a number. */
export function markedWords(text: string, most: number): { bare: string[]; marks: string[] } {
  const words = new Set<string>()
  for (const [word] of text.matchAll(MARKED_WORD)) {
    if (words.size === most) break
    words.add(word)
  }
  return {
    bare: [...new Set([...words].map(word => word.replace(MARKS, '')).filter(word => word !== ''))],
    marks: [...new Set([...words].flatMap(word => word.match(MARKS) ?? []))].slice(0, most),
  }
}
