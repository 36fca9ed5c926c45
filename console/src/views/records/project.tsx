import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Project, TaskList } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useQuery } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { useLive } from '../../live/use-live.ts'
import { Button } from '../../parts/button.tsx'
import { CheckField } from '../../parts/form.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { AddLine } from './add-line.tsx'
import { useDoingWords } from './doing-words.ts'
import { useEditingWords } from './editing-words.ts'
import { ListCard } from './list-card.tsx'
import { ProjectPage } from './project-page.tsx'
import { Selectable, SelectButton } from './selectable.tsx'
import { useWorkingTasks } from './use-working-tasks.ts'
import { useWorkWords } from './words.ts'
import '../../style/work.css'

/** A project, with its task lists and what is to be done in them. */
export default function ProjectView({ params: { project = '' } }: ViewProps) {
  return <ProjectPage project={project}>{project => <Lists project={project} />}</ProjectPage>
}

function Lists({ project }: { project: Project }) {
  const t = useWorkWords()
  const doing = useDoingWords()
  const { may } = useStanding()
  const [withCompleted, setWithCompleted] = useQuery('completed')
  const editing = useEditingWords()
  const canAdd = may('createTaskList') && !project.archived
  const { lists, add, drop } = useLists(project.id)
  const { tasks, working } = useTasksOf(project.id, withCompleted !== '')
  return (
    <Selectable working={working} canChange={may('changeTasks') && !project.archived}>
      <div class="filter-block row">
        <CheckField
          label={doing.showCompleted}
          checked={withCompleted !== ''}
          onChange={on => setWithCompleted(on ? 'true' : '')}
        />
        {working.tasks.length > 0 && <SelectButton />}
      </div>
      <div class="lists">
        <LoadedCollection of={lists} empty={canAdd ? editing.firstList : t.noLists}>
          {rows =>
            rows.map(list => (
              <ListCard
                key={list.id}
                list={list}
                loading={tasks}
                working={working}
                isArchived={project.archived}
                onDeleted={() => drop(list)}
              />
            ))
          }
        </LoadedCollection>
        {tasks.more && (
          <p class="centred">
            <Button onClick={tasks.more} busy={tasks.loadingMore}>
              {doing.moreTasks}
            </Button>
          </p>
        )}
        {canAdd && lists.data && (
          <Card>
            <AddLine label={doing.addList} placeholder={doing.addList} place={`project/${project.id}/list`} add={add} />
          </Card>
        )}
      </div>
    </Selectable>
  )
}

/** The lists of a project, with those that are added here and without those that are deleted. */
function useLists(project: string) {
  const { id: company } = useCompany()
  const at = { params: { company, project } }
  const lists = useCollection('GET /companies/{company}/records/projects/{project}/lists', at)
  useLive({ kinds: ['task_list'], project }, lists.reload)
  const [added, setAdded] = useState<TaskList[]>([])
  const add = async (title: string, idempotencyKey: string) => {
    const path = 'POST /companies/{company}/records/projects/{project}/lists'
    const { data } = await call(path, { ...at, body: { title }, idempotencyKey })
    setAdded(before => [...before, data])
  }
  const [gone, setGone] = useState<string[]>([])
  const drop = ({ id }: TaskList) => setGone(before => [...before, id])
  const isLoaded = new Set(lists.data?.map(({ id }) => id))
  const rest = added.filter(({ id }) => !isLoaded.has(id))
  const data = lists.data && [...lists.data, ...rest].filter(({ id }) => !gone.includes(id))
  return { lists: { ...lists, data }, add, drop }
}

/** The tasks of all lists together, in one request however many lists there are. */
function useTasksOf(project: string, withCompleted: boolean) {
  const { id: company } = useCompany()
  const tasks = useCollection('GET /companies/{company}/records/projects/{project}/tasks', {
    params: { company, project },
    query: { limit: 100, ...(!withCompleted && { completed: false }) },
  })
  useLive({ kinds: ['task', 'task_list'], project }, tasks.reload)
  return { tasks, working: useWorkingTasks(tasks.data ?? []) }
}
