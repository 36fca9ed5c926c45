import { Facts } from '../../parts/table.tsx'
import { Name } from '../../parts/text.tsx'
import { isolate } from '../../words/language.ts'
import { useWorkWords } from './words.ts'

/** What other systems remember about a record; nothing if there is none. */
export function Metadata({ of }: { of: Record<string, string> }) {
  const t = useWorkWords()
  const entries = Object.entries(of)
  if (entries.length === 0) return null
  return (
    <section>
      <h2>{t.metadata}</h2>
      <Facts of={entries.map(([key, value]) => [isolate(key), <Name key={key}>{value}</Name>])} />
    </section>
  )
}
