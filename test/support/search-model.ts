import { searchName } from '../../src/lib/search-name.ts'

/** The records that a search should find, best first: a second, plain implementation of what the documentation says. */
export function expectedHits<T extends { title: string }>(oldestFirst: T[], query: string, limit: number): T[] {
  const wanted = searchName(query)
  const words = wanted.split(' ')
  const rankOf = (name: string) => {
    if (name === wanted) return 1
    if (name.startsWith(wanted)) return 2
    if (words.every(word => ` ${name}`.includes(` ${word}`))) return 3
    return words.every(word => name.includes(word)) ? 4 : 5
  }
  return oldestFirst
    .map((record, n) => ({ record, n, name: searchName(record.title) }))
    .filter(({ name }) => words.every((word, n) => name.includes(word) || isOtherwiseIn(name, word, words[n + 1])))
    .sort((a, b) => rankOf(a.name) - rankOf(b.name) || b.n - a.n)
    .slice(0, limit)
    .map(({ record }) => record)
}

const PREFIXES = { ال: 2, وال: 2, بال: 2, كال: 2, فال: 2, لل: 2, و: 3 }

/** Whether a name has a word of the query in another spelling: without its prefix, with another prefix, or with عبد separate. */
function isOtherwiseIn(name: string, word: string, next: string | undefined): boolean {
  const bare = withoutPrefix(word)
  const spellings = [
    ...(bare ? [bare] : []),
    ...apart(bare ?? word),
    ...(bare === 'عبد' && next ? [`${bare}${next}`] : []),
  ]
  const prefixed = spellings.flatMap(spelling => [
    spelling,
    ...Object.entries(PREFIXES).flatMap(([prefix, left]) => (spelling.length >= left ? [prefix + spelling] : [])),
  ])
  return prefixed.some(spelling => ` ${name} `.includes(` ${spelling} `))
}

function withoutPrefix(word: string): string | undefined {
  const fitting = Object.entries(PREFIXES)
    .filter(([prefix, left]) => word.startsWith(prefix) && word.length >= prefix.length + left)
    .map(([prefix]) => word.slice(prefix.length))
  return fitting.find(bare => bare !== 'له')
}

const apart = (word: string) => (word.startsWith('عبد') && word.length > 4 ? [`عبد ${word.slice(3)}`] : [])
