import { call } from '../../api/call.ts'
import type { Task } from '../../api/types.ts'
import { useLoading } from '../../api/use-answer.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { useLive } from '../../live/use-live.ts'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useProjectNames } from './project-names.tsx'
import { Selectable, SelectButton } from './selectable.tsx'
import { TaskFilters } from './task-filters.tsx'
import { type TaskFilterValues, useTaskFilters } from './task-query.ts'
import { TasksTable } from './tasks-table.tsx'
import { useWorkingTasks } from './use-working-tasks.ts'
import { useWorkWords } from './words.ts'

/** The tasks of all projects, filtered by the URL. */
export default function Tasks() {
  const t = useWorkWords()
  const { id } = useCompany()
  const filters = useTaskFilters()
  const tasks = useCollection('GET /companies/{company}/records/company/tasks', {
    params: { company: id },
    query: filters.query,
  })
  useLive({ kinds: ['task', 'task_list', 'project'] }, tasks.reload)
  const { total, totalIsLowerBound } = tasks
  const found = total !== undefined && t.tasksFound(total)
  return (
    <Page title={t.tasks} lead={found && (totalIsLowerBound ? t.moreThan(found) : found)}>
      <TaskFilters filters={filters} />
      <LoadedCollection of={tasks} empty={filters.isSet ? t.noTaskMatches : t.noTasks}>
        {rows => <FoundTasks rows={rows} filters={filters} />}
      </LoadedCollection>
    </Page>
  )
}

/** What was done to tasks is forgotten when others are looked for. */
function FoundTasks({ rows, filters }: { rows: Task[]; filters: TaskFilterValues }) {
  const { may } = useStanding()
  const working = useWorkingTasks(rows)
  const canChange = useAreOpen(filters) && may('changeTasks')
  return (
    <Selectable working={working} canChange={canChange}>
      <p class="filter-block">
        <SelectButton />
      </p>
      <TasksTable working={working} canChange={canChange} projectNames={useProjectNames()} />
    </Selectable>
  )
}

/** Whether no task of an archived project is among what is found. One that the filters name is shown even if it is archived. */
function useAreOpen({ query: { project: named = [], include_archived = false } }: TaskFilterValues): boolean {
  const { id: company } = useCompany()
  const { data: areOpen = false } = useLoading(
    async signal => {
      const path = 'GET /companies/{company}/records/projects/{project}'
      const each = await Promise.all(named.map(project => call(path, { params: { company, project }, signal })))
      return !include_archived && each.every(({ data }) => !data.archived)
    },
    [company, named, include_archived],
  )
  return areOpen
}
