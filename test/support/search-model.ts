import { numbersOf } from '../../src/lib/broken-plurals.ts'
import { searchName } from '../../src/lib/search-name.ts'

/** So many of the best and newest hits are considered; among these, the spelling as typed comes first. */
const CONSIDERED = 16
const INFLECTED = 7
const MISSPELLED = 8

/**
 * The records of one kind that a search for at most `wanted` should find, best first, and one more if there are more: a second,
 * plain implementation of what the documentation says.
 */
export function expectedHits<T extends { title: string }>(oldestFirst: T[], query: string, wanted: number): T[] {
  const typed = query.trim().toLowerCase()
  const rankOf = rankerOf(searchName(query))
  const ranked = oldestFirst
    .map((record, n) => ({ record, n, rank: rankOf(searchName(record.title)) }))
    .filter(({ rank }) => rank !== undefined) as { record: T; n: number; rank: number }[]
  const upTo = (rank: number) => ranked.filter(hit => hit.rank < rank)
  const close = upTo(INFLECTED)
  const some = close.length > wanted ? close : upTo(MISSPELLED)
  const hits = some.length > 0 ? some : ranked
  const isTyped = ({ title }: T) => Number(title.toLowerCase().includes(typed))
  return hits
    .sort((a, b) => a.rank - b.rank || b.n - a.n)
    .slice(0, Math.max(CONSIDERED, wanted + 1))
    .sort((a, b) => a.rank - b.rank || isTyped(b.record) - isTyped(a.record) || b.n - a.n)
    .slice(0, wanted + 1)
    .map(({ record }) => record)
}

type Test = (name: string, word: string, next?: string) => boolean

function rankerOf(wanted: string): (name: string) => number | undefined {
  const words = [...new Set(wanted.split(' '))]
  const important = words.filter(word => !['في', 'من', 'علي', 'عن', 'مع', 'الي'].includes(word))
  const every = (name: string, among: string[], ...tests: Test[]) =>
    among.every(word => tests.some(test => test(name, word, words[words.indexOf(word) + 1])))
  return name => {
    if (name === wanted) return 1
    if (words.some(word => word.length > 1) && every(name, words, isWord)) return 2
    if (name.startsWith(wanted)) return 3
    if (every(name, words, isBeginning)) return 4
    if (every(name, words, isBeginning, isOtherwiseIn)) return 5
    if (every(name, words, isInside, isOtherwiseIn)) return 6
    if (every(name, words, isInside, isOtherwiseIn, isInflectedIn)) return 7
    const rest = important.length > 0 ? important : words
    return every(name, rest, isInside, isOtherwiseIn, isInflectedIn, isMisspelledIn) ? MISSPELLED : undefined
  }
}

const isWord: Test = (name, word) => ` ${name} `.includes(` ${word} `)
const isBeginning: Test = (name, word) => ` ${name}`.includes(` ${word}`)
const isInside: Test = (name, word) => name.includes(word)

const ARTICLES = ['وبال', 'ولل', 'وال', 'بال', 'كال', 'فال', 'ال', 'لل']
const PARTICLES = ['وب', 'ول', 'و', 'ف', 'ب', 'ك', 'ل', 'س']
const ENDINGS = 'اتنا اتها اتهم اتكم تنا تها تهم تكم تين تان يات يين يون ات ان ون ين نا ها هم كم يه تي ه ي'.split(' ')

const isArabic = (word: string) => /^[\u0621-\u06ff][\p{L}\p{N}]{2,39}$/u.test(word)

/** Whether a name has a word of the query in another spelling: with another prefix, or joined with the next one, or divided. */
const isOtherwiseIn: Test = (name, word, next) => {
  if (/^\d{7,15}$/.test(word)) return ` ${name} `.replaceAll(' ', '').includes(word) && inGroups(name, word)
  const [letters, digits] = /^(?:(\p{L}+)(\d+)|(\d+)(\p{L}+))$/u.exec(word)?.slice(1).filter(Boolean) ?? []
  if (letters && digits && word.length > 3) return isWord(name, `${letters} ${digits}`)
  if (!isArabic(word)) return false
  const core = withoutPrefix(word) ?? word
  const spellings = [core, ...apart(core), ...(next && isArabic(next) ? [core + next] : [])]
  return spellings.some(spelling =>
    [...ARTICLES, ...(spelling.length > 2 ? ['و'] : []), ''].some(prefix => isWord(name, prefix + spelling)),
  )
}

