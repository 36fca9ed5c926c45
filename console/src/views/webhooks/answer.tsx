import { Code } from '../../parts/text.tsx'
import { useWebhooksWords } from './words.ts'

/** Why an attempt failed, in words if there are any. A status speaks for itself. */
export function Failure({ error }: { error: string | null }) {
  const t = useWebhooksWords()
  if (!error || error.startsWith('status_')) return null
  return <p class="hint">{t.errors[error] ?? <Code>{error}</Code>}</p>
}

/** What a receiver answered: a stranger's text, shown as it is. */
export function Received({ text }: { text: string | null }) {
  const t = useWebhooksWords()
  if (!text) return <span class="quiet">{t.noAnswer}</span>
  return (
    <pre class="received" dir="auto">
      {text}
    </pre>
  )
}
