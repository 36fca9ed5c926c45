import type { ComponentChildren } from 'preact'
import type { Counts } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Figure, Note } from '../../parts/text.tsx'
import { formatNumber, useLanguage } from '../../words/language.ts'
import { useNotices } from './notices.ts'
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
  const { may } = useStanding()
  return (
    <div class="cards">
      <Counted label={t.openTasks} n={of.open_tasks} to={`/companies/${id}/tasks?completed=false`}>
        {of.overdue_tasks > 0 && <Link to={`/companies/${id}/tasks?overdue=true`}>{t.overdue(of.overdue_tasks)}</Link>}
      </Counted>
      <Counted label={t.projects} n={of.projects} to={`/companies/${id}/projects`} />
      <Counted label={t.people} n={of.people} to={`/companies/${id}/people`} />
      <Counted label={t.keys} n={of.keys} to={may('listKeys') && `/companies/${id}/keys`} />
    </div>
  )
}

interface CountedProps {
  label: string
  n: number
  /** Where they are listed, if the reader may see that. */
  to: string | false
  children?: ComponentChildren
}

function Counted({ label, n, to, children }: CountedProps) {
  const language = useLanguage()
  return (
    <Card>
      <p class="quiet">{label}</p>
      <p class="figure">
        {to ? (
          <Link to={to} aria-label={`${label}: ${formatNumber(language, n)}`}>
            <Figure>{n}</Figure>
          </Link>
        ) : (
          <Figure>{n}</Figure>
        )}
      </p>
      {children}
    </Card>
  )
}

function Notices({ of }: { of: Counts }) {
  const t = useOverviewWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const notices = useNotices(of)
  const needsKey = of.keys === 0 && may('createKey')
  if (notices.length === 0 && !needsKey) return null
  return (
    <section class="notices" aria-label={t.notices}>
      {needsKey && (
        <Note tone="warn">
          <p>
            {t.noKeys} <Link to={`/companies/${id}/keys/new`}>{t.makeKey}</Link>
          </p>
        </Note>
      )}
      {notices.map(({ text, to }) => (
        <Note key={text} tone="warn">
          <p>{to ? <Link to={to}>{text}</Link> : text}</p>
        </Note>
      ))}
    </section>
  )
}
