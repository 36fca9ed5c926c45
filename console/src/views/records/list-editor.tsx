import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { TaskList, UpdateTaskListBody } from '../../api/types.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { SelectField } from '../../parts/form.tsx'
import { Name } from '../../parts/text.tsx'
import { isolate } from '../../words/language.ts'
import { DraftField } from './draft-field.tsx'
import { useEditingWords } from './editing-words.ts'
import type { Edited } from './use-edited.ts'
import { useMayDelete } from './use-rights.ts'
import { useWorkWords } from './words.ts'
import '../../style/work.css'

const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const

interface ListEditorProps {
  list: Edited<TaskList>
  onDeleted: () => void
}

/** Everything about a task list that can be changed, each field stored when it is left. */
export function ListEditor({ list: { shown, failure, change }, onDeleted }: ListEditorProps) {
  const t = useEditingWords()
  const { priorities } = useWorkWords()
  const { id: company } = useCompany()
  const params = { company, list: shown.id }
  const save = (fields: UpdateTaskListBody) =>
    change(
      fields as Partial<TaskList>,
      async () => (await call('PATCH /companies/{company}/records/lists/{list}', { params, body: fields })).data,
    )
  return (
    <div class="stack editor">
      <fieldset class="task-fields" aria-label={t.editList(shown.title)}>
        <DraftField
          label={t.title}
          place={`list/${shown.id}/title`}
          value={shown.title}
          required
          onSave={title => save({ title })}
        />
        <SelectField
          label={t.priority}
          value={shown.priority ?? ''}
          onChange={priority => save({ priority: priority || null })}
          options={[['', t.noPriority], ...PRIORITIES.map(each => [each, priorities[each]] as const)]}
        />
        <div class="wide">
          <DraftField
            label={t.notes}
            place={`list/${shown.id}/notes`}
            hint={t.savedAsYouGo}
            long
            value={shown.notes ?? ''}
            onSave={notes => save({ notes: notes || null })}
          />
        </div>
      </fieldset>
      <FailureNote failure={failure} />
      <Deletion list={shown} onDeleted={onDeleted} />
    </div>
  )
}

function Deletion({ list, onDeleted }: { list: TaskList; onDeleted: () => void }) {
  const t = useEditingWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const mayDelete = useMayDelete(list.id)
  const [isAsking, setAsking] = useState(false)
  if (!may('deleteTaskList') || !mayDelete) return null
  return (
    <p>
      <Button quiet icon="trash" class="dangerous" onClick={() => setAsking(true)}>
        {t.deleteList}
      </Button>
      {isAsking && (
        <Confirm
          title={t.deleteListTitle}
          verb={t.deleteVerb}
          act={() => call('DELETE /companies/{company}/records/lists/{list}', { params: { company, list: list.id } })}
          onClose={() => setAsking(false)}
          onDone={onDeleted}
        >
          <p>
            <strong>
              <Name>{list.title}</Name>
            </strong>
          </p>
          <p>{list.tasks_count === 0 ? t.deleteEmptyListMeans : t.deleteListMeans(list.tasks_count)}</p>
        </Confirm>
      )}
    </p>
  )
}

interface EditListButtonProps {
  list: TaskList
  isEditing: boolean
  onToggle: () => void
}

export function EditListButton({ list, isEditing, onToggle }: EditListButtonProps) {
  const t = useEditingWords()
  return (
    <Button
      quiet
      icon={isEditing ? 'check' : 'edit'}
      aria-expanded={isEditing}
      aria-label={isEditing ? `${t.doneEditing}: ${isolate(list.title)}` : t.editList(list.title)}
      onClick={onToggle}
    />
  )
}
