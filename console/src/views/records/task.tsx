import type { ComponentChildren } from 'preact'
import type { Task } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { go } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { useLive } from '../../live/use-live.ts'
import { Button, Link } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { Email, Name, Prose } from '../../parts/text.tsx'
import { Day, Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useWorkAddresses } from './addresses.ts'
import { useDoingWords } from './doing-words.ts'
import { ListName } from './list-name.tsx'
import { Metadata } from './metadata.tsx'
import { ProjectName } from './project-names.tsx'
import { TaskEditor } from './task-panel.tsx'
import { TaskThread } from './task-thread.tsx'
import { StateOfTask } from './tasks-table.tsx'
import { useIsOpen } from './use-is-open.ts'
import { useWorkingTasks, type WorkingTasks } from './use-working-tasks.ts'
import { useWorkWords } from './words.ts'

/** One task, with what was said about it. */
export default function TaskView({ params: { task = '' } }: ViewProps) {
  const t = useWorkWords()
  const { id } = useCompany()
  const addresses = useWorkAddresses()
  const answer = useAnswer('GET /companies/{company}/records/tasks/{task}', { params: { company: id, task } })
  useLive({ kinds: ['task'], id: answer.data?.data.id ?? task }, answer.reload)
  if (answer.data) return <ShownTask stored={answer.data.data} />
  return (
    <Page title={t.task} above={{ to: addresses.tasks(), label: t.tasks }}>
      <Loaded of={answer}>{() => null}</Loaded>
    </Page>
  )
}

function ShownTask({ stored }: { stored: Task }) {
  const t = useWorkWords()
  const { may } = useStanding()
  const addresses = useWorkAddresses()
  const canChange = useIsOpen(stored.project_id) && may('updateTask')
  const working = useWorkingTasks([stored])
  // It is not there any more once it was deleted.
  const task = working.tasks[0] ?? stored
  const list = addresses.list(task.project_id, task.task_list_id)
  return (
    <Page
      title={isolate(task.title)}
      heading={<Name>{task.title}</Name>}
      above={{ to: list, label: <ListName list={task.task_list_id} /> }}
      actions={canChange && <CompleteButton task={task} working={working} />}
    >
      <FailureNote failure={working.failureOf(task)} />
      {canChange && (
        <Card>
          <TaskEditor task={task} working={working} onDeleted={() => go(list)} />
        </Card>
      )}
      <About task={task} isEdited={canChange} />
      <Card title={t.comments}>
        <TaskThread task={task} canWrite={canChange} />
      </Card>
    </Page>
  )
}

function CompleteButton({ task, working }: { task: Task; working: WorkingTasks }) {
  const t = useDoingWords()
  if (task.completed) return <Button onClick={() => working.reopen(task)}>{t.reopenTask}</Button>
  return (
    <Button main icon="check" onClick={() => working.complete(task)}>
      {t.completeTask}
    </Button>
  )
}

/** What is known about a task; where it is edited, what can be edited is left out. */
function About({ task, isEdited }: { task: Task; isEdited: boolean }) {
  const t = useWorkWords()
  const common = useCommonWords()
  const addresses = useWorkAddresses()
  const { assignee, completed_at, time_spent_minutes, notes } = task
  return (
    <Card>
      <div class="stack">
        <Facts
          of={[
            [common.state, <StateOfTask key="state" of={task} />],
            ...(completed_at ? [[t.completed, <Time key="completed" at={completed_at} />] as [string, object]] : []),
            ...(isEdited
              ? []
              : ([
                  [t.due, <Day key="due" on={task.due_at} />],
                  [t.assignee, assignee ? <Assignee key="assignee" of={assignee} /> : t.nobody],
                ] as [string, ComponentChildren][])),
            ...(time_spent_minutes === null ? [] : [[t.timeSpent, t.minutes(time_spent_minutes)] as [string, string]]),
            [
              t.project,
              <Link key="project" to={addresses.project(task.project_id)}>
                <ProjectName project={task.project_id} />
              </Link>,
            ],
            [common.created, <Time key="created" at={task.created_at} />],
            [t.updated, <Time key="updated" at={task.updated_at} />],
          ]}
        />
        {notes && !isEdited && (
          <section>
            <h2>{t.notes}</h2>
            <Prose>{notes}</Prose>
          </section>
        )}
        <Metadata of={task.metadata} />
      </div>
    </Card>
  )
}

function Assignee({ of: { name, email } }: { of: NonNullable<Task['assignee']> }) {
  const addresses = useWorkAddresses()
  return (
    <>
      <Name>{name}</Name>{' '}
      <Link to={addresses.tasks({ assignee_email: email, completed: 'false' })}>
        <Email>{email}</Email>
      </Link>
    </>
  )
}