/** Whether some words in a row are these digits. */
function inGroups(name: string, digits: string): boolean {
  const words = name.split(' ')
  return words.some((_, from) => words.some((_, to) => words.slice(from, to + 1).join('') === digits))
}

function withoutPrefix(word: string): string | undefined {
  const article = ARTICLES.find(
    prefix => word.startsWith(prefix) && word.length >= prefix.length + 2 && word.slice(prefix.length) !== 'له',
  )
  const prefix = article ?? (word.startsWith('و') && word.length > 3 ? 'و' : undefined)
  return prefix && word.slice(prefix.length)
}

function apart(word: string): string[] {
  const first = ['عبد', 'ابو'].find(part => word.startsWith(part) && word.length >= part.length + 2)
  if (first) return [`${first} ${word.slice(first.length)}`]
  const at = word.indexOf('ال', 2)
  return at > 0 && word.length >= at + 4 ? [`${word.slice(0, at)} ${word.slice(at)}`] : []
}

/** Whether a name has another form of a word. */
const isInflectedIn: Test = (name, word) => isArabic(word) && name.split(' ').some(each => formsOf(word).has(each))

const known = new Map<string, Set<string>>()

function formsOf(word: string): Set<string> {
  const forms = known.get(word) ?? new Set(stemsOf(word).flatMap(withAffixes))
  known.set(word, forms)
  return forms
}

function stemsOf(word: string): string[] {
  const bare = withoutPrefix(word)
  const particle = PARTICLES.find(each => word.startsWith(each) && word.length >= each.length + 4)
  const forms = [word, ...(bare && bare.length > 2 ? [bare] : []), ...(particle ? [word.slice(particle.length)] : [])]
  const stems = forms.map(stemOf)
  const numbers = [...forms, ...stems.flatMap(stem => [stem, `${stem}ه`])].flatMap(form => [...numbersOf(form)])
  return [...stems, ...numbers.map(stemOf)]
}

function stemOf(form: string): string {
  const ending = ENDINGS.find(each => form.endsWith(each) && form.length >= each.length + 3)
  const stem = ending ? form.slice(0, -ending.length) : form
  return stem === 'عبد' ? form : stem
}

function withAffixes(stem: string): string[] {
  const prefixes = ['', ...ARTICLES, ...(stem.length > 3 ? PARTICLES : [])]
  return prefixes.flatMap(prefix => ['', 'و', ...ENDINGS].map(ending => prefix + stem + ending))
}

/** Whether a name has a word that is one edit away, the first letter aside; or that has ض for ظ. */
const isMisspelledIn: Test = (name, word) => {
  if (!/^\p{L}{1,20}$/u.test(word)) return false
  const core = withoutPrefix(word) ?? word
  const whole = core.length > 4 ? core : word
  const wrong = core.replace(/[ضظ]/g, letter => (letter === 'ض' ? 'ظ' : 'ض'))
  const words = name.split(' ')
  const candidates = [...words, ...words.slice(1).map((each, n) => `${words[n]} ${each}`)]
  const prefixes = ['', 'و', ...ARTICLES]
  return candidates.some(candidate =>
    prefixes.some(prefix => {
      if (!candidate.startsWith(prefix)) return false
      const rest = candidate.slice(prefix.length)
      return (
        (rest === wrong && wrong.length > 2) ||
        (whole.length > 4 && rest[0] === whole[0] && isOneEdit(rest.slice(1), whole.slice(1)))
      )
    }),
  )
}

/** A letter more, less or another, or two in the wrong order; a space can only be one that is too many. */
function isOneEdit(name: string, word: string): boolean {
  const spaces = name.includes(' ')
  const at = [...word].findIndex((letter, n) => letter !== name[n])
  const n = at < 0 ? word.length : at
  const [left, right] = [name.slice(n), word.slice(n)]
  if (left.slice(1) === right && right !== '') return true
  if (spaces) return false
  return (
    left === right.slice(1) ||
    left.slice(1) === right.slice(1) ||
    (left.slice(2) === right.slice(2) && left[0] === right[1] && left[1] === right[0])
  )
}
