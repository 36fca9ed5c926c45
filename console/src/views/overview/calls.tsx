import type { Usage, UsageToday } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'
import { useNoApi } from '../../parts/api-note.tsx'
import { Link } from '../../parts/button.tsx'
import { CallsChart } from '../../parts/calls-chart.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Figure } from '../../parts/text.tsx'
import { useOverviewWords } from './words.ts'

export function CallsOfLateDays() {
  const t = useOverviewWords()
  const { id } = useCompany()
  const usage = useAnswer(
    'GET /companies/{company}/usage',
    { params: { company: id }, query: { days: 30, by: 'status' } },
    60_000,
  )
  return (
    <Loaded of={usage}>
      {({ data: days, meta }) => (
        <Card title={t.lastDays} actions={<Link to={`/companies/${id}/usage`}>{t.allUsage}</Link>}>
          <Today day={days.at(-1)} today={meta} />
          <CallsChart label={t.chart(days.reduce((sum, { calls }) => sum + calls, 0))} days={days} byStatus={days} />
        </Card>
      )}
    </Loaded>
  )
}

function Today({ day, today }: { day: Usage | undefined; today: UsageToday }) {
  const t = useOverviewWords()
  const noApi = useNoApi()
  if (!day) return null
  if (noApi) return <p class="quiet">{noApi}</p>
  return (
    <>
      <p>
        <span class="quiet">{t.callsToday}</span>{' '}
        <strong>
          <Figure>{day.calls}</Figure>
        </strong>{' '}
        <span class="quiet">{day.limit === null ? t.unlimited : t.of(day.limit)}</span>
      </p>
      {today.forecast !== null && <p class="quiet">{t.expected(today.forecast)}</p>}
    </>
  )
}
