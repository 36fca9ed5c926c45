import { useEffect, useRef, useState } from 'preact/hooks'
import type { Member, Task } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'
import { Button, Link } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { useDrafts } from '../../parts/drafts.ts'
import { SelectField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Name, Prose } from '../../parts/text.tsx'
import { isolate } from '../../words/language.ts'
import { useWorkAddresses } from './addresses.ts'
import { ConflictNote } from './conflict-note.tsx'
import { useDoingWords } from './doing-words.ts'
import { DayField, DraftField } from './draft-field.tsx'
import { ListField } from './list-field.tsx'
import { TaskThread } from './task-thread.tsx'
import { TimeField } from './time-field.tsx'
import { useMayDelete } from './use-rights.ts'
import { deleteTask, type TaskVersion, useTaskVersion } from './use-task-version.ts'
import type { WorkingTasks } from './use-working-tasks.ts'
import { useWorkWords } from './words.ts'
import '../../style/work.css'

interface TaskPanelProps {
  task: Task
  working: WorkingTasks
  /** Otherwise it is only shown. */
  canChange: boolean
  onClose: () => void
}

/** A task, edited where it stands in its list. */
export function TaskPanel({ task, working, canChange, onClose }: TaskPanelProps) {
  const t = useDoingWords()
  const work = useWorkWords()
  const addresses = useWorkAddresses()
  const element = useRef<HTMLFieldSetElement>(null)
  useEffect(() => element.current?.focus(), [])
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !document.querySelector('dialog[open]')) onClose()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [onClose])
  return (
    <fieldset ref={element} class="stack" aria-label={isolate(task.title)} tabIndex={-1}>
      {canChange ? (
        <TaskEditor task={task} working={working} onDeleted={onClose} />
      ) : (
        task.notes && <Prose>{task.notes}</Prose>
      )}
      <section>
        <h3>{work.comments}</h3>
        <TaskThread task={task} canWrite={canChange} />
      </section>
      <p class="row">
        <Link to={addresses.task(task.id)}>{t.taskPage}</Link>
        <Button quiet onClick={onClose}>
          {t.closeTask}
        </Button>
      </p>
    </fieldset>
  )
}

interface TaskEditorProps {
  task: Task
  working: WorkingTasks
  onDeleted: () => void
}

/** Everything about a task that can be changed. */
export function TaskEditor({ task, working, onDeleted }: TaskEditorProps) {
  const { id: company } = useCompany()
  const { data: members } = useAnswer('GET /companies/{company}/records/projects/{project}/members', {
    params: { company, project: task.project_id },
  })
  const people = members?.data ?? []
  const version = useTaskVersion(task, working, people)
  const { conflict, resolve } = version
  const drafts = useDrafts()
  /** What was written is given up together with the reader's version. */
  const [round, setRound] = useState(0)
  const choose: TaskVersion['resolve'] = async keep => {
    await resolve(keep)
    for (const field of Object.keys(conflict?.mine ?? {})) drafts.keep(placeOf(task, field), undefined)
    setRound(n => n + 1)
  }
  return (
    <Loaded of={version.loading}>
      {() => (
        <>
          {conflict && <ConflictNote conflict={conflict} resolve={choose} />}
          <TaskFieldsForm key={round} task={task} working={working} version={version} people={people} />
          <Deletion task={task} working={working} onDeleted={onDeleted} />
        </>
      )}
    </Loaded>
  )
}

/** Where an edited field of a task is kept. */
const placeOf = ({ id }: Task, field: string) => `task/${id}/${field}`

interface TaskFieldsFormProps {
  task: Task
  working: WorkingTasks
  version: TaskVersion
  people: Member[]
}

function TaskFieldsForm({ task, working, version: { save, conflict }, people }: TaskFieldsFormProps) {
  const t = useDoingWords()
  const { assignee } = task
  const isKnown = !assignee || people.some(({ email }) => email === assignee.email)
  const known = isKnown ? people : [...people, assignee]
  return (
    <fieldset class="task-fields" disabled={conflict !== undefined}>
      <div class="wide">
        <DraftField
          label={t.title}
          value={task.title}
          place={placeOf(task, 'title')}
          required
          onSave={(title, before) => save({ title }, { title: before })}
        />
      </div>
      <SelectField
        label={t.assignee}
        value={assignee?.email ?? ''}
        onChange={email => save({ assignee_email: email || null })}
        options={[['', t.nobody], ...known.map(({ email, name }) => [email, isolate(name)] as const)]}
      />
      <DayField label={t.due} value={task.due_at} onSave={due_at => save({ due_at })} />
      <ListField task={task} working={working} />
      <TimeField task={task} working={working} />
      <div class="wide">
        <DraftField
          label={t.notes}
          hint={t.notesHint}
          long
          value={task.notes ?? ''}
          place={placeOf(task, 'notes')}
          onSave={(notes, before) => save({ notes: notes || null }, { notes: before || null })}
        />
      </div>
    </fieldset>
  )
}

function Deletion({ task, working, onDeleted }: TaskEditorProps) {
  const t = useDoingWords()
  const { id: company } = useCompany()
  const mayDelete = useMayDelete(task.id)
  const [isAsking, setAsking] = useState(false)
  if (!mayDelete) return null
  const remove = async () => {
    const isGone = await working.change(
      task,
      () => undefined,
      () => deleteTask(company, task),
    )
    if (isGone) onDeleted()
  }
  return (
    <p>
      <Button quiet icon="trash" class="dangerous" onClick={() => setAsking(true)}>
        {t.deleteTask}
      </Button>
      {isAsking && (
        <Confirm
          title={t.deleteTaskTitle}
          verb={t.deleteVerb}
          act={async () => void remove()}
          onClose={() => setAsking(false)}
        >
          <p>
            <strong>
              <Name>{task.title}</Name>
            </strong>
          </p>
          <p>{t.deleteTaskMeans}</p>
        </Confirm>
      )}
    </p>
  )
}
