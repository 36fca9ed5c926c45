import type { Task } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Badge, Code, Name } from '../../parts/text.tsx'
import { Day, Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useWorkAddresses } from './addresses.ts'
import { useWorkWords } from './words.ts'

interface TasksTableProps {
  tasks: Task[]
  /** For tasks of several projects: the names of the projects. */
  projectNames?: Map<string, string>
}

export function TasksTable({ tasks, projectNames }: TasksTableProps) {
  const t = useWorkWords()
  const common = useCommonWords()
  const addresses = useWorkAddresses()
  const project: Column<Task> = {
    title: t.project,
    show: ({ project_id, project_slug }) => (
      <Link to={addresses.project(project_id)}>
        {projectNames?.has(project_id) ? <Name>{projectNames.get(project_id)}</Name> : <Code>{project_slug}</Code>}
      </Link>
    ),
  }
  return (
    <Table
      label={t.tasks}
      rows={tasks}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t.task,
          main: true,
          show: ({ id, title }) => (
            <Link to={addresses.task(id)}>
              <Name>{title}</Name>
            </Link>
          ),
        },
        { title: common.state, show: task => <StateOfTask of={task} /> },
        {
          title: t.assignee,
          show: ({ assignee }) => (assignee ? <Name>{assignee.name}</Name> : <span class="quiet">{t.nobody}</span>),
        },
        { title: t.due, show: ({ due_at }) => <Day on={due_at} /> },
        ...(projectNames ? [project] : []),
        { title: t.updated, show: ({ updated_at }) => <Time at={updated_at} /> },
      ]}
    />
  )
}

/** Overdue tasks are open and were due before today in the company's zone. */
export function StateOfTask({ of: { completed, due_at } }: { of: Task }) {
  const t = useWorkWords()
  const { zone } = useStanding()
  if (completed) return <Badge tone="good">{t.completed}</Badge>
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format()
  if (due_at && due_at < today) return <Badge tone="bad">{t.overdue}</Badge>
  return <Badge>{t.open}</Badge>
}
