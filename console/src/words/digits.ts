/** The digits in which Arabic is written, by the names that Unicode gives them. English always has the first. */
export const DIGITS = { latn: '012', arab: '٠١٢' } as const
export type Digits = keyof typeof DIGITS

/** The API uses these, and people compare. */
let current: Digits = 'latn'

export function digitsInUse(): Digits {
  return current
}

/** What is rendered from now on has these digits. */
export function writeWith(digits: Digits): void {
  current = digits
}

/** The digits that were chosen in this browser. */
export function storedDigits(): Digits {
  return localStorage.getItem('digits') === 'arab' ? 'arab' : 'latn'
}

const ISOLATED_OR_NUMBER = /\u2068[^\u2069]*\u2069|[0-9]+%?/g

/** An Arabic text in the digits in use. What is isolated is a name or a code, and stays as it is. */
export function inDigits(text: string): string {
  if (current === 'latn') return text
  return text.replace(ISOLATED_OR_NUMBER, part =>
    part.startsWith('\u2068') ? part : part.replace(/./g, sign => '٠١٢٣٤٥٦٧٨٩٪'['0123456789%'.indexOf(sign)] as string),
  )
}
