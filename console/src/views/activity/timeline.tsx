import type { TimelineEntry } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useActivityWords } from './words.ts'

/** What happened in the discussions of a company. */
export default function Timeline() {
  const { timeline: t, what, subject, project } = useActivityWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const entries = useCollection('GET /companies/{company}/timeline', { params: { company } })
  const columns: Column<TimelineEntry>[] = [
    { title: common.who, main: true, show: ({ actor }) => <Name>{actor}</Name> },
    { title: what, show: ({ kind }) => t.kinds[kind] ?? kind },
    {
      title: subject,
      show: entry => (
        <WorkLink to={`/projects/${entry.project.id}/discussions/${entry.subject.id}`}>{entry.subject.title}</WorkLink>
      ),
    },
    {
      title: project,
      show: entry => <WorkLink to={`/projects/${entry.project.id}`}>{entry.project.name}</WorkLink>,
    },
    { title: common.when, show: ({ created_at }) => <Time at={created_at} /> },
  ]
  return (
    <Page title={t.title} lead={t.lead}>
      <LoadedCollection of={entries} empty={t.empty}>
        {rows => <Table label={t.title} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </LoadedCollection>
    </Page>
  )
}

/** Leads into the work, for those who may read it. */
function WorkLink({ to, children }: { to: string; children: string }) {
  const { id } = useCompany()
  if (!useStanding().may('readProject')) return <Name>{children}</Name>
  return (
    <Link to={`/companies/${id}${to}`}>
      <Name>{children}</Name>
    </Link>
  )
}
