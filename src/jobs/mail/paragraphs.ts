import type { Language } from '../../domain/languages.ts'
import type { Direction } from '../../lib/base-direction.ts'
import type { Phrase } from '../../lib/isolation.ts'

/** Lines that belong together; or somebody's text, line by line; or a code to copy; or a link as a button. */
export type Paragraph = Phrase[] | Quotation | { code: string } | { button: Phrase; url: string }

interface Quotation {
  heading: Phrase
  quotation: string[]
}

export const DIRECTIONS: Record<Language, Direction> = { en: 'ltr', ar: 'rtl' }
