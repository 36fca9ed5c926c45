import type { ComponentChildren } from 'preact'
import type { Counts } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Figure, Note } from '../../parts/text.tsx'
import { formatNumber, useLanguage } from '../../words/language.ts'
import { useOverviewWords } from './words.ts'

const REFRESHED_EVERY_MS = 60_000

export function CompanyCounts() {
  const { id } = useCompany()
  const counts = useAnswer('GET /companies/{company}/counts', { params: { company: id } }, REFRESHED_EVERY_MS)
  return (
    <Loaded of={counts}>
      {({ data }) => (
        <>
          <Notices of={data} />
          <Figures of={data} />
        </>
      )}
    </Loaded>
  )
}

function Figures({ of }: { of: Counts }) {
  const t = useOverviewWords()
  const { id } = useCompany()
  return (
    <div class="cards">
      <Counted label={t.openTasks} n={of.open_tasks} to={`/companies/${id}/tasks?completed=false`}>
        {of.overdue_tasks > 0 && <Link to={`/companies/${id}/tasks?overdue=true`}>{t.overdue(of.overdue_tasks)}</Link>}
      </Counted>
      <Counted label={t.projects} n={of.projects} to={`/companies/${id}/projects`} />
      <Counted label={t.people} n={of.people} to={`/companies/${id}/people`} />
      <Counted label={t.keys} n={of.keys} to={`/companies/${id}/keys`} />
    </div>
  )
}

interface CountedProps {
  label: string
  n: number
  to: string
  children?: ComponentChildren
}

function Counted({ label, n, to, children }: CountedProps) {
  const language = useLanguage()
  return (
    <Card>
      <p class="quiet">{label}</p>
      <p class="figure">
        <Link to={to} aria-label={`${label}: ${formatNumber(language, n)}`}>
          <Figure>{n}</Figure>
        </Link>
      </p>
      {children}
    </Card>
  )
}

/** What somebody should look at. Nothing, on most days. */
function Notices({ of }: { of: Counts }) {
  const t = useOverviewWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const { infected, failed } = of.files
  const scans = `/companies/${id}/scans?state=`
  const notices: ComponentChildren[] = []
  if (of.keys === 0 && may('createKey'))
    notices.push(
      <>
        {t.noKeys} <Link to={`/companies/${id}/keys/new`}>{t.makeKey}</Link>
      </>,
    )
  if (of.failing_webhooks > 0)
    notices.push(<Link to={`/companies/${id}/webhooks`}>{t.failingWebhooks(of.failing_webhooks)}</Link>)
  if (infected > 0) notices.push(<Link to={`${scans}infected`}>{t.infectedFiles(infected)}</Link>)
  if (failed > 0) notices.push(<Link to={`${scans}failed`}>{t.failedScans(failed)}</Link>)
  if (notices.length === 0) return null
  return (
    <section class="notices" aria-label={t.notices}>
      {notices.map((notice, n) => (
        <Note key={n} tone="warn">
          <p>{notice}</p>
        </Note>
      ))}
    </section>
  )
}
