import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Task } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'
import { SelectField } from '../../parts/form.tsx'
import { say } from '../../parts/toast.tsx'
import { isolate } from '../../words/language.ts'
import { useDoingWords } from './doing-words.ts'
import { MoveDialog } from './move-dialog.tsx'
import { useSelectionWords } from './selection-words.ts'
import type { WorkingTasks } from './use-working-tasks.ts'

/** Stands for a list that is chosen in a dialog. */
const ELSEWHERE = '…'

/** Another list, to which the task is moved: of its project, or of another one. */
export function ListField({ task, working }: { task: Task; working: WorkingTasks }) {
  const t = useDoingWords()
  const selecting = useSelectionWords()
  const { id: company } = useCompany()
  const [isChoosing, setChoosing] = useState(false)
  const { data: lists } = useAnswer('GET /companies/{company}/records/projects/{project}/lists', {
    params: { company, project: task.project_id },
    query: { limit: 100 },
  })
  const move = (list_id: string, project_id = task.project_id) =>
    working.change(
      task,
      shown => ({ ...shown, task_list_id: list_id, project_id }),
      async () => {
        const params = { company, task: task.id }
        return (await call('POST /companies/{company}/records/tasks/{task}/move', { params, body: { list_id } })).data
      },
    )
  const moveThere = async (list_id: string, project_id?: string) => {
    const isMoved = await move(list_id, project_id)
    if (isMoved) say(selecting.moved(1), () => move(task.task_list_id, task.project_id))
  }
  const options = (lists?.data ?? []).map(({ id, title }) => [id, isolate(title)] as const)
  const isKnown = options.some(([id]) => id === task.task_list_id)
  const known = isKnown ? options : [[task.task_list_id, isolate(task.task_list_slug)] as const, ...options]
  return (
    <>
      <SelectField
        // The field shows the list again when nothing was chosen in the dialog.
        key={String(isChoosing)}
        label={t.list}
        value={task.task_list_id}
        onChange={list => (list === ELSEWHERE ? setChoosing(true) : moveThere(list))}
        options={[...known, [ELSEWHERE, selecting.anotherProject]]}
      />
      {isChoosing && (
        <MoveDialog
          title={selecting.moveTitle(1)}
          tasks={[task]}
          onChosen={({ id, project_id }) => moveThere(id, project_id)}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}
