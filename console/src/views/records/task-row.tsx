import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Task } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { Name } from '../../parts/text.tsx'
import { Day } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useDoingWords } from './doing-words.ts'
import { SelectionContext } from './selection.ts'
import { CompleteBox, SelectBox } from './task-boxes.tsx'
import { todayIn } from './today.ts'
import type { WorkingTasks } from './use-working-tasks.ts'
import '../../style/work.css'

interface TaskRowProps {
  task: Task
  working: WorkingTasks
  /** Whether the reader may change it. */
  canChange: boolean
  isOpen: boolean
  onToggle: () => void
  /** What else is said about it, such as its project. */
  children?: ComponentChildren
  /** Shown below while it is open. */
  panel: () => ComponentChildren
}

/** A task in one line: its check completes it, its title opens it in place. */
export function TaskRow({ task, working, canChange, isOpen, onToggle, children, panel }: TaskRowProps) {
  const t = useDoingWords()
  const common = useCommonWords()
  const selection = useContext(SelectionContext)
  const { zone } = useStanding()
  const [wasCompletedHere, setCompletedHere] = useState(false)
  const { id, title, completed, due_at } = task
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    // Whoever closed it goes on from where it was opened.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const check = (isDone: boolean) => {
    setCompletedHere(isDone)
    if (isDone) working.complete(task)
    else working.reopen(task)
  }
  const isLate = !completed && due_at !== null && due_at < todayIn(zone)
  return (
    <li
      class={['task', completed && 'done', isOpen && 'open', selection?.has(task) && 'selected']
        .filter(Boolean)
        .join(' ')}
      data-task={id}
    >
      <div class="task-line">
        {canChange && <SelectBox task={task} />}
        <CompleteBox task={task} disabled={!canChange} onCheck={check} />
        <button
          type="button"
          class="task-title"
          ref={opener}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `panel-${id}` : undefined}
          onClick={onToggle}
        >
          <Name>{title}</Name>
        </button>
        {completed && wasCompletedHere && (
          <Button quiet aria-label={t.undoComplete(isolate(title))} onClick={() => check(false)}>
            {common.undo}
          </Button>
        )}
        <span class="task-about">
          {children}
          {due_at && (
            <span class={isLate ? 'late' : undefined}>
              {isLate && <span class="read-out">{t.overdue}</span>}
              <Day on={due_at} />
            </span>
          )}
        </span>
      </div>
      <FailureNote failure={working.failureOf(task)} />
      {isOpen && (
        <div class="task-panel" id={`panel-${id}`}>
          {panel()}
        </div>
      )}
    </li>
  )
}
