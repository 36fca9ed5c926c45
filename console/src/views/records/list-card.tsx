import { useState } from 'preact/hooks'
import type { Task, TaskList } from '../../api/types.ts'
import type { Loading } from '../../api/use-answer.ts'
import { useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Name } from '../../parts/text.tsx'
import { useWorkAddresses } from './addresses.ts'
import { useDoingWords } from './doing-words.ts'
import { EditListButton, ListEditor } from './list-editor.tsx'
import { Priority } from './list-state.tsx'
import { TaskItems } from './task-items.tsx'
import { useEdited } from './use-edited.ts'
import type { WorkingTasks } from './use-working-tasks.ts'

interface ListCardProps {
  list: TaskList
  /** The tasks of all lists, while they are being loaded. */
  loading: Loading<Task[]>
  working: WorkingTasks
  isArchived: boolean
  onDeleted: () => void
}

/** A task list of a project, with its tasks. */
export function ListCard({ list, loading, working, isArchived, onDeleted }: ListCardProps) {
  const t = useDoingWords()
  const { may } = useStanding()
  const addresses = useWorkAddresses()
  const edited = useEdited(list)
  const [isEditing, setEditing] = useState(false)
  const { shown } = edited
  const canEdit = may('updateTaskList') && !isArchived
  return (
    <Card
      title={
        <Link class="plain" to={addresses.list(shown.project_id, shown.id)}>
          <Name>{shown.title}</Name>
        </Link>
      }
      actions={
        <>
          {shown.priority && <Priority of={shown.priority} />}
          {canEdit && <EditListButton list={shown} isEditing={isEditing} onToggle={() => setEditing(!isEditing)} />}
        </>
      }
    >
      {isEditing && canEdit && <ListEditor list={edited} onDeleted={onDeleted} />}
      <Loaded of={loading}>
        {() => <TaskItems list={shown} working={working} isArchived={isArchived} empty={t.noOpenTasks} />}
      </Loaded>
    </Card>
  )
}
