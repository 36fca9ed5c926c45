import { useMemo } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status.tsx'
import { Facts } from '../../parts/table.tsx'
import { Code, Note } from '../../parts/text.tsx'
import type { ApiAnswer } from './api-request.ts'
import { JsonText, Scrolling, shown } from './json-text.tsx'
import { useExplorerWords } from './words.ts'

interface AnswerProps {
  of: ApiAnswer
  /** Those worth showing. */
  headers: string[]
  name: string
}

/** What came back: the status, the headers that matter, the time, the body. */
export function Answer({ of: answer, headers, name }: AnswerProps) {
  const t = useExplorerWords()
  const given = headers.flatMap(header => {
    const value = answer.headers.get(header)
    return value === null ? [] : [[header, value] as const]
  })
  const ignored = given.filter(([header]) => header.startsWith('X-Ignored-')).map(([, value]) => value)
  return (
    <div aria-live="polite">
      <Card
        title={
          <span class="row">
            {t.answer} <StatusBadge of={answer.status} /> <bdi class="quiet">{t.took(answer.ms)}</bdi>
          </span>
        }
      >
        <div class="stack">
          {ignored.length > 0 && (
            <Note tone="warn">
              {t.ignored} <Code>{shown(ignored.join(', '))}</Code>
            </Note>
          )}
          <Body of={answer} name={name} />
          <details open>
            <summary>{t.headers}</summary>
            <div dir="ltr">
              <Facts of={given.map(([header, value]) => [header, <Code>{shown(value)}</Code>])} />
            </div>
          </details>
        </div>
      </Card>
    </div>
  )
}

/** More than this is slow to draw, and nobody reads it. */
const MOST_SHOWN = 200_000

function Body({ of: { text, type, bytes }, name }: { of: ApiAnswer; name: string }) {
  const t = useExplorerWords()
  const json = useMemo(() => (text !== undefined && text.length <= MOST_SHOWN ? parsed(text) : undefined), [text])
  if (bytes.size === 0) return <p class="quiet">{t.empty}</p>
  if (json !== undefined) return <JsonText value={json} label={t.answer} />
  if (text === undefined)
    return (
      <p class="row">
        {t.notText(type, bytes.size)}
        <Button icon="download" onClick={() => save(bytes, name)}>
          {t.save}
        </Button>
      </p>
    )
  return (
    <>
      {text.length > MOST_SHOWN && <p class="quiet">{t.tooLong(MOST_SHOWN, text.length)}</p>}
      <Scrolling label={t.answer} dir="auto">
        {shown(text.slice(0, MOST_SHOWN))}
      </Scrolling>
    </>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function save(bytes: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
