import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { ownDirection } from '../../../src/lib/base-direction.ts'
import { digitsInUse, inDigits } from './digits.ts'

export type Language = 'en' | 'ar'

export const LANGUAGES: Record<Language, { name: string; dir: 'ltr' | 'rtl'; locale: string }> = {
  en: { name: 'English', dir: 'ltr', locale: 'en-GB' },
  ar: { name: 'العربية', dir: 'rtl', locale: 'ar-EG-u-ca-gregory' },
}

/** The locale for dates, times and numbers: that of the language, with the digits in use. */
export function localeOf(language: Language, calendar = 'gregory'): string {
  return language === 'ar' ? `ar-EG-u-ca-${calendar}-nu-${digitsInUse()}` : `en-GB-u-ca-${calendar}`
}

export const LanguageContext = createContext<Language>('en')

/** The language that was chosen, else the browser's. */
export function preferredLanguage(): Language {
  const [first = 'en'] = [localStorage.getItem('language'), navigator.language.slice(0, 2)].filter(isLanguage)
  return first
}

const isLanguage = (text: string | null): text is Language => text === 'en' || text === 'ar'

/** Links in mails say after the # which language their reader has. It counts as chosen, until the reader chooses another. */
export function chooseLanguageOfLink(): Language | undefined {
  const asked = new URLSearchParams(location.hash.slice(1))
  const language = asked.get('language')
  if (!isLanguage(language)) return undefined
  localStorage.setItem('language', language)
  asked.delete('language')
  history.replaceState(history.state, '', location.pathname + location.search + (asked.size > 0 ? `#${asked}` : ''))
  return language
}

export function useLanguage(): Language {
  return useContext(LanguageContext)
}

/**
 * The texts of a view, in both languages side by side: a phrase without its translation does not compile. Returns a hook that
 * gives the reader's language; both are available where there is no reader.
 */
export function words<T extends object>(both: { en: T; ar: NoInfer<T> }): (() => T) & Record<Language, T> {
  const texts = { en: both.en, ar: withDigits(both.ar) }
  return Object.assign(() => texts[useLanguage()], both)
}

/** The same texts, each in the digits that are in use when it is read. */
function withDigits<T extends object>(texts: T): T {
  return new Proxy(texts, { get: (target, name) => readable(Reflect.get(target, name)) })
}

function readable(text: unknown): unknown {
  if (typeof text === 'string') return inDigits(text)
  if (typeof text === 'function') return (...values: unknown[]) => readable(text(...values))
  return typeof text === 'object' && text !== null ? withDigits(text) : text
}

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

const rules = { en: new Intl.PluralRules('en'), ar: new Intl.PluralRules('ar') }

/** `#` stands for the number. English has two forms, Arabic six. */
export function count(language: Language, n: number, forms: Forms): string {
  return (forms[rules[language].select(n)] ?? forms.other).replace('#', formatNumber(language, n))
}

export function formatNumber(language: Language, n: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(localeOf(language), options).format(n)
}

/** Names from people, inside a sentence that cannot contain markup: they keep their own direction. */
export function isolate(text: string): string {
  const own = text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
  return `${ownDirection(own) === 'rtl' ? '\u2067' : '\u2068'}${own}\u2069`
}
