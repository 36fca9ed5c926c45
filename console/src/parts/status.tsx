import { words } from '../words/language.ts'
import { Badge, type Tone } from './text.tsx'

const useStatusWords = words({
  en: { clientLeft: 'the client left', none: 'no answer' },
  ar: { clientLeft: 'غادر العميل', none: 'لا رد' },
})

function toneOf(status: number | null): Tone {
  if (status === null || status >= 500) return 'bad'
  return status >= 400 ? 'warn' : status >= 300 ? 'plain' : 'good'
}

/** The status of an HTTP answer; null where there was none. */
export function StatusBadge({ of: status }: { of: number | null }) {
  const t = useStatusWords()
  return (
    <Badge tone={toneOf(status)}>
      {status === null ? t.none : <bdi>{status}</bdi>}
      {status === 499 && <> {t.clientLeft}</>}
    </Badge>
  )
}
