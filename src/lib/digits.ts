// Marks, embeddings and isolates. Programs write them around numbers and dates in a text from right to left, and inside dates.
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Longer text is neither a number nor a date, and nothing need walk through it. */
export const LONGEST_NUMBER = 64

/** A number or a date as a program writes it: with the digits 0-9, and without what only directs it. */
export function plainNumber(text: string): string {
  if (text.length > LONGEST_NUMBER) return text
  return westernDigits(text.replace(DIRECTIONS, ''))
}

/** Arabic-Indic (٠-٩) and Persian (۰-۹) digits as 0-9; everything else as it is. */
export function westernDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹]/g, digit => String((digit.codePointAt(0) as number) & 0xf))
}
