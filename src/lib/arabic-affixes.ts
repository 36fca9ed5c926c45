// What may be written together with an Arabic word, before and after it. All words are in the spelling in which names are searched.

/** A word as it is searched for, and with ء in place of every letter that was typed with a hamza. */
export interface Word {
  text: string
  typed: string
}

/** How a name can contain a word of the query, for PostgreSQL. */
export interface Spellings {
  /** The regular expression that a name matches. */
  pattern: string
  /** For an index: such a name is LIKE one of these. None for a word that is too short. */
  likes: string[]
}

/** The article and what precedes it, the longest first. */
const ARTICLES = ['وبال', 'ولل', 'وال', 'بال', 'كال', 'فال', 'ال', 'لل']
/** "And", "so", "with", "like", "for", and the sign of the future. */
const PARTICLES = ['وب', 'ول', 'و', 'ف', 'ب', 'ك', 'ل', 'س']
/** Plurals, duals, possessives, feminine and relative endings, the longest first. Before some of them, ة becomes ت. */
const SUFFIXES = 'اتنا اتها اتهم اتكم تنا تها تهم تكم تين تان يات يين يون ات ان ون ين نا ها هم كم يه تي ه ي'.split(' ')
/** The endings of words whose ة is needed to tell them from others, such as خطة. */
const AFTER_TEH = '(?:ه|ت(?:ين|ان|نا|ها|هم|كم|ي))'

/** How many letters must remain without the article, a particle, a suffix. */
const AFTER_ARTICLE = 2
const AFTER_AND = 3
const AFTER_PARTICLE = 4
const STEM = 3
/** God has no article: الله is not ال and له. */
const NOT_BARE = 'له'
/** "Servant of", which is no name by itself: عبده is another. */
export const SERVANT = 'عبد'
/** Words that begin with a و of their own. */
const OWN_WAW = (
  'احد اجب اجه ارد اسط اسع اقع الد ثاق ثاي ثق ثيق جب جد جه جود جوه حدا حدت حده حيد داع داي ديع رث ردي رده رش رقا رقت رقه رقي زار زرا زع زير سايل ساطه سيط سيل ' +
  'صاي صفا صفه صفي صلات صله صول صيا صيف صيه ضع ضوح طن ظاي ظيف عاء فاء فاه فد فره فق فور فير قاي قت قع قف قود قوع قوف كالات كاله كلا كيل لاء لاي لد ليد ليم'
)
  .split(' ')
  .map(rest => `و${rest}`)

/** The word without its article, or without "and"; as the article has no hamza, إلهام has none. */
export function withoutPrefix(word: Word): string | undefined {
  const article = ARTICLES.find(
    prefix => isPrefix(prefix, word, AFTER_ARTICLE) && word.text.slice(prefix.length) !== NOT_BARE,
  )
  const prefix = article ?? (isPrefix('و', word, AFTER_AND) && !hasOwnWaw(word.text) ? 'و' : undefined)
  return prefix && word.text.slice(prefix.length)
}

const hasOwnWaw = (text: string) => OWN_WAW.some(beginning => text.startsWith(beginning))

function isPrefix(prefix: string, { text, typed }: Word, left: number): boolean {
  return typed.startsWith(prefix) && text.length >= prefix.length + left
}

/** A whole word of a name, which may in turn have a prefix there. A name begins and ends with a space. */
export function asWholeWord(word: string): string {
  const prefixes = word.length < AFTER_AND ? ARTICLES : [...ARTICLES, 'و']
  return ` (?:${prefixes.join('|')})?${word} `
}

/** The word with and without what may precede it. */
function formsOf(word: Word): string[] {
  const bare = withoutPrefix(word)
  const particle = hasOwnWaw(word.text) ? undefined : PARTICLES.find(each => isPrefix(each, word, AFTER_PARTICLE))
  return [
    word.text,
    ...(bare && bare.length >= STEM ? [bare] : []),
    ...(particle ? [word.text.slice(particle.length)] : []),
  ]
}

/** What remains of a word without its ending. */
function stemOf(form: string): string {
  const suffix = SUFFIXES.find(each => form.endsWith(each) && form.length >= each.length + STEM)
  const stem = suffix ? form.slice(0, -suffix.length) : form
  return stem === SERVANT ? form : stem
}

/** What a word can be without its affixes, for a look into a list of words; and the stems of these. */
export function barest(word: Word): { forms: string[]; stems: string[] } {
  const forms = formsOf(word)
  const stems = forms.map(stemOf)
  // فاتورتنا is فاتورة, and عملائنا is عملاء.
  const restored = stems.flatMap(stem => [stem, `${stem}ه`, stem.replace(/ا[يو]$/, 'اء')])
  return { forms: [...new Set([...forms, ...restored])], stems: [...new Set(stems)] }
}

/** The pattern of a whole word of a name that has this stem, and the letters that such a word contains. */
export function withAffixes(stem: string): { pattern: string; contains: string } {
  const prefixes = stem.length < AFTER_PARTICLE ? ARTICLES : [...ARTICLES, ...PARTICLES]
  const before = ` (?:${prefixes.join('|')})?`
  const endings = `(?:${SUFFIXES.join('|')}|و)?`
  if (stem.endsWith('اء') && stem.length > STEM) {
    const contains = stem.slice(0, -1)
    return { pattern: `${before}${contains}[ءيو]${endings} `, contains }
  }
  return { pattern: `${before}${stem}${endings} `, contains: stem }
}

/** The same for a word of a list, which has no affixes, but may end in ة. */
export function inflected(word: string): { pattern: string; contains: string } {
  if (word.length > STEM || !word.endsWith('ه')) return withAffixes(stemOf(word))
  const contains = word.slice(0, -1)
  return { pattern: ` (?:${ARTICLES.join('|')})?${contains}${AFTER_TEH} `, contains }
}

/** The spelling in which names are searched, for words without vowels. */
export function foldArabic(text: string): string {
  return text
    .replace(/[أإآ]/g, 'ا')
    .replaceAll('ئو', 'وو')
    .replaceAll('ؤ', 'و')
    .replaceAll('ة', 'ه')
    .replace(/[ىئ]/g, 'ي')
}
