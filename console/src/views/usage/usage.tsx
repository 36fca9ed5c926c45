import type { Answer } from '../../api/call.ts'
import type { GetUsageQuery, Usage, UsageShare } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useQuery } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { NoApiNote, useNoApi } from '../../parts/api-note.tsx'
import { CallsChart } from '../../parts/calls-chart.tsx'
import { Filters, SelectField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NothingYet } from '../../parts/nothing-yet.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Shares } from './shares.tsx'
import { Today } from './today.tsx'
import { useUsageWords } from './words.ts'

const REFRESHED_EVERY_MS = 15_000
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
  const period = PERIODS.includes(days) ? Number(days) : 30
  const usageBy = (one: By) => ({ params: { company: id }, query: { days: period, by: one } })
  const usage = useAnswer('GET /companies/{company}/usage', usageBy(by), REFRESHED_EVERY_MS)
  const byStatus = useAnswer('GET /companies/{company}/usage', usageBy('status'), REFRESHED_EVERY_MS)
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
      <Loaded of={usage}>{answer => <Period of={answer} by={by} byStatus={byStatus.data?.data} />}</Loaded>
    </Page>
  )
}

interface PeriodProps {
  of: Answer<'GET /companies/{company}/usage'>
  by: By
  byStatus: Usage[] | undefined
}

function Period({ of: { data: days, meta }, by, byStatus }: PeriodProps) {
  const t = useUsageWords()
  const noApi = useNoApi()
  const total = days.reduce((sum, { calls }) => sum + calls, 0)
  // Where the API answers nobody, there is no allowance to speak of, and nothing to wait for.
  if (noApi && total === 0) return <NoApiNote />
  return (
    <>
      {noApi ? <NoApiNote /> : <Today day={days.at(-1)} meta={meta} />}
      {total === 0 ? (
        <div class="empty">
          <NothingYet next="createKey">{t.empty}</NothingYet>
        </div>
      ) : (
        <>
          <Days of={days} by={by} byStatus={byStatus} total={total} />
          <Shares of={days} by={by} total={total} />
        </>
      )}
    </>
  )
}

interface DaysProps {
  of: Usage[]
  by: By
  byStatus: Usage[] | undefined
  total: number
}

function Days({ of: days, by, byStatus, total }: DaysProps) {
  const t = useUsageWords()
  const nameOf = ({ key, operation, status }: UsageShare) =>
    key?.name ?? operation ?? (status ? String(status) : t.unattributed)
  return (
    <Card title={t.chartTitle}>
      <CallsChart
        label={t.chart(total, days.length)}
        days={days}
        parts={{ nameOf }}
        byStatus={by === 'status' ? undefined : byStatus}
      />
    </Card>
  )
}
