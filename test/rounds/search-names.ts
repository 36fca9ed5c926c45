import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/postgres.ts'
import { searchName } from '../../src/lib/search-name.ts'
import { random } from '../support/random.ts'

const BATCH = 20_000

/** What the database turns each name into, and what it turns that into. */
export async function inSql({ db }: Database, names: string[]): Promise<{ once: string; twice: string }[]> {
  const found: { once: string; twice: string }[] = []
  for (let from = 0; from < names.length; from += BATCH) {
    const rows = await db.raw<{ once: string; twice: string }>(
      `select search_name(name) as once, search_name(search_name(name)) as twice
       from unnest($1::text[]) with ordinality given (name, n) order by n`,
      [names.slice(from, from + BATCH)],
    )
    found.push(...rows)
  }
  return found
}

const numbers = (text: string) => [...text].map(c => (c.codePointAt(0) as number).toString(16)).join(' ')

/** The names that the database and the twin normalise differently, or that change when normalised again. */
export async function disagreements(database: Database, names: string[]): Promise<string[]> {
  const found = await inSql(database, names)
  return names.flatMap((name, n) => {
    const { once, twice } = found[n] as { once: string; twice: string }
    const twin = searchName(name)
    return once === twin && twice === once && searchName(twin) === twin
      ? []
      : [`${numbers(name)}: SQL ${numbers(once)}, again ${numbers(twice)}, twin ${numbers(twin)}`]
  })
}

export const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n)

// Each engine decomposes and orders characters by its own version of Unicode, and the oldest, PostgreSQL 15, has Unicode
// 14. These characters are newer, and the results differ: some marks, and one letter with a decomposition.
const YOUNGER = new Set([0x897, ...range(0x1acf, 0x1aff), 0xa7f1])

// The basic plane without ideographs and private use, which are all treated alike. Beyond it: mathematical, Latin, Greek
// and Arabic letters, enclosed characters, emoji, and tags.
const CHARACTERS = [
  ...range(0x1, 0x4e10),
  ...range(0x9ff0, 0xd7ff),
  ...range(0xf8f0, 0xffff),
  ...range(0x1d400, 0x1d7ff),
  ...range(0x1ee00, 0x1eeff),
  ...range(0x1f000, 0x1faff),
  ...range(0xe0000, 0xe01ff),
]
  .filter(code => !YOUNGER.has(code))
  .map(code => String.fromCodePoint(code))

/** Checks one character in every `oneOf`, from a random start: a test checks some, a trial all. */
export function describeEveryCharacter(oneOf: number, database: () => Database): void {
  describe('The function and its twin agree, and a second time changes nothing', () => {
    const first = Math.floor(random() * oneOf)
    const characters = CHARACTERS.filter((_, n) => n % oneOf === first)
    it.each([
      ['alone', '', ''],
      ['between Arabic letters', 'ا', 'ب'],
      ['between Latin letters', 'a', 'b'],
      ['between capitals and spaces', 'Å ', ' Я'],
      ['between digits', '1', '000'],
      ['between hamza on yeh and waw', 'ئ', 'و'],
      ['between yeh and hamza', 'ي', '\u0654و'],
      ['between two marks that stay, and that only it keeps out of order', 'ก\u0e48', '\u0e38'],
    ])('on a character, %s', async (_, before, after) => {
      expect(
        await disagreements(
          database(),
          characters.map(character => before + character + after),
        ),
      ).toEqual([])
    })
  })
}
