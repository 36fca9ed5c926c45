import type { TaskList } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { Link } from '../../parts/button.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Table } from '../../parts/table.tsx'
import { Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useWorkAddresses } from './addresses.ts'
import { Done, Priority } from './list-state.tsx'
import { ProjectPage } from './project-page.tsx'
import { useWorkWords } from './words.ts'

/** A project, with its task lists. */
export default function ProjectView({ params: { project = '' } }: ViewProps) {
  return <ProjectPage project={project}>{({ id }) => <Lists project={id} />}</ProjectPage>
}

function Lists({ project }: { project: string }) {
  const t = useWorkWords()
  const { id } = useCompany()
  const lists = useCollection('GET /companies/{company}/records/projects/{project}/lists', {
    params: { company: id, project },
  })
  return (
    <LoadedCollection of={lists} empty={t.noLists}>
      {rows => <ListsTable rows={rows} />}
    </LoadedCollection>
  )
}

function ListsTable({ rows }: { rows: TaskList[] }) {
  const t = useWorkWords()
  const addresses = useWorkAddresses()
  return (
    <Table
      label={t.lists}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t.list,
          main: true,
          show: ({ id, project_id, title }) => (
            <Link to={addresses.list(project_id, id)}>
              <Name>{title}</Name>
            </Link>
          ),
        },
        { title: t.progress, show: list => <Done list={list} /> },
        { title: t.priority, show: ({ priority }) => <Priority of={priority} /> },
        { title: t.updated, show: ({ updated_at }) => <Time at={updated_at} /> },
      ]}
    />
  )
}
