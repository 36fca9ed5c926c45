import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { TaskList } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCollection } from '../../api/use-collection.ts'
import { go } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { useLive } from '../../live/use-live.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { Name, Prose } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useWorkAddresses } from './addresses.ts'
import { Comments } from './comments.tsx'
import type { ComposerProps } from './composer.tsx'
import { useDoingWords } from './doing-words.ts'
import { EditListButton, ListEditor } from './list-editor.tsx'
import { Done, Priority } from './list-state.tsx'
import { Metadata } from './metadata.tsx'
import { ProjectName } from './project-names.tsx'
import { Selectable, SelectButton } from './selectable.tsx'
import { TaskItems } from './task-items.tsx'
import { useEdited } from './use-edited.ts'
import { useIsOpen } from './use-is-open.ts'
import { useWorkingTasks } from './use-working-tasks.ts'
import { useWorkWords } from './words.ts'

/** A task list: what it says about itself, its tasks, and what people say about it. */
export default function ListView({ params: { project = '', list = '' } }: ViewProps) {
  const t = useWorkWords()
  const { id } = useCompany()
  const addresses = useWorkAddresses()
  const answer = useAnswer('GET /companies/{company}/records/lists/{list}', { params: { company: id, list } })
  const isOpen = useIsOpen(project)
  // Its tasks are counted in it.
  useLive({ kinds: ['task'], parent: answer.data?.data.id ?? list }, answer.reload)
  if (answer.data) return <ShownList stored={answer.data.data} isOpen={isOpen} />
  return (
    <Page title={t.list} above={{ to: addresses.project(project), label: <ProjectName project={project} /> }}>
      <Loaded of={answer}>{() => null}</Loaded>
    </Page>
  )
}

function ShownList({ stored, isOpen }: { stored: TaskList; isOpen: boolean }) {
  const { may } = useStanding()
  const addresses = useWorkAddresses()
  const list = useEdited(stored)
  const { shown } = list
  const [isEditing, setEditing] = useState(false)
  const canEdit = isOpen && may('updateTaskList')
  const project = addresses.project(shown.project_id)
  return (
    <Page
      title={isolate(shown.title)}
      heading={<Name>{shown.title}</Name>}
      above={{ to: project, label: <ProjectName project={shown.project_id} /> }}
      actions={canEdit && <EditListButton list={shown} isEditing={isEditing} onToggle={() => setEditing(!isEditing)} />}
    >
      {isEditing && canEdit && <ListEditor list={list} onDeleted={() => go(project)} />}
      <About list={shown} />
      <TasksOf list={shown} isOpen={isOpen} />
      <CommentsOn list={shown} isOpen={isOpen} />
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
        <Metadata of={list.metadata} />
      </div>
    </Card>
  )
}

interface PartProps {
  list: TaskList
  /** Whether anything can be changed in its project. */
  isOpen: boolean
}

function TasksOf({ list, isOpen }: PartProps) {
  const t = useWorkWords()
  const common = useCommonWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const tasks = useCollection('GET /companies/{company}/records/lists/{list}/tasks', {
    params: { company: id, list: list.id },
    query: { limit: 100 },
  })
  useLive({ kinds: ['task'], parent: list.id }, tasks.reload)
  const working = useWorkingTasks(tasks.data ?? [])
  return (
    <Selectable working={working} canChange={may('changeTasks') && isOpen}>
      <Card title={t.tasks} actions={working.tasks.length > 0 && <SelectButton />}>
        <Loaded of={tasks}>
          {() => (
            <>
              <TaskItems list={list} working={working} isArchived={!isOpen} empty={t.noTasksInList} />
              {tasks.more && (
                <p class="centred">
                  <Button onClick={tasks.more} busy={tasks.loadingMore}>
                    {common.more}
                  </Button>
                </p>
              )}
            </>
          )}
        </Loaded>
      </Card>
    </Selectable>
  )
}

function CommentsOn({ list: { id: list, project_id }, isOpen }: PartProps) {
  const t = useWorkWords()
  const doing = useDoingWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const at = { params: { company, list } }
  const comments = useCollection('GET /companies/{company}/records/lists/{list}/comments', at)
  useLive({ kinds: ['comment'], parent: list }, comments.reload)
  const add: ComposerProps['add'] = async (body, idempotencyKey) => {
    const path = 'POST /companies/{company}/records/lists/{list}/comments'
    return (await call(path, { ...at, body, idempotencyKey })).data
  }
  const edit = async (comment: number, content: string) => {
    const path = 'PATCH /companies/{company}/records/lists/{list}/comments/{comment}'
    return (await call(path, { params: { company, list, comment }, body: { content } })).data
  }
  const writing =
    isOpen && may('createTaskListComment')
      ? { label: doing.comment, send: doing.sendComment, place: `list/${list}/comment`, add, edit }
      : undefined
  return (
    <Comments
      title={t.comments}
      empty={t.noComments}
      of={comments}
      about={list}
      project={project_id}
      writing={writing}
    />
  )
}
