import { useCollection } from '../../api/use-collection.ts'
import { useCompany } from '../../frame/standing.ts'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useProjectNames } from './project-names.tsx'
import { TaskFilters } from './task-filters.tsx'
import { useTaskFilters } from './task-query.ts'
import { TasksTable } from './tasks-table.tsx'
import { useWorkWords } from './words.ts'

/** The tasks of all projects, filtered by the URL. */
export default function Tasks() {
  const t = useWorkWords()
  const { id } = useCompany()
  const filters = useTaskFilters()
  const projectNames = useProjectNames()
  const tasks = useCollection('GET /companies/{company}/records/company/tasks', {
    params: { company: id },
    query: filters.query,
  })
  const { total, totalIsLowerBound } = tasks
  const found = total !== undefined && t.tasksFound(total)
  return (
    <Page title={t.tasks} lead={found && (totalIsLowerBound ? t.moreThan(found) : found)}>
      <TaskFilters filters={filters} />
      <LoadedCollection of={tasks} empty={filters.isSet ? t.noTaskMatches : t.noTasks}>
        {rows => <TasksTable tasks={rows} projectNames={projectNames} />}
      </LoadedCollection>
    </Page>
  )
}
