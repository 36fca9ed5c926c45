import { searchName } from '../../src/lib/search-name.ts'

/** The records that a search should find, best first: what the documents say about it, written once more and plainly. */
export function expectedHits<T extends { title: string }>(oldestFirst: T[], query: string, limit: number): T[] {
  const wanted = searchName(query)
  const words = wanted.split(' ')
  const rankOf = (name: string) => {
    if (name === wanted) return 1
    if (name.startsWith(wanted)) return 2
    return words.every(word => ` ${name}`.includes(` ${word}`)) ? 3 : 4
  }
  return oldestFirst
    .map((record, n) => ({ record, n, name: searchName(record.title) }))
    .filter(({ name }) => words.every(word => name.includes(word)))
    .sort((a, b) => rankOf(a.name) - rankOf(b.name) || b.n - a.n)
    .slice(0, limit)
    .map(({ record }) => record)
}
