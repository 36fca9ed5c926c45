import type { TaskList } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { Loaded, LoadedCollection } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { Name, Prose } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useWorkAddresses } from './addresses.ts'
import { Comments } from './comments.tsx'
import { Done, Priority } from './list-state.tsx'
import { ProjectName } from './project-names.tsx'
import { TasksTable } from './tasks-table.tsx'
import { useWorkWords } from './words.ts'

/** A task list: what it says about itself, its tasks, and what people say about it. */
export default function ListView({ params: { project = '', list = '' } }: ViewProps) {
  const t = useWorkWords()
  const { id } = useCompany()
  const addresses = useWorkAddresses()
  const answer = useAnswer('GET /companies/{company}/records/lists/{list}', { params: { company: id, list } })
  const data = answer.data?.data
  return (
    <Page
      title={data ? isolate(data.title) : t.list}
      heading={data ? <Name>{data.title}</Name> : t.list}
      above={{ to: addresses.project(project), label: <ProjectName project={project} /> }}
    >
      <Loaded of={answer}>
        {({ data }) => (
          <>
            <About list={data} />
            <TasksOf list={data.id} />
            <CommentsOn list={data} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function About({ list }: { list: TaskList }) {
  const t = useWorkWords()
  const common = useCommonWords()
  return (
    <Card>
      <div class="stack">
        <Facts
          of={[
            [t.progress, <Done key="done" list={list} />],
            [t.priority, <Priority key="priority" of={list.priority} />],
            [common.created, <Time key="created" at={list.created_at} />],
            [t.updated, <Time key="updated" at={list.updated_at} />],
          ]}
        />
        {list.notes && <Prose>{list.notes}</Prose>}
      </div>
    </Card>
  )
}

function TasksOf({ list }: { list: string }) {
  const t = useWorkWords()
  const { id } = useCompany()
  const tasks = useCollection('GET /companies/{company}/records/lists/{list}/tasks', { params: { company: id, list } })
  return (
    <Card title={t.tasks}>
      <LoadedCollection of={tasks} empty={t.noTasksInList}>
        {rows => <TasksTable tasks={rows} />}
      </LoadedCollection>
    </Card>
  )
}

function CommentsOn({ list: { id: list, project_id } }: { list: TaskList }) {
  const t = useWorkWords()
  const { id } = useCompany()
  const comments = useCollection('GET /companies/{company}/records/lists/{list}/comments', {
    params: { company: id, list },
  })
  return <Comments title={t.comments} empty={t.noComments} of={comments} project={project_id} />
}
