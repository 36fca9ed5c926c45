import { call } from '../../api/call.ts'
import type { Task } from '../../api/types.ts'
import { useLoading } from '../../api/use-answer.ts'
import { type Collection, useCollection } from '../../api/use-collection.ts'
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
      <FoundTasks key={JSON.stringify(filters.query)} tasks={tasks} filters={filters} />
    </Page>
  )
}

/** What was done to tasks is forgotten when others are looked for. */
function FoundTasks({ tasks, filters }: { tasks: Collection<Task>; filters: TaskFilterValues }) {
  const t = useWorkWords()
  const { may } = useStanding()
  const working = useWorkingTasks(tasks.data ?? [])
  const projectNames = useProjectNames()
  const canChange = useAreOpen(filters) && may('changeTasks')
  const shown = { ...tasks, data: tasks.data && working.tasks }
  return (
    <Selectable working={working} canChange={canChange}>
      <LoadedCollection of={shown} empty={filters.isSet ? t.noTaskMatches : t.noTasks}>
        {() => (
          <>
            <p class="filter-block">
              <SelectButton />
            </p>
            <TasksTable working={working} canChange={canChange} projectNames={projectNames} />
          </>
        )}
      </LoadedCollection>
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
