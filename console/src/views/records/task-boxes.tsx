import { useContext } from 'preact/hooks'
import type { Task } from '../../api/types.ts'
import { isolate } from '../../words/language.ts'
import { useDoingWords } from './doing-words.ts'
import { SelectionContext } from './selection.ts'
import { useSelectionWords } from './selection-words.ts'
import '../../style/work.css'

/** Chooses a task, while tasks are being chosen. */
export function SelectBox({ task }: { task: Task }) {
  const t = useSelectionWords()
  const selection = useContext(SelectionContext)
  if (!selection?.isOn) return null
  return (
    <input
      type="checkbox"
      aria-label={t.select(task.title)}
      checked={selection.has(task)}
      onClick={event => selection.toggle(task.id, event.shiftKey)}
    />
  )
}

interface CompleteBoxProps {
  task: Task
  disabled?: boolean
  onCheck: (isDone: boolean) => void
}

/** Completes a task, or reopens it. */
export function CompleteBox({ task: { title, completed }, disabled = false, onCheck }: CompleteBoxProps) {
  const t = useDoingWords()
  return (
    <input
      type="checkbox"
      class="task-check"
      aria-label={t.complete(isolate(title))}
      checked={completed}
      disabled={disabled}
      onChange={event => onCheck(event.currentTarget.checked)}
    />
  )
}
