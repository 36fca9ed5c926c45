/** The article, prefixes written together with it, and "and"; each with the number of letters that must remain without it. */
const PREFIXES = [
  ['ال', 2],
  ['وال', 2],
  ['بال', 2],
  ['كال', 2],
  ['فال', 2],
  ['لل', 2],
  ['و', 3],
] as const
/** "Servant of", the beginning of many names: written together with the next word, or separately. */
const SERVANT = 'عبد'
const LETTERS_AFTER_SERVANT = 2
/** God has no article: الله is not ال and له. */
const NOT_BARE = 'له'

/** An article may precede a word in Latin letters too. */
const WORD = /^[\u0621-\u06ff][\p{L}\p{N}]{3,39}$/u
/** More words than anybody searches for; each costs a pattern. */
const MAX_WORDS = 12
/** As many letters in a row as an index needs. */
const TRIGRAM = /[\p{L}\p{M}\p{N}]{3}/u

/** How a name can contain a word of the query, for PostgreSQL. */
export interface Spellings {
  /** The regular expression that a name matches: the word anywhere, or another spelling as a whole word. */
  pattern: string
  /** For an index: such a name is LIKE one of these. None for a word that is too short. */
  likes: string[]
}

/**
 * The spellings of each word of a normalised query; undefined when no word has another. Normalised words have no punctuation,
 * so they contain nothing that is special in a pattern.
 */
export function otherSpellings(words: string[]): Spellings[] | undefined {
  if (words.length > MAX_WORDS) return undefined
  const found = words.map((word, n) => spellingsOf(word, words[n + 1]))
  return found.some(({ pattern }, n) => pattern !== words[n]) ? found : undefined
}

function spellingsOf(word: string, next: string | undefined): Spellings {
  if (!WORD.test(word)) return { pattern: word, likes: likesOf(word) }
  const bare = withoutPrefix(word)
  const core = bare ?? word
  const after = afterServant(core)
  const others = [
    ...(bare ? [bare] : []),
    ...(after ? [`${SERVANT} ${after}`] : []),
    ...(bare === SERVANT && next ? [bare + next] : []),
  ]
  const likes = after ? [`%${SERVANT}%${after}%`] : likesOf(core, bare !== undefined)
  return { pattern: [word, ...others.map(asWholeWord)].join('|'), likes }
}

/** One prefix is removed, once: the first that leaves enough letters. */
function withoutPrefix(word: string): string | undefined {
  for (const [prefix, left] of PREFIXES) {
    const bare = word.slice(prefix.length)
    if (word.startsWith(prefix) && bare.length >= left && bare !== NOT_BARE) return bare
  }
  return undefined
}

function afterServant(word: string): string | undefined {
  const after = word.slice(SERVANT.length)
  return word.startsWith(SERVANT) && after.length >= LETTERS_AFTER_SERVANT ? after : undefined
}

/** A whole word of a name, which may in turn have a prefix there. A name begins with a space. */
function asWholeWord(word: string): string {
  const prefixes = PREFIXES.filter(([, left]) => word.length >= left).map(([prefix]) => prefix)
  return ` (?:${prefixes.join('|')})?${word}(?: |$)`
}

/** Two letters are too short for an index, unless they begin a word or a prefix precedes them. */
function likesOf(core: string, isBare = false): string[] {
  if (TRIGRAM.test(core)) return [`%${core}%`]
  return isBare ? [`% ${core}%`, `%ال${core}%`, `%لل${core}%`] : []
}
