import { useRef, useState } from 'preact/hooks'
import { CallFailed, call } from '../../api/call.ts'
import type { Change as Entry, Task } from '../../api/types.ts'
import { useCompany } from '../../frame/standing.ts'
import { useNews } from '../../live/use-live.ts'

/** It was not stored because of another task that was to be changed with it; that one has the reason. */
export class TakenBack extends Error {}

/** How a task looks once something was done to it; undefined when it is gone. */
type Change = (task: Task) => Task | undefined

/** A task that somebody works on: as the server has it, and what is on its way there. */
interface Working {
  stored: Task | undefined
  underway: Change[]
  /** Whether the reader has just made it. */
  isOwn: boolean
  failure: CallFailed | undefined
  last: Promise<unknown>
}

export interface WorkingTasks {
  /** The tasks as they will be when everything that was done is stored. */
  tasks: Task[]
  failureOf: (task: Task) => CallFailed | undefined
  /** Shows a change at once and sends it; when it is refused, the change is undone. Tells whether it was stored. */
  change: (task: Task, change: Change, send: () => Promise<Task | undefined>) => Promise<boolean>
  /** Shows a task that has just been stored. */
  add: (task: Task) => void
  /** Whether it was added on this page. */
  wasAdded: (task: Task) => boolean
  complete: (task: Task) => Promise<boolean>
  reopen: (task: Task) => Promise<boolean>
}

/** The tasks of a page, and what its reader does with them. What was completed or moved stays until the page is left. */
export function useWorkingTasks(rows: Task[]): WorkingTasks {
  const { id: company } = useCompany()
  const all = useRef(new Map<string, Working>()).current
  /** The order in which they were last shown. */
  const order = useRef<string[]>([])
  const [, setRound] = useState(0)
  const redraw = () => setRound(n => n + 1)

  const workingOn = (task: Task): Working => {
    const known = all.get(task.id)
    if (known) return known
    const made = { stored: task, underway: [], isOwn: false, failure: undefined, last: Promise.resolve() }
    all.set(task.id, made)
    return made
  }

  const change: WorkingTasks['change'] = (task, shown, send) => {
    const working = workingOn(task)
    working.underway.push(shown)
    working.failure = undefined
    redraw()
    // What is done to one task is sent in its order.
    const sent = working.last.then(async () => {
      try {
        working.stored = await send()
        return true
      } catch (error) {
        working.failure = failureOf(error)
        return false
      } finally {
        working.underway.shift()
        redraw()
      }
    })
    working.last = sent
    return sent
  }

  useNews(news => {
    if (news === 'anything') return
    for (const entry of news) {
      const task = rows.find(({ id }) => id === entry.id) ?? all.get(String(entry.id))?.stored
      const told = task && afterEntry(task, entry)
      if (told) workingOn(task).stored = told === 'deleted' ? undefined : told
    }
    redraw()
  })

  const tasks = shownTasks(rows, all, order.current)
  order.current = tasks.map(({ id }) => id)

  const at = (task: Task) => ({ params: { company, task: task.id } })
  return {
    tasks,
    failureOf: ({ id }) => all.get(id)?.failure,
    change,
    add: task => {
      workingOn(task).isOwn = true
      redraw()
    },
    wasAdded: ({ id }) => all.get(id)?.isOwn ?? false,
    complete: task =>
      change(
        task,
        shown => ({ ...shown, completed: true }),
        async () => (await call('POST /companies/{company}/records/tasks/{task}/complete', at(task))).data,
      ),
    reopen: task =>
      change(
        task,
        shown => ({ ...shown, completed: false }),
        async () => (await call('POST /companies/{company}/records/tasks/{task}/incomplete', at(task))).data,
      ),
  }
}

function failureOf(error: unknown): CallFailed | undefined {
  if (error instanceof TakenBack) return undefined
  return error instanceof CallFailed ? error : new CallFailed(0, 'unexpected', String(error))
}

function shownTasks(rows: Task[], all: Map<string, Working>, order: string[]): Task[] {
  const shown = new Map<string, Task | undefined>(rows.map(task => [task.id, task]))
  for (const [id, working] of all) {
    const row = shown.get(id)
    // Others may have changed it since. What was read before it was stored here is older.
    if (row && working.stored && row.updated_at >= working.stored.updated_at) working.stored = row
    shown.set(
      id,
      working.underway.reduce<Task | undefined>((task, change) => task && change(task), working.stored),
    )
  }
  const isRow = new Set(rows.map(({ id }) => id))
  return inPlace([...shown.keys()], order, id => !isRow.has(id))
    .map(id => shown.get(id))
    .filter(task => task !== undefined)
}

/** Those that are not among the rows any more stay behind the one that they followed when they were last shown. */
function inPlace(ids: string[], order: string[], isLeftOver: (id: string) => boolean): string[] {
  const wasShown = new Set(order)
  const placed = ids.filter(id => !isLeftOver(id) || !wasShown.has(id))
  const leftOver = new Set(ids.filter(id => isLeftOver(id)))
  for (const [n, id] of order.entries()) {
    if (!leftOver.has(id)) continue
    const before = order.slice(0, n).findLast(other => placed.includes(other))
    placed.splice(before === undefined ? 0 : placed.indexOf(before) + 1, 0, id)
  }
  return placed
}

/** A task after what somebody did to it, as far as it stays or goes because of that; undefined when nothing follows. */
function afterEntry(task: Task, { change, at, project_id, parent_id }: Entry): Task | 'deleted' | undefined {
  if (at <= task.updated_at) return undefined
  if (change === 'deleted') return change
  // It is not among the open ones any more, and stays for the same reason as one that the reader has completed.
  if (change === 'completed' || change === 'reopened')
    return { ...task, completed: change === 'completed', updated_at: at }
  if (change === 'moved') return { ...task, project_id, task_list_id: String(parent_id), updated_at: at }
}
