import { countWords, type Direction, directionOf, ownDirection } from './base-direction.ts'
import { isolatePhrases } from './isolated-phrases.ts'

/**
 * A phrase of ours with people's text in its gaps. The text in a gap is isolated: its direction does not affect the words
 * around it, nor theirs its own.
 */
export type Phrase = readonly Piece[]
type Piece = { ours: string } | { theirs: string } | { url: string }

/** A string in a gap is somebody else's text; words of our own, and links, are passed as phrases. */
export function say(words: TemplateStringsArray, ...gaps: (string | Phrase)[]): Phrase {
  return words.flatMap((ours, index): Piece[] => {
    const gap = gaps[index]
    if (gap === undefined) return [{ ours }]
    return [{ ours }, ...(typeof gap === 'string' ? [{ theirs: gap }] : gap)]
  })
}

export const ours = (words: string): Phrase => [{ ours: words }]
export const linkTo = (url: string): Phrase => [{ url }]

// Embeddings, overrides, isolates and marks: they would change the direction of the text that follows.
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Somebody's text as it may appear in a line of ours: on one line, and without direction controls. */
export function tamed(text: string): string {
  return text.replace(DIRECTIONS, '').replace(/\s+/g, ' ').trim()
}

const [LRI, RLI, FSI, PDI] = ['\u2066', '\u2067', '\u2068', '\u2069']

function isolated(text: string): string {
  const own = tamed(text)
  return `${ownDirection(own) === 'rtl' ? RLI : FSI}${inOrder(own)}${PDI}`
}

/** Somebody's text. In Arabic, numbers and Latin phrases that would change their order are isolated in turn. */
function inOrder(text: string): string {
  return directionOf(countWords(text)) === 'rtl' ? isolatePhrases(text, 'rtl') : text
}

export function toText(phrase: Phrase): string {
  return phrase.map(textOf).join('')
}

const MARKS = { ltr: '\u200e', rtl: '\u200f' }

/**
 * As a line of its own. Programs that guess the direction of a line by its first letter look into isolates too: if that letter
 * is somebody else's, a mark of our own precedes it.
 */
export function toLine(phrase: Phrase, direction: Direction): string {
  const text = toText(phrase)
  const [before] = text.split(/[\u2067\u2068]/, 1) as [string]
  return before === text || /\p{L}/u.test(before) ? text : MARKS[direction] + text
}

function textOf(piece: Piece): string {
  if ('ours' in piece) return piece.ours
  // Spaces inside: a program that makes URLs clickable would take the isolate for a part of the URL.
  return 'url' in piece ? `${LRI} ${tamed(piece.url)} ${PDI}` : isolated(piece.theirs)
}

/** As a header: isolated only where necessary, so that a plain subject stays plain. */
export function toHeader(phrase: Phrase, direction: Direction): string {
  return phrase
    .map(piece => ('theirs' in piece && goes(piece.theirs, direction) ? tamed(piece.theirs) : textOf(piece)))
    .join('')
}

/** True for text that reads the same in a line of this direction and on its own. */
function goes(text: string, direction: Direction): boolean {
  const letters = tamed(text).match(/\p{L}/gu)
  return letters ? letters.every(letter => countWords(letter).first === direction) : direction === 'ltr'
}

export function toHtml(phrase: Phrase): string {
  return phrase.map(htmlOf).join('')
}

function htmlOf(piece: Piece): string {
  if ('ours' in piece) return escapeHtml(piece.ours)
  if ('theirs' in piece) return bdiOf(tamed(piece.theirs))
  const shown = escapeHtml(tamed(piece.url))
  return isWebAddress(piece.url)
    ? `<a href="${escapeHtml(new URL(piece.url).href)}" dir="ltr">${shown}</a>`
    : `<bdi>${shown}</bdi>`
}

function bdiOf(text: string): string {
  return `<bdi${ownDirection(text) === 'rtl' ? ' dir="rtl"' : ''}>${theirHtml(text)}</bdi>`
}

const ELEMENTS: Record<string, string> = { [LRI]: '<bdi dir="ltr">', [RLI]: '<bdi dir="rtl">', [PDI]: '</bdi>' }

/** A line of somebody's text. */
export function theirHtml(text: string): string {
  return escapeHtml(inOrder(tamed(text))).replace(/[\u2066\u2067\u2069]/g, isolate => ELEMENTS[isolate] as string)
}

function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url) && URL.canParse(url)
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
