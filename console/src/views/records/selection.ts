import { createContext } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Task } from '../../api/types.ts'

/** The tasks that the reader has chosen, to do something with all of them. */
export interface Selection {
  /** Whether tasks are being chosen: then each has a box for it. */
  isOn: boolean
  selected: Task[]
  has: (task: Task) => boolean
  /** Chooses a task or no longer; `through` also everything between it and the last one. */
  toggle: (id: string, through: boolean) => void
  begin: () => void
  end: () => void
}

/** Undefined where tasks cannot be chosen. */
export const SelectionContext = createContext<Selection | undefined>(undefined)

export function useSelection(tasks: Task[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [isOn, setOn] = useState(false)
  const last = useRef<string | undefined>(undefined)
  const toggle = (id: string, through: boolean) => {
    setOn(true)
    const from = last.current
    last.current = id
    setIds(before => {
      const after = new Set(before)
      if (through && from) for (const between of idsBetween(from, id)) after.add(between)
      else if (!after.delete(id)) after.add(id)
      return after
    })
  }
  return {
    isOn,
    selected: tasks.filter(({ id }) => ids.has(id)),
    has: ({ id }) => ids.has(id),
    toggle,
    begin: () => setOn(true),
    end: () => {
      setOn(false)
      setIds(new Set())
      last.current = undefined
    },
  }
}

/** The rows of the tasks, in the order in which the page shows them. */
export function taskRows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-task]')]
}

/** Both ends included. */
function idsBetween(a: string, b: string): string[] {
  const shown = taskRows().map(({ dataset }) => dataset.task as string)
  const [from = 0, to = 0] = [shown.indexOf(a), shown.indexOf(b)].sort((x, y) => x - y)
  return from < 0 ? [b] : shown.slice(from, to + 1)
}

/** The check of a task's row takes the focus: from there every key is at hand. */
export function focusTask(id: string | undefined): void {
  const row = taskRows().find(({ dataset }) => dataset.task === id)
  row?.querySelector<HTMLElement>('.task-check:enabled, .task-title, .task-link')?.focus()
}
