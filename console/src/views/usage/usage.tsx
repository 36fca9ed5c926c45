import type { Answer } from '../../api/call.ts'
import type { GetUsageQuery, Usage } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useQuery } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { CallsChart } from '../../parts/calls-chart.tsx'
import { Filters, SelectField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Figure } from '../../parts/text.tsx'
import { Day } from '../../parts/time.tsx'
import { Shares } from './shares.tsx'
import { Today } from './today.tsx'
import { useUsageWords } from './words.ts'

const PERIODS = ['7', '30', '90', '366']
type By = NonNullable<GetUsageQuery['by']>
const isBy = (text: string, words: Record<By, string>): text is By => Object.hasOwn(words, text)

/** The calls of a company: today, day by day, and who made them. */
export default function UsageView() {
  const t = useUsageWords()
  const { id } = useCompany()
  const [days, setDays] = useQuery('days', '30')
  const [wanted, setBy] = useQuery('by', 'key')
  const by = isBy(wanted, t.by) ? wanted : 'key'
  const query = { days: PERIODS.includes(days) ? Number(days) : 30, by }
  const usage = useAnswer('GET /companies/{company}/usage', { params: { company: id }, query }, 15_000)
  return (
    <Page title={t.title} lead={t.lead}>
      <Filters>
        <SelectField
          label={t.period}
          value={days}
          onChange={setDays}
          options={PERIODS.map(one => [one, one === '366' ? t.lastYear : t.lastDays(Number(one))] as const)}
        />
        <SelectField
          label={t.dividedBy}
          value={by}
          onChange={setBy}
          options={(Object.keys(t.by) as By[]).map(one => [one, t.by[one]] as const)}
        />
      </Filters>
      <Loaded of={usage}>{answer => <Period of={answer} by={by} />}</Loaded>
    </Page>
  )
}

function Period({ of: { data: days, meta }, by }: { of: Answer<'GET /companies/{company}/usage'>; by: By }) {
  const t = useUsageWords()
  const total = days.reduce((sum, { calls }) => sum + calls, 0)
  return (
    <>
      <Today day={days.at(-1)} meta={meta} />
      {total === 0 ? (
        <div class="empty">
          <p>{t.empty}</p>
        </div>
      ) : (
        <>
          <Days of={days} total={total} />
          <Shares of={days} by={by} total={total} />
        </>
      )}
    </>
  )
}

function Days({ of: days, total }: { of: Usage[]; total: number }) {
  const t = useUsageWords()
  return (
    <Card title={t.chartTitle}>
      <CallsChart label={t.chart(total, days.length)} days={days} />
      <details class="days">
        <summary>{t.asTable}</summary>
        <Table
          label={t.chartTitle}
          rows={days.filter(({ calls }) => calls > 0).reverse()}
          keyOf={({ date }) => date}
          columns={[
            { title: t.day, main: true, show: ({ date }) => <Day on={date} /> },
            { title: t.calls, figures: true, show: ({ calls }) => <Figure>{calls}</Figure> },
            {
              title: t.allowance,
              figures: true,
              show: ({ limit }) => (limit === null ? t.unlimited : <Figure>{limit}</Figure>),
            },
          ]}
        />
      </details>
    </Card>
  )
}
