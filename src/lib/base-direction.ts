export type Direction = 'ltr' | 'rtl'

/** A letter, or one of the invisible marks that count as one. */
const STRONG = /[\p{L}\u061c\u200e\u200f]/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** The direction of the first strong character; undefined for text that has none, such as a number. */
export function baseDirection(text: string): Direction | undefined {
  const strong = STRONG.exec(text)?.[0]
  if (strong === undefined) return undefined
  return RIGHT_TO_LEFT.test(strong) ? 'rtl' : 'ltr'
}
