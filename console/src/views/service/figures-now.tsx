import type { ComponentChildren } from 'preact'
import type { FiguresStep } from '../../api/types.ts'
import { Card } from '../../parts/page.tsx'
import { Figure } from '../../parts/text.tsx'
import { formatNumber, useLanguage } from '../../words/language.ts'
import { useServiceWords } from './words.ts'

const sumOf = ({ requests }: FiguresStep) => Object.values(requests).reduce((sum, n) => sum + n, 0)

/** The last step in figures, and the errors of all steps that are shown. */
export function FiguresNow({ steps, stepSeconds }: { steps: FiguresStep[]; stepSeconds: number }) {
  const t = useServiceWords()
  const language = useLanguage()
  const last = steps.at(-1)
  if (!last) return null
  const requests = steps.reduce((sum, step) => sum + sumOf(step), 0)
  const errors = steps.reduce((sum, step) => sum + step.requests['5xx'], 0)
  const share = formatNumber(language, requests ? errors / requests : 0, { style: 'percent', maximumFractionDigits: 2 })
  return (
    <div class="cards">
      <Shown title={t.now}>
        <Figure maximumFractionDigits={1}>{sumOf(last) / stepSeconds}</Figure>
      </Shown>
      <Shown title={t.nowLatency} hint={t.nowLatencyHint}>
        {last.p95_ms === null ? (
          t.noRequests
        ) : (
          <Figure style="unit" unit="millisecond" unitDisplay={t.unitDisplay} maximumFractionDigits={1}>
            {last.p95_ms}
          </Figure>
        )}
      </Shown>
      <Shown title={t.errors} hint={t.errorShare(share)}>
        <Figure>{errors}</Figure>
      </Shown>
      <Shown title={t.memoryNow}>
        <Figure style="unit" unit="megabyte" unitDisplay={t.unitDisplay} maximumFractionDigits={0}>
          {last.memory_bytes / 1e6}
        </Figure>
      </Shown>
    </div>
  )
}

function Shown({ title, hint, children }: { title: string; hint?: string; children: ComponentChildren }) {
  return (
    <Card>
      <p class="quiet">{title}</p>
      <p class="figure">{children}</p>
      {hint && <p class="quiet">{hint}</p>}
    </Card>
  )
}
