import { useId } from 'preact/hooks'
import { DIGITS, type Digits } from '../words/digits.ts'
import { LANGUAGES, type Language } from '../words/language.ts'
import { APPEARANCES, type Appearance, type useAppearance } from './appearance.ts'
import { useFrameWords } from './words.ts'

export interface Choices {
  language: Language
  setLanguage: (language: Language) => void
  digits: Digits
  setDigits: (digits: Digits) => void
  appearance: ReturnType<typeof useAppearance>[0]
  setAppearance: ReturnType<typeof useAppearance>[1]
}

/** Language, digits where the language has a choice, and appearance, on every page. */
export function ChoicesBar({ choices }: { choices: Choices }) {
  const { language, setLanguage, digits, setDigits, appearance, setAppearance } = choices
  const t = useFrameWords()
  const id = useId()
  return (
    <div class="choices">
      <label for={`${id}-language`} class="read-out">
        {t.language}
      </label>
      <select
        id={`${id}-language`}
        value={language}
        onChange={event => setLanguage(event.currentTarget.value as Language)}
      >
        {Object.entries(LANGUAGES).map(([code, { name }]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      {language === 'ar' && (
        <>
          <label for={`${id}-digits`} class="read-out">
            {t.digits}
          </label>
          <select id={`${id}-digits`} value={digits} onChange={event => setDigits(event.currentTarget.value as Digits)}>
            {Object.entries(DIGITS).map(([name, sample]) => (
              <option key={name} value={name}>
                {sample}
              </option>
            ))}
          </select>
        </>
      )}
      <label for={`${id}-appearance`} class="read-out">
        {t.appearance}
      </label>
      <select
        id={`${id}-appearance`}
        value={appearance}
        onChange={event => setAppearance(event.currentTarget.value as Appearance)}
      >
        {APPEARANCES.map(one => (
          <option key={one} value={one}>
            {t.appearances[one]}
          </option>
        ))}
      </select>
    </div>
  )
}
