import { useEffect, useState } from 'preact/hooks'
import type { Company, Plan } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { asFlag, useQuery } from '../../frame/address.ts'
import { useStanding } from '../../frame/standing.ts'
import { Button, Link } from '../../parts/button.tsx'
import { Filters, SelectField } from '../../parts/form.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { SandboxBadge } from '../../parts/sandbox-note.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Table } from '../../parts/table.tsx'
import { Badge, Email, Figure, Name, Note } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { NewCompany } from './new-company.tsx'
import { usePlans } from './plans.ts'
import { useCompaniesWords } from './words.ts'

/** A cell that did not answer may be back soon. */
const SOON_MS = 5_000

/** All companies of the service, ten thousand of them if need be. */
export default function Companies() {
  const t = useCompaniesWords()
  const common = useCommonWords()
  const { may } = useStanding()
  const [q, setQ] = useQuery('q')
  const [plan, setPlan] = useQuery('plan')
  const [closed, setClosed] = useQuery('closed')
  const [creating, setCreating] = useState(false)
  const plans = usePlans()
  const [isCellAway, setCellAway] = useState(false)
  const companies = useCollection(
    'GET /companies',
    { query: { q, plan: plan as Plan, closed: asFlag(closed) } },
    isCellAway ? SOON_MS : undefined,
  )
  useEffect(() => setCellAway(companies.cellsAway.length > 0), [companies.cellsAway.length])
  return (
    <Page
      title={t.title}
      lead={companies.total !== undefined && t.found(companies.total)}
      actions={
        may('createCompany') && (
          <Button main icon="plus" onClick={() => setCreating(true)}>
            {t.create}
          </Button>
        )
      }
    >
      <Filters>
        <SearchField label={common.search} placeholder={t.searchFor} value={q} onChange={setQ} />
        <SelectField
          label={t.plan}
          value={plan}
          onChange={setPlan}
          options={[['', t.allPlans], ...plans.map(({ name, title }) => [name, title] as const)]}
        />
        <SelectField
          label={common.state}
          value={closed}
          onChange={setClosed}
          options={[
            ['', common.all],
            ['false', t.open],
            ['true', t.closed],
          ]}
        />
      </Filters>
      {companies.cellsAway.length > 0 && (
        <div class="above-view">
          <Note tone="warn">{t.cellsAway(companies.cellsAway.map(String).join(', '))}</Note>
        </div>
      )}
      <LoadedCollection of={companies} empty={q || plan || closed ? t.noMatch : t.none}>
        {rows => <CompaniesTable rows={rows} />}
      </LoadedCollection>
      {creating && (
        <NewCompany
          onClose={() => {
            setCreating(false)
            companies.reload()
          }}
        />
      )}
    </Page>
  )
}

function CompaniesTable({ rows }: { rows: Company[] }) {
  const t = useCompaniesWords()
  const common = useCommonWords()
  const plans = usePlans()
  return (
    <Table
      label={t.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: common.name,
          main: true,
          show: ({ id, name, cell }) => (
            <>
              <Link to={`/companies/${id}`}>
                <Name>{name}</Name>
              </Link>
              {cell !== null && (
                <div class="quiet">
                  {t.cell} <Figure useGrouping={false}>{cell}</Figure>
                </div>
              )}
            </>
          ),
        },
        {
          title: t.owner,
          show: ({ owner }) => (
            <div class="person">
              <Name>{owner.name}</Name>
              <div class="quiet">
                <Email>{owner.email}</Email>
              </div>
            </div>
          ),
        },
        { title: t.plan, show: ({ plan }) => plans.find(({ name }) => name === plan)?.title ?? plan },
        { title: common.state, show: company => <CompanyState of={company} /> },
        { title: t.keys, figures: true, show: ({ keys_count }) => <Figure>{keys_count}</Figure> },
        { title: t.callsToday, figures: true, show: ({ calls_today }) => <Figure>{calls_today}</Figure> },
        { title: common.created, show: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  )
}

function CompanyState({ of: company }: { of: Company }) {
  const { closed_at, subscription, rest_api } = company
  const t = useCompaniesWords()
  if (closed_at) return <Badge tone="bad">{t.closed}</Badge>
  return (
    <span class="row">
      <SandboxBadge of={company} />
      <Badge tone={subscription === 'active' ? 'good' : 'warn'}>{t.subscriptions[subscription]}</Badge>
      <Badge>
        {t.api}: {rest_api ? t.on : t.off}
      </Badge>
    </span>
  )
}
