import type { Usage, UsageToday } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Chart, type Line } from '../../parts/chart.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Figure } from '../../parts/text.tsx'
import { useOverviewWords } from './words.ts'

export function CallsOfLateDays() {
  const t = useOverviewWords()
  const { id } = useCompany()
  const usage = useAnswer('GET /companies/{company}/usage', { params: { company: id }, query: { days: 30 } }, 60_000)
  return (
    <Loaded of={usage}>
      {({ data: days, meta }) => (
        <Card title={t.lastDays} actions={<Link to={`/companies/${id}/usage`}>{t.allUsage}</Link>}>
          <Today day={days.at(-1)} today={meta} />
          <DaysChart days={days} />
        </Card>
      )}
    </Loaded>
  )
}

function Today({ day, today }: { day: Usage | undefined; today: UsageToday }) {
  const t = useOverviewWords()
  if (!day) return null
  return (
    <p class="row">
      <span class="quiet">{t.callsToday}</span>
      <strong>
        <Figure>{day.calls}</Figure>
      </strong>
      <span class="quiet">{day.limit === null ? t.unlimited : t.of(day.limit)}</span>
      {today.forecast !== null && <span class="quiet">· {t.expected(today.forecast)}</span>}
    </p>
  )
}

function DaysChart({ days }: { days: Usage[] }) {
  const t = useOverviewWords()
  const lines: Line[] = [{ label: t.calls, colour: 'accent', as: 'bars', values: days.map(({ calls }) => calls) }]
  if (days.some(({ limit }) => limit !== null))
    lines.push({ label: t.allowance, colour: 'warn', values: days.map(({ limit }) => limit) })
  const total = days.reduce((sum, { calls }) => sum + calls, 0)
  return (
    // A day is a day: drawn at its midnight in no zone.
    <Chart
      label={t.chart(total)}
      zone="UTC"
      daily
      times={days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1000)}
      lines={lines}
    />
  )
}
