import type { ListedProject } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useQuery } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { CheckField } from '../../parts/form.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Badge, Figure, Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useWorkAddresses } from './addresses.ts'
import { useWorkWords } from './words.ts'
import '../../style/records.css'

export default function Projects() {
  const t = useWorkWords()
  const { id } = useCompany()
  const [archived, setArchived] = useQuery('include_archived')
  const projects = useCollection('GET /companies/{company}/records/projects', {
    params: { company: id },
    query: { include_archived: archived !== '' },
  })
  return (
    <Page title={t.projects} lead={projects.total !== undefined && t.projectsFound(projects.total)}>
      <div class="filter-block">
        <CheckField
          label={t.archivedProjects}
          checked={archived !== ''}
          onChange={on => setArchived(on ? 'true' : '')}
        />
      </div>
      <LoadedCollection of={projects} empty={t.noProjects}>
        {rows => <ProjectsTable rows={rows} />}
      </LoadedCollection>
    </Page>
  )
}

function ProjectsTable({ rows }: { rows: ListedProject[] }) {
  const t = useWorkWords()
  const common = useCommonWords()
  const addresses = useWorkAddresses()
  return (
    <Table
      label={t.projects}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t.project,
          main: true,
          show: ({ id, name }) => (
            <Link to={addresses.project(id)}>
              <Name>{name}</Name>
            </Link>
          ),
        },
        { title: common.state, show: project => <ProjectState of={project} /> },
        { title: t.lists, figures: true, show: ({ task_lists_count }) => <Figure>{task_lists_count}</Figure> },
        { title: t.tasks, figures: true, show: ({ tasks_count }) => <Figure>{tasks_count}</Figure> },
        { title: t.updated, show: ({ updated_at }) => <Time at={updated_at} /> },
      ]}
    />
  )
}

export function ProjectState({ of: { is_public, archived } }: { of: Pick<ListedProject, 'is_public' | 'archived'> }) {
  const t = useWorkWords()
  return (
    <span class="row">
      <Badge>{is_public ? t.isPublic : t.isPrivate}</Badge>
      {archived && <Badge tone="warn">{t.archived}</Badge>}
    </span>
  )
}
