import type { Language } from '../../domain/languages.ts'

/** The language that a caller prefers by `Accept-Language` (RFC 9110, 12.5.4): Arabic where that is it, otherwise English. */
export function preferredLanguage(header: string | undefined): Language {
  const ranges = (header ?? '').toLowerCase().split(',').map(readRange)
  const [arabic, english] = [wishFor('ar', ranges), wishFor('en', ranges)]
  const isFirst = arabic.place < english.place
  return arabic.quality > english.quality || (arabic.quality === english.quality && isFirst) ? 'ar' : 'en'
}

interface Range {
  tag: string
  quality: number
}

/** `ar-SA;q=0.8` */
function readRange(text: string): Range {
  const [tag = '', ...parameters] = text.split(';').map(part => part.trim())
  const [weight = '1'] = parameters.flatMap(parameter => (parameter.startsWith('q=') ? [parameter.slice(2)] : []))
  const quality = Number(weight)
  return { tag, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** How much a language is wanted, and how early it is named. What is not named is as welcome as `*`. */
function wishFor(language: Language, ranges: Range[]): { quality: number; place: number } {
  const isOf = ({ tag }: Range) => tag === language || tag.startsWith(`${language}-`)
  const named = ranges.some(isOf) ? isOf : ({ tag }: Range) => tag === '*'
  const quality = Math.max(0, ...ranges.filter(named).map(range => range.quality))
  return { quality, place: quality === 0 ? ranges.length : ranges.findIndex(named) }
}
