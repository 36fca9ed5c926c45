import type { Task } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { useLive } from '../../live/use-live.ts'
import { Link } from '../../parts/button.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Name } from '../../parts/text.tsx'
import { useWorkAddresses } from '../records/addresses.ts'
import { useProjectNames } from '../records/project-names.tsx'
import { Selectable, SelectButton } from '../records/selectable.tsx'
import { TaskItem } from '../records/task-items.tsx'
import { todayIn } from '../records/today.ts'
import { useWorkingTasks, type WorkingTasks } from '../records/use-working-tasks.ts'
import { DUE_GROUPS, dueGroup } from './due-groups.ts'
import { useHomeWords } from './words.ts'

/** The reader's open tasks, by the day on which they are due. */
export function MyTasks() {
  const t = useHomeWords()
  const { id: company } = useCompany()
  const { zone, may } = useStanding()
  const mine = useCollection('GET /companies/{company}/records/me/tasks', {
    params: { company },
    query: { completed: false, sort: 'due', limit: 100 },
  })
  useLive({ kinds: ['task', 'task_list', 'project'] }, mine.reload)
  const working = useWorkingTasks(mine.data ?? [])
  const projectNames = useProjectNames()
  const today = todayIn(zone)
  const groups = Map.groupBy(working.tasks, task => dueGroup(task, today))
  return (
    <Selectable working={working} canChange={may('changeTasks')}>
      <Card title={t.myTasks} actions={working.tasks.length > 0 && <SelectButton />}>
        <LoadedCollection of={{ ...mine, data: mine.data && working.tasks }} empty={t.noTasks}>
          {() =>
            DUE_GROUPS.filter(group => groups.has(group)).map(group => (
              <section key={group} class={`due ${group}`}>
                <h3>{t.groups[group]}</h3>
                <ul class="tasks">
                  {groups.get(group)?.map(task => (
                    <MyTask
                      key={task.id}
                      task={task}
                      working={working}
                      project={projectNames.get(task.project_id) ?? task.project_slug}
                    />
                  ))}
                </ul>
              </section>
            ))
          }
        </LoadedCollection>
      </Card>
    </Selectable>
  )
}

interface MyTaskProps {
  task: Task
  working: WorkingTasks
  /** The name of its project. */
  project: string
}

function MyTask({ task, working, project }: MyTaskProps) {
  const { may } = useStanding()
  const addresses = useWorkAddresses()
  return (
    <TaskItem task={task} working={working} canChange={may('updateTask')}>
      <Link to={addresses.project(task.project_id)}>
        <Name>{project}</Name>
      </Link>
    </TaskItem>
  )
}
