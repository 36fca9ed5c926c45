import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { SelectedBar } from './selected-bar.tsx'
import { SelectionContext, useSelection } from './selection.ts'
import { useSelectionWords } from './selection-words.ts'
import { useTaskKeys } from './use-task-keys.ts'
import type { WorkingTasks } from './use-working-tasks.ts'

interface SelectableProps {
  working: WorkingTasks
  /** Whether the reader may change the tasks. Otherwise they only move among them by keys. */
  canChange: boolean
  children: ComponentChildren
}

/** What tasks are shown in: there they are reached by keys, and several can be chosen. */
export function Selectable({ working, canChange, children }: SelectableProps) {
  const selection = useSelection(working.tasks)
  useTaskKeys(selection, canChange)
  return (
    <SelectionContext.Provider value={canChange ? selection : undefined}>
      <div>
        {children}
        {canChange && selection.isOn && <SelectedBar selection={selection} working={working} />}
      </div>
    </SelectionContext.Provider>
  )
}

/** Begins to choose tasks, for those who point. */
export function SelectButton() {
  const t = useSelectionWords()
  const selection = useContext(SelectionContext)
  if (!selection) return null
  return (
    <Button quiet aria-pressed={selection.isOn} onClick={selection.isOn ? selection.end : selection.begin}>
      {selection.isOn ? t.end : t.begin}
    </Button>
  )
}
