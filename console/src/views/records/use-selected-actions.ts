import { useState } from 'preact/hooks'
import type { CallFailed } from '../../api/call.ts'
import type { Task, TaskList } from '../../api/types.ts'
import { useCompany } from '../../frame/standing.ts'
import { say } from '../../parts/toast.tsx'
import { focusTask, type Selection, taskRows } from './selection.ts'
import { useSelectionWords } from './selection-words.ts'
import { type BatchedChange, sendBatch } from './send-batch.ts'
import { deleteTask } from './use-task-version.ts'
import type { WorkingTasks } from './use-working-tasks.ts'

export interface SelectedActions {
  isBusy: boolean
  /** Why something was not done, for which task, and how many others were done all the same. */
  refused: { failure: CallFailed; task: Task | undefined; done: number } | undefined
  complete: () => void
  assign: (person: Task['assignee']) => void
  setDue: (day: string | null) => void
  move: (list: Pick<TaskList, 'id' | 'project_id'>) => void
  remove: () => void
}

type Change = Omit<BatchedChange, 'task'>

const completion = (completed: boolean): Change => ({
  send: { do: completed ? 'complete' : 'incomplete' },
  shown: { completed },
})
const assignment = (assignee: Task['assignee']): Change => ({
  send: { do: 'update', assignee_email: assignee?.email ?? null },
  shown: { assignee },
})
const dueDate = (due_at: string | null): Change => ({ send: { do: 'update', due_at }, shown: { due_at } })
const place = (list_id: string, project_id: string): Change => ({
  send: { do: 'move', list_id },
  shown: { task_list_id: list_id, project_id },
})

/** What is done with all chosen tasks, each with the way back. */
export function useSelectedActions(selection: Selection, working: WorkingTasks): SelectedActions {
  const t = useSelectionWords()
  const { id: company } = useCompany()
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<SelectedActions['refused']>()
  const { selected } = selection

  const changeAll = async (
    tasks: Task[],
    change: Change,
    undo: (task: Task) => Change,
    saying: (n: number) => string,
  ) => {
    setBusy(true)
    setRefused(undefined)
    const { done, refused } = await sendBatch(
      company,
      working,
      tasks.map(task => ({ task, ...change })),
    )
    setBusy(false)
    const takeBack = async () => {
      const back = await sendBatch(
        company,
        working,
        done.map(task => ({ task, ...undo(task) })),
      )
      if (back.refused) throw back.refused.failure
    }
    if (done.length > 0) say(saying(done.length), takeBack)
    if (refused) return setRefused({ ...refused, done: done.length })
    selection.end()
    focusTask(selected[0]?.id)
  }

  /** There is no request for several of these, and no way back. */
  const remove = async () => {
    const gone = new Set(selected.map(({ id }) => id))
    const next = rowAfter(gone)
    let last: Promise<unknown> = Promise.resolve()
    const removing = selected.map(task => {
      const turn = last
      const sent = working.change(
        task,
        () => undefined,
        async () => {
          await turn
          return deleteTask(company, task)
        },
      )
      last = sent
      return sent
    })
    selection.end()
    // Until the question is closed, it keeps the focus.
    setTimeout(() => focusTask(next))
    const stored = await Promise.all(removing)
    const n = stored.filter(Boolean).length
    if (n > 0) say(t.removed(n))
  }

  return {
    isBusy,
    refused,
    complete: () =>
      changeAll(
        selected.filter(({ completed }) => !completed),
        completion(true),
        () => completion(false),
        t.completed,
      ),
    assign: person => changeAll(selected, assignment(person), task => assignment(task.assignee), t.changed),
    setDue: day => changeAll(selected, dueDate(day), task => dueDate(task.due_at), t.changed),
    move: list =>
      changeAll(
        selected.filter(({ task_list_id }) => task_list_id !== list.id),
        place(list.id, list.project_id),
        task => place(task.task_list_id, task.project_id),
        t.moved,
      ),
    remove,
  }
}

/** Where the focus goes when these rows disappear: to the first that stays after them, or the last before. */
function rowAfter(gone: Set<string>): string | undefined {
  const shown = taskRows().map(({ dataset }) => dataset.task as string)
  const first = shown.findIndex(id => gone.has(id))
  const stays = (id: string) => !gone.has(id)
  return shown.slice(first).find(stays) ?? shown.slice(0, first).findLast(stays)
}
