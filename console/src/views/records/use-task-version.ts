import { useRef, useState } from 'preact/hooks'
import { CallFailed, call, callTagged, type Tagged } from '../../api/call.ts'
import type { Member, Task, UpdateTaskBody } from '../../api/types.ts'
import { type Loading, useLoading } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'
import { useLive } from '../../live/use-live.ts'
import type { WorkingTasks } from './use-working-tasks.ts'

/** What can be edited of a task in place. */
export type TaskFields = Pick<UpdateTaskBody, 'title' | 'notes' | 'due_at' | 'assignee_email'>

/** Two people changed the same: what the reader wrote, and the task as somebody else has stored it. */
export interface Conflict {
  mine: TaskFields
  theirs: Task
}

export interface TaskVersion {
  loading: Loading<Tagged<{ data: Task }>>
  /** Stores what was written in place of what stood there. Tells whether it was stored; nothing is while there is a conflict. */
  save: (mine: TaskFields, before?: TaskFields) => Promise<boolean>
  conflict: Conflict | undefined
  /** Stores the reader's version all the same, or leaves that of the others. */
  resolve: (keep: 'mine' | 'theirs') => Promise<void>
}

/** The version of a task that the reader has in front of them: nobody's changes are overwritten unseen. */
export function useTaskVersion(task: Task, working: WorkingTasks, people: Member[]): TaskVersion {
  const { id: company } = useCompany()
  const at = { params: { company, task: task.id } }
  const seen = useRef<Tagged<{ data: Task }> | undefined>(undefined)
  const [conflict, setConflict] = useState<Conflict>()
  /** The same, for what happens before the next rendering: whoever leaves the field must not decide by that. */
  const isContested = useRef(false)
  const contest = (found: Conflict | undefined) => {
    isContested.current = found !== undefined
    setConflict(found)
  }
  const read = (signal?: AbortSignal) =>
    callTagged('GET /companies/{company}/records/tasks/{task}', { ...at, ...(signal && { signal }) })
  const loading = useLoading(
    async signal => {
      seen.current = await read(signal)
      return seen.current
    },
    [company, task.id],
  )
  useLive({ kinds: ['task'], id: task.id }, loading.reload)

  /** Writes on top of the version that is known. If only other fields have changed, nothing is lost, and it is written as well. */
  const write = async (mine: TaskFields, before: TaskFields): Promise<'stored' | 'contested'> => {
    for (;;) {
      const known = seen.current
      if (known && isContestedBy(known.answer.data, mine, before)) {
        contest({ mine, theirs: known.answer.data })
        return 'contested'
      }
      try {
        seen.current = await callTagged('PATCH /companies/{company}/records/tasks/{task}', {
          ...at,
          body: mine,
          ...(known && { ifMatch: known.tag }),
        })
        return 'stored'
      } catch (error) {
        if (!known || !(error instanceof CallFailed) || error.status !== 412) throw error
        seen.current = await read()
      }
    }
  }

  const store = async (mine: TaskFields, before: TaskFields) => {
    let outcome: 'stored' | 'contested' = 'contested'
    const isDone = await working.change(
      task,
      shown => ({ ...shown, ...asShown(mine, people) }),
      async () => {
        outcome = await write(mine, before)
        return seen.current?.answer.data
      },
    )
    return isDone && (outcome as string) === 'stored'
  }

  const save: TaskVersion['save'] = async (mine, before = fieldsOf(task, mine)) =>
    !isContested.current && store(mine, before)
  const resolve = async (keep: 'mine' | 'theirs') => {
    contest(undefined)
    if (conflict && keep === 'mine') await store(conflict.mine, fieldsOf(conflict.theirs, conflict.mine))
  }
  return { loading, save, conflict, resolve }
}

/** A field of a task as it is sent. */
export function fieldOf(task: Task, field: keyof TaskFields): string | null {
  return field === 'assignee_email' ? (task.assignee?.email ?? null) : task[field]
}

/** The same fields as these, as a task has them. */
function fieldsOf(task: Task, fields: TaskFields): TaskFields {
  const names = Object.keys(fields) as (keyof TaskFields)[]
  return Object.fromEntries(names.map(field => [field, fieldOf(task, field)]))
}

/** Whether somebody else changed a field that the reader changed, to something else. */
function isContestedBy(theirs: Task, mine: TaskFields, before: TaskFields): boolean {
  return (Object.keys(mine) as (keyof TaskFields)[]).some(field => {
    const now = fieldOf(theirs, field)
    return now !== before[field] && now !== mine[field]
  })
}

function asShown({ assignee_email: email, ...fields }: TaskFields, people: Member[]): Partial<Task> {
  if (email === undefined) return fields as Partial<Task>
  return { ...(fields as Partial<Task>), assignee: people.find(person => person.email === email) ?? null }
}

/** Deletes a task for good. */
export async function deleteTask(company: number, task: Task): Promise<undefined> {
  await call('DELETE /companies/{company}/records/tasks/{task}', { params: { company, task: task.id } })
}
