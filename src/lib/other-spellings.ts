/** The article and what is written together with it, and "and"; and how many letters must be left without it. */
const PREFIXES = [
  ['ال', 2],
  ['وال', 2],
  ['بال', 2],
  ['كال', 2],
  ['فال', 2],
  ['لل', 2],
  ['و', 3],
] as const
/** "Servant of", the beginning of many names: written together with the next word, or apart. */
const SERVANT = 'عبد'
const LETTERS_AFTER_SERVANT = 2
/** God has no article: الله is not ال and له. */
const NOT_BARE = 'له'

/** An article may stand before a word in Latin letters too. */
const WORD = /^[\u0621-\u06ff][\p{L}\p{N}]{3,39}$/u
/** More words than anybody looks for; each costs a pattern. */
const MAX_WORDS = 12

/**
 * Patterns for PostgreSQL, one for each word of a normalised query: the word as it is written, wherever it stands, or
 * another spelling of it as a whole word. Undefined when no word has another. A normalised word has only letters and
 * digits, so nothing in it has a meaning in a pattern.
 */
export function otherSpellings(name: string): string[] | undefined {
  const words = [...new Set(name.split(' ').filter(Boolean))]
  if (words.length > MAX_WORDS) return undefined
  const others = words.map((word, n) => spellingsOf(word, words[n + 1]))
  if (others.every(spellings => spellings.length === 0)) return undefined
  return words.map((word, n) => [word, ...(others[n] as string[]).map(asWholeWord)].join('|'))
}

function spellingsOf(word: string, next: string | undefined): string[] {
  if (!WORD.test(word)) return []
  const bare = withoutPrefix(word)
  if (bare === undefined) return apart(word)
  return [bare, ...apart(bare), ...(bare === SERVANT && next ? [bare + next] : [])]
}

/** One prefix is taken off, once: the first that leaves enough. */
function withoutPrefix(word: string): string | undefined {
  for (const [prefix, left] of PREFIXES) {
    const bare = word.slice(prefix.length)
    if (word.startsWith(prefix) && bare.length >= left && bare !== NOT_BARE) return bare
  }
  return undefined
}

function apart(word: string): string[] {
  const after = word.slice(SERVANT.length)
  return word.startsWith(SERVANT) && after.length >= LETTERS_AFTER_SERVANT ? [`${SERVANT} ${after}`] : []
}

/** A whole word of a name, which may have a prefix there in its turn. A name begins with a space. */
function asWholeWord(word: string): string {
  const prefixes = PREFIXES.filter(([, left]) => word.length >= left).map(([prefix]) => prefix)
  return ` (?:${prefixes.join('|')})?${word}(?: |$)`
}
