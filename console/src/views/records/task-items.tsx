import type { ComponentChildren } from 'preact'
import { call } from '../../api/call.ts'
import type { Task, TaskList } from '../../api/types.ts'
import { setQuery, useQueryIs } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Steady } from '../../parts/steady.tsx'
import { Name } from '../../parts/text.tsx'
import { isolate } from '../../words/language.ts'
import { AddLine } from './add-line.tsx'
import { useDoingWords } from './doing-words.ts'
import { TaskPanel } from './task-panel.tsx'
import { TaskRow } from './task-row.tsx'
import type { WorkingTasks } from './use-working-tasks.ts'

/** A list with so many tasks does not fit into any window. */
const LONG = 60

interface TaskItemsProps {
  list: TaskList
  working: WorkingTasks
  /** Nothing can be changed in an archived project. */
  isArchived: boolean
  /** Shown where there is no task. */
  empty: string
}

/** The tasks of a list, and a line to add one. */
export function TaskItems({ list, working, isArchived, empty }: TaskItemsProps) {
  const t = useDoingWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const tasks = working.tasks.filter(({ task_list_id }) => task_list_id === list.id)
  const canChange = may('updateTask') && !isArchived
  const add = async (title: string, idempotencyKey: string) => {
    const params = { company, list: list.id }
    const path = 'POST /companies/{company}/records/lists/{list}/tasks'
    working.add((await call(path, { params, body: { title }, idempotencyKey })).data)
  }
  return (
    <>
      {tasks.length === 0 ? (
        <p class="quiet">{empty}</p>
      ) : (
        <ul class={tasks.length < LONG ? 'tasks' : 'tasks long'}>
          {tasks.map(task => (
            <Steady key={task.id} on={[JSON.stringify(task), working.failureOf(task), canChange]}>
              {() => (
                <TaskItem task={task} working={working} canChange={canChange}>
                  {task.assignee && <Name>{task.assignee.name}</Name>}
                </TaskItem>
              )}
            </Steady>
          ))}
        </ul>
      )}
      {may('createTask') && !isArchived && (
        <AddLine
          label={t.addTaskTo(isolate(list.title))}
          placeholder={t.addTask}
          place={`list/${list.id}/task`}
          isForTasks
          add={add}
        />
      )}
    </>
  )
}

interface TaskItemProps {
  task: Task
  working: WorkingTasks
  canChange: boolean
  /** What stands beside its title. */
  children: ComponentChildren
}

/** The task that is open stands in the URL: a reload shows the same. */
export function TaskItem({ task, working, canChange, children }: TaskItemProps) {
  const isOpen = useQueryIs('task', task.id)
  const setOpen = (isOpen: boolean) => setQuery({ task: isOpen ? [task.id] : [] })
  return (
    <TaskRow
      task={task}
      working={working}
      canChange={canChange}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
      panel={() => <TaskPanel task={task} working={working} canChange={canChange} onClose={() => setOpen(false)} />}
    >
      {children}
    </TaskRow>
  )
}
