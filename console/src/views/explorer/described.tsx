import { Code } from '../../parts/text.tsx'
import { LANGUAGES, useLanguage } from '../../words/language.ts'

/**
 * A text of the description, which is in the language of the reader: what is between backticks is code. It may begin with a name
 * in Latin letters.
 */
export function Described({ text }: { text: string }) {
  const { dir } = LANGUAGES[useLanguage()]
  return (
    <bdi dir={dir}>
      {text.split('`').map((part, i) => (i % 2 === 1 ? <Code key={`${i} ${part}`}>{part}</Code> : part))}
    </bdi>
  )
}
