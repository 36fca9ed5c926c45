import type { Usage } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Chart, type Line } from '../../parts/chart.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Figure, Name } from '../../parts/text.tsx'
import { useOverviewWords } from './words.ts'

/** What a company looks at first. */
export default function Overview() {
  const t = useOverviewWords()
  const company = useCompany()
  const { may } = useStanding()
  return (
    <Page title={t.title} heading={<Name>{company.name}</Name>}>
      {may('getUsage') && <CallsOfLateDays />}
    </Page>
  )
}

function CallsOfLateDays() {
  const t = useOverviewWords()
  const { id } = useCompany()
  const usage = useAnswer('GET /companies/{company}/usage', { params: { company: id }, query: { days: 30 } }, 60_000)
  return (
    <Loaded of={usage}>
      {({ data: days }) => (
        <>
          <Today day={days.at(-1)} />
          <Card title={t.lastDays} actions={<Link to={`/companies/${id}/usage`}>{t.allUsage}</Link>}>
            <DaysChart days={days} />
          </Card>
        </>
      )}
    </Loaded>
  )
}

function Today({ day }: { day: Usage | undefined }) {
  const t = useOverviewWords()
  if (!day) return null
  return (
    <div class="cards">
      <Card>
        <p class="quiet">{t.callsToday}</p>
        <p class="figure">
          <Figure>{day.calls}</Figure>
        </p>
        <p class="quiet">{day.limit === null ? t.unlimited : t.of(day.limit)}</p>
      </Card>
    </div>
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
      times={days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1000)}
      lines={lines}
    />
  )
}
