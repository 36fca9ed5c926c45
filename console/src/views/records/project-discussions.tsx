import type { Discussion } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { useLive } from '../../live/use-live.ts'
import { Link } from '../../parts/button.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Table } from '../../parts/table.tsx'
import { Figure, Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useWorkAddresses } from './addresses.ts'
import { NewDiscussion } from './new-discussion.tsx'
import { ProjectPage } from './project-page.tsx'
import { useWorkWords } from './words.ts'

export default function ProjectDiscussions({ params: { project = '' } }: ViewProps) {
  return (
    <ProjectPage project={project}>
      {({ id, archived }) => (
        <>
          {!archived && <NewDiscussion project={id} />}
          <Discussions project={id} />
        </>
      )}
    </ProjectPage>
  )
}

function Discussions({ project }: { project: string }) {
  const t = useWorkWords()
  const { id } = useCompany()
  const discussions = useCollection('GET /companies/{company}/records/projects/{project}/discussions', {
    params: { company: id, project },
  })
  useLive({ kinds: ['discussion', 'comment'], project }, discussions.reload)
  return (
    <LoadedCollection of={discussions} empty={t.noDiscussions}>
      {rows => <DiscussionsTable rows={rows} project={project} />}
    </LoadedCollection>
  )
}

function DiscussionsTable({ rows, project }: { rows: Discussion[]; project: string }) {
  const t = useWorkWords()
  const common = useCommonWords()
  const addresses = useWorkAddresses()
  return (
    <Table
      label={t.discussions}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t.discussion,
          main: true,
          show: ({ id, title }) => (
            <Link to={addresses.discussion(project, id)}>
              <Name>{title}</Name>
            </Link>
          ),
        },
        { title: t.category, show: ({ category }) => <Name>{category}</Name> },
        { title: t.author, show: ({ author }) => <Name>{author}</Name> },
        { title: t.replies, figures: true, show: ({ replies_count }) => <Figure>{replies_count}</Figure> },
        { title: common.created, show: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  )
}
