import type { TimelineEntry, TimelineKind } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { DayLog } from '../../parts/day-log.tsx'
import { Doer } from '../../parts/doer.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { NothingYet } from '../../parts/nothing-yet.tsx'
import { Page } from '../../parts/page.tsx'
import { Sentence } from '../../parts/sentence.tsx'
import { Name } from '../../parts/text.tsx'
import { type Deed, useDeedWords } from '../../words/deeds.ts'
import { useActivityWords } from './words.ts'

/** What happened in the discussions of a company. */
export default function Timeline() {
  const { timeline: t } = useActivityWords()
  const { id: company } = useCompany()
  const entries = useCollection('GET /companies/{company}/timeline', { params: { company } })
  return (
    <Page title={t.title} lead={t.lead}>
      <LoadedCollection of={entries} empty={<NothingYet next="projects">{t.empty}</NothingYet>}>
        {rows => (
          <DayLog label={t.title} rows={rows} keyOf={({ id }) => id} at={({ created_at }) => created_at}>
            {entry => <Told of={entry} />}
          </DayLog>
        )}
      </LoadedCollection>
    </Page>
  )
}

const DEEDS: Record<TimelineKind, Deed> = { discussion_created: 'startedDiscussion', discussion_replied: 'replied' }

function Told({ of: { kind, project, subject, actor } }: { of: TimelineEntry }) {
  const t = useDeedWords()
  const at = `/projects/${project.id}`
  return (
    <Sentence
      text={t.sentence(DEEDS[kind] ?? 'didSomething')}
      fill={{
        who: <Doer text={t.who.person} name={actor} />,
        what: <WorkLink to={`${at}/discussions/${subject.id}`}>{subject.title}</WorkLink>,
        project: <WorkLink to={at}>{project.name}</WorkLink>,
      }}
    />
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
