import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export type Language = 'en' | 'ar'

export const LANGUAGES: Record<Language, { name: string; dir: 'ltr' | 'rtl'; locale: string }> = {
  en: { name: 'English', dir: 'ltr', locale: 'en-GB' },
  // The API uses these digits, and people compare.
  ar: { name: 'العربية', dir: 'rtl', locale: 'ar-EG-u-nu-latn-ca-gregory' },
}

export const LanguageContext = createContext<Language>('en')

/** The language that was chosen, else the browser's. */
export function preferredLanguage(): Language {
  const chosen = localStorage.getItem('language')
  if (chosen === 'en' || chosen === 'ar') return chosen
  return navigator.language.startsWith('ar') ? 'ar' : 'en'
}

export function useLanguage(): Language {
  return useContext(LanguageContext)
}

/**
 * The texts of a view, in both languages side by side: a phrase without its translation does not compile. Returns a hook that
 * gives the reader's language; both are available where there is no reader.
 */
export function words<T extends object>(both: { en: T; ar: NoInfer<T> }): (() => T) & Record<Language, T> {
  return Object.assign(() => both[useLanguage()], both)
}

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

const rules = { en: new Intl.PluralRules('en'), ar: new Intl.PluralRules('ar') }

/** `#` stands for the number. English has two forms, Arabic six. */
export function count(language: Language, n: number, forms: Forms): string {
  return (forms[rules[language].select(n)] ?? forms.other).replace('#', formatNumber(language, n))
}

export function formatNumber(language: Language, n: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(LANGUAGES[language].locale, options).format(n)
}

/** Names from people, inside a sentence that cannot contain markup: they keep their own direction. */
export function isolate(text: string): string {
  return `\u2068${text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069`
}
