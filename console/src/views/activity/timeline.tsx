import type { TimelineEntry } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany } from '../../frame/standing.ts'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { Subject } from './subject.tsx'
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
    { title: subject, show: entry => <Subject of={entry.subject} /> },
    { title: project, show: entry => <Name>{entry.project.name}</Name> },
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
