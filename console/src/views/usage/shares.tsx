import type { GetUsageQuery, Usage, UsageShare } from '../../api/types.ts'
import { KeyName } from '../../parts/key-name.tsx'
import { Card } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Code, Figure } from '../../parts/text.tsx'
import '../../style/usage.css'
import { useUsageWords } from './words.ts'

type By = NonNullable<GetUsageQuery['by']>

/** Who made the calls of a period, for what, or how they were answered. */
export function Shares({ of: days, by, total }: { of: Usage[]; by: By; total: number }) {
  const t = useUsageWords()
  return (
    <Card title={t.byTitle[by]}>
      <Table
        label={t.byTitle[by]}
        rows={summed(days, by)}
        keyOf={nameOf}
        columns={[
          { title: t.by[by], main: true, show: share => <Shown share={share} /> },
          { title: t.calls, figures: true, show: ({ calls }) => <Figure>{calls}</Figure> },
          {
            title: t.share,
            show: ({ calls }) => (
              <span class="share">
                <span class="share-bar" aria-hidden="true">
                  <span style={{ inlineSize: `${(100 * calls) / total}%` }} />
                </span>
                <Figure style="percent" maximumFractionDigits={1}>
                  {calls / total}
                </Figure>
              </span>
            ),
          },
        ]}
      />
    </Card>
  )
}

/** The same over all days, most calls first. */
function summed(days: Usage[], by: By): UsageShare[] {
  const sums = new Map<string, UsageShare>()
  for (const share of days.flatMap(day => day.by ?? [])) {
    const before = sums.get(nameOf(share))
    sums.set(nameOf(share), { ...share, calls: share.calls + (before?.calls ?? 0) })
  }
  return [...sums.values()].filter(share => by in share).sort((a, b) => b.calls - a.calls)
}

const nameOf = ({ key, operation, status }: UsageShare) => String(key?.id ?? operation ?? status ?? 'none')

function Shown({ share: { key, operation, status } }: { share: UsageShare }) {
  const t = useUsageWords()
  if (key) return <KeyName of={key} />
  if (operation) return <Code>{operation}</Code>
  if (status) return <StatusBadge of={status} />
  return (
    <>
      {t.unattributed}
      <p class="hint">{t.unattributedHint}</p>
    </>
  )
}
