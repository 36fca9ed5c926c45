import type { Language } from '../../domain/languages.ts'
import { countWords, type Direction, directionOf } from '../../lib/base-direction.ts'
import { linkTo, type Phrase, say, tamed, toLine, toText } from '../../lib/isolation.ts'
import { DIRECTIONS, type Paragraph } from './paragraphs.ts'

const MARKS: Record<Direction, string> = { ltr: '\u200e', rtl: '\u200f' }

/** A mail as plain text. */
export function asText(language: Language, paragraphs: Paragraph[], footer: Phrase): string {
  const direction = DIRECTIONS[language]
  const line = (phrase: Phrase) => lineOf(phrase, direction)
  const written = paragraphs.map(paragraph => {
    if ('code' in paragraph) return paragraph.code
    if ('button' in paragraph) return line(say`${paragraph.button}: ${linkTo(paragraph.url)}`)
    if ('quotation' in paragraph)
      return [line(paragraph.heading), ...paragraph.quotation.map(each => quoted(each, direction))].join('\n')
    return paragraph.map(line).join('\n')
  })
  return [...written, `${line(say`--`)}\n${line(footer)}\n`].join('\n\n')
}

/** Terminals align a line by its first letter. In a mail from right to left each begins with a mark, whatever follows. */
function lineOf(phrase: Phrase, direction: Direction): string {
  return direction === 'rtl' ? MARKS.rtl + toText(phrase) : toLine(phrase, direction)
}

/**
 * Indented, so that no line of a description passes for one of ours. Mail programs would fold away a ">" as an earlier mail. A
 * terminal does not look into the isolate for the direction of the line, so a mark tells it.
 */
function quoted(text: string, direction: Direction): string {
  if (tamed(text) === '') return ''
  return `${MARKS[directionOf(countWords(text)) ?? direction]}    ${toText(say`${text}`)}`
}
