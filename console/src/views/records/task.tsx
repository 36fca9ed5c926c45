import type { Task } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { Link } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { Email, Name, Prose } from '../../parts/text.tsx'
import { Day, Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useWorkAddresses } from './addresses.ts'
import { Comments } from './comments.tsx'
import { ListName } from './list-name.tsx'
import { ProjectName } from './project-names.tsx'
import { StateOfTask } from './tasks-table.tsx'
import { useWorkWords } from './words.ts'

/** One task, with what was said about it. */
export default function TaskView({ params: { task = '' } }: ViewProps) {
  const t = useWorkWords()
  const { id } = useCompany()
  const addresses = useWorkAddresses()
  const answer = useAnswer('GET /companies/{company}/records/tasks/{task}', { params: { company: id, task } })
  const data = answer.data?.data
  return (
    <Page
      title={data ? isolate(data.title) : t.task}
      heading={data ? <Name>{data.title}</Name> : t.task}
      above={
        data
          ? { to: addresses.list(data.project_id, data.task_list_id), label: <ListName list={data.task_list_id} /> }
          : { to: addresses.tasks(), label: t.tasks }
      }
    >
      <Loaded of={answer}>
        {({ data }) => (
          <>
            <About task={data} />
            <CommentsOn task={data} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function About({ task }: { task: Task }) {
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
            [t.due, <Day key="due" on={task.due_at} />],
            [t.assignee, assignee ? <Assignee key="assignee" of={assignee} /> : t.nobody],
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
        {notes && (
          <section>
            <h2>{t.notes}</h2>
            <Prose>{notes}</Prose>
          </section>
        )}
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

function CommentsOn({ task: { id: task, project_id } }: { task: Task }) {
  const t = useWorkWords()
  const { id } = useCompany()
  const comments = useCollection('GET /companies/{company}/records/tasks/{task}/comments', {
    params: { company: id, task },
  })
  return <Comments title={t.comments} empty={t.noComments} of={comments} project={project_id} />
}
