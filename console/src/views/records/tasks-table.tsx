import type { Task } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Badge, Code, Name } from '../../parts/text.tsx'
import { Day, Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useWorkAddresses } from './addresses.ts'
import { CompleteBox, SelectBox } from './task-boxes.tsx'
import { todayIn } from './today.ts'
import type { WorkingTasks } from './use-working-tasks.ts'
import { useWorkWords } from './words.ts'

interface TasksTableProps {
  working: WorkingTasks
  /** Whether the reader may change them. */
  canChange: boolean
  projectNames: Map<string, string>
}

/** Tasks of several projects. */
export function TasksTable({ working, canChange, projectNames }: TasksTableProps) {
  const t = useWorkWords()
  const common = useCommonWords()
  const addresses = useWorkAddresses()
  const project: Column<Task> = {
    title: t.project,
    show: ({ project_id, project_slug }) => (
      <Link to={addresses.project(project_id)}>
        {projectNames.has(project_id) ? <Name>{projectNames.get(project_id)}</Name> : <Code>{project_slug}</Code>}
      </Link>
    ),
  }
  return (
    <Table
      label={t.tasks}
      rows={working.tasks}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t.task,
          main: true,
          show: task => <TaskCell task={task} working={working} canChange={canChange} />,
        },
        { title: common.state, show: task => <StateOfTask of={task} /> },
        {
          title: t.assignee,
          show: ({ assignee }) => (assignee ? <Name>{assignee.name}</Name> : <span class="quiet">{t.nobody}</span>),
        },
        { title: t.due, show: ({ due_at }) => <Day on={due_at} /> },
        project,
        { title: t.updated, show: ({ updated_at }) => <Time at={updated_at} /> },
      ]}
    />
  )
}

interface TaskCellProps {
  task: Task
  working: WorkingTasks
  canChange: boolean
}

/** The title of a task, with its boxes where it can be changed. */
function TaskCell({ task, working, canChange }: TaskCellProps) {
  const addresses = useWorkAddresses()
  return (
    <div class="task-cell" data-task={task.id}>
      {canChange && (
        <>
          <SelectBox task={task} />
          <CompleteBox task={task} onCheck={isDone => (isDone ? working.complete(task) : working.reopen(task))} />
        </>
      )}
      <Link class="task-link" to={addresses.task(task.id)}>
        <Name>{task.title}</Name>
      </Link>
      <FailureNote failure={working.failureOf(task)} />
    </div>
  )
}

/** Overdue tasks are open and were due before today in the company's zone. */
export function StateOfTask({ of: { completed, due_at } }: { of: Task }) {
  const t = useWorkWords()
  const { zone } = useStanding()
  if (completed) return <Badge tone="good">{t.completed}</Badge>
  if (due_at && due_at < todayIn(zone)) return <Badge tone="bad">{t.overdue}</Badge>
  return <Badge>{t.open}</Badge>
}
