import type { Key, KeyUsage } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useQuery } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Chart } from '../../parts/chart.tsx'
import { Filters, SelectField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Code, Figure, Told } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { AllowOperation } from './allow-operation.tsx'
import { useKeysWords } from './words.ts'

const PERIODS = ['7', '30', '90']

/** What a key did in the last days, and what it was denied. */
export function KeyLately({ of: key, reload }: { of: Key; reload: () => void }) {
  const t = useKeysWords()
  const company = useCompany()
  const { may } = useStanding()
  const requests = `/companies/${company.id}/requests?key_id=${key.id}`
  const [days, setDays] = useQuery('days', '7')
  const usage = useAnswer(
    'GET /companies/{company}/keys/{key}/usage',
    { params: { company: company.id, key: key.id }, query: { days: PERIODS.includes(days) ? Number(days) : 7 } },
    15_000,
  )
  return (
    <>
      <Card title={t.lately} actions={may('listRequests') && <Link to={requests}>{t.requests}</Link>}>
        <Filters>
          <SelectField
            label={t.period}
            value={days}
            onChange={setDays}
            options={PERIODS.map(one => [one, t.lastDays(Number(one))] as const)}
          />
        </Filters>
        <Loaded of={usage}>{({ data }) => <Calls of={data} />}</Loaded>
      </Card>
      {usage.data && <Denials of={usage.data.data} to={key} reload={reload} />}
    </>
  )
}

function Calls({ of: usage }: { of: KeyUsage }) {
  const t = useKeysWords()
  if (usage.calls === 0) return <p class="quiet">{t.noCalls}</p>
  return (
    <div class="stack">
      <Chart
        label={t.callsInDays(usage.calls, usage.days.length)}
        zone="UTC"
        daily
        heightPx={160}
        times={usage.days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1000)}
        lines={[{ label: t.calls, colour: 'accent', as: 'bars', values: usage.days.map(({ calls }) => calls) }]}
      />
      <Table
        label={t.lately}
        rows={usage.operations}
        keyOf={({ operation, status }) => `${operation} ${status}`}
        columns={[
          { title: t.operation, main: true, show: ({ operation }) => <Code>{operation}</Code> },
          { title: t.status, show: ({ status }) => <StatusBadge of={status} /> },
          { title: t.calls, figures: true, show: ({ calls }) => <Figure>{calls}</Figure> },
        ]}
      />
    </div>
  )
}

/** Each with its cure, where the key lacks what it was denied. */
function Denials({ of: { denials }, to: key, reload }: { of: KeyUsage; to: Key; reload: () => void }) {
  const t = useKeysWords()
  const common = useCommonWords()
  const company = useCompany()
  const { may } = useStanding()
  const audit = `/companies/${company.id}/audit?outcome=denied&key_id=${key.id}`
  return (
    <Card
      title={t.denials}
      actions={denials.length > 0 && may('listAuditEntries') && <Link to={audit}>{t.allDenials}</Link>}
    >
      {denials.length === 0 ? (
        <p class="quiet">{t.noDenials}</p>
      ) : (
        <Table
          label={t.denials}
          rows={denials}
          keyOf={({ id }) => id}
          columns={[
            {
              title: t.request,
              main: true,
              show: ({ method, path }) => (
                <Code>
                  {method} {path}
                </Code>
              ),
            },
            { title: common.when, show: ({ created_at }) => <Time at={created_at} /> },
            { title: t.operation, short: true, show: ({ operation }) => <Code>{operation}</Code> },
            {
              title: t.reason,
              long: true,
              show: ({ reason, count, operation }) => (
                <>
                  <Told>{reason}</Told>
                  {count > 1 && <span class="quiet"> ({t.times(count)})</span>}
                  <AllowOperation on={key} operation={operation} onDone={reload} />
                </>
              ),
            },
          ]}
        />
      )}
    </Card>
  )
}
