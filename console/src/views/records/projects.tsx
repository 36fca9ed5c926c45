import { call } from '../../api/call.ts'
import type { ListedProject } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { go, useQuery } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { useLive } from '../../live/use-live.ts'
import { Link } from '../../parts/button.tsx'
import { CheckField } from '../../parts/form.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Badge, Figure, Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { AddLine } from './add-line.tsx'
import { useWorkAddresses } from './addresses.ts'
import { useDoingWords } from './doing-words.ts'
import { useWorkWords } from './words.ts'
import '../../style/records.css'

export default function Projects() {
  const t = useWorkWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const [archived, setArchived] = useQuery('include_archived')
  const projects = useCollection('GET /companies/{company}/records/projects', {
    params: { company: id },
    query: { include_archived: archived !== '' },
  })
  useLive({ kinds: ['project', 'task_list', 'task'] }, projects.reload)
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
      {may('createProject') && projects.data && <NewProject />}
    </Page>
  )
}

/** A project is made by its name, and opens as soon as it is there. */
function NewProject() {
  const t = useDoingWords()
  const { id: company } = useCompany()
  const addresses = useWorkAddresses()
  const [isAskedFor] = useQuery('new')
  const add = async (name: string, idempotencyKey: string) => {
    const path = 'POST /companies/{company}/records/projects'
    const { data } = await call(path, { params: { company }, body: { name }, idempotencyKey })
    go(addresses.project(data.id))
  }
  return (
    <AddLine label={t.addProject} placeholder={t.addProject} place="project" add={add} autoFocus={isAskedFor !== ''} />
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
