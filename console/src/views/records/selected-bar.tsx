import { useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { Told } from '../../parts/text.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { AssignDialog, DueDialog } from './selected-dialogs.tsx'
import type { Selection } from './selection.ts'
import { useSelectionWords } from './selection-words.ts'
import { useMayDeleteAll } from './use-may-delete-all.ts'
import { type SelectedActions, useSelectedActions } from './use-selected-actions.ts'
import type { WorkingTasks } from './use-working-tasks.ts'
import '../../style/selection.css'

interface SelectedBarProps {
  selection: Selection
  working: WorkingTasks
}

type Asking = 'assign' | 'due' | 'move' | 'remove'

/** What can be done with all tasks that are chosen. */
export function SelectedBar({ selection, working }: SelectedBarProps) {
  const t = useSelectionWords()
  const { selected } = selection
  const actions = useSelectedActions(selection, working)
  const mayDelete = useMayDeleteAll(selected, working)
  const [asking, setAsking] = useState<Asking>()
  const isNone = selected.length === 0
  const ask = (what: Asking, label: string, isDangerous = false) => (
    <Button
      quiet
      class={isDangerous ? 'dangerous' : undefined}
      disabled={isNone || actions.isBusy}
      onClick={() => setAsking(what)}
    >
      {label}
    </Button>
  )
  return (
    <section class="selected-bar" aria-label={t.bar}>
      <div class="row">
        <strong role="status">{isNone ? t.none : t.selected(selected.length)}</strong>
        <Button
          quiet
          disabled={isNone || selected.every(({ completed }) => completed)}
          busy={actions.isBusy}
          onClick={actions.complete}
        >
          {t.complete}
        </Button>
        {ask('assign', t.assign)}
        {ask('due', t.due)}
        {ask('move', t.move)}
        {mayDelete && ask('remove', t.remove, true)}
        <Button quiet icon="close" class="end" aria-label={t.clear} onClick={selection.end} />
      </div>
      <Refused by={actions.refused} />
      <Asked asking={asking} selection={selection} actions={actions} onClose={() => setAsking(undefined)} />
    </section>
  )
}

function Refused({ by }: { by: SelectedActions['refused'] }) {
  const t = useSelectionWords()
  if (!by) return null
  const { task, done, failure } = by
  return (
    <>
      {task && (
        <p>
          <Told>{done > 0 ? t.partly(done, task.title) : t.refused(task.title)}</Told>
        </p>
      )}
      <FailureNote failure={failure} />
    </>
  )
}

interface AskedProps {
  asking: Asking | undefined
  selection: Selection
  actions: SelectedActions
  onClose: () => void
}

/** What has to be known first. */
function Asked({ asking, selection: { selected }, actions, onClose }: AskedProps) {
  const t = useSelectionWords()
  const n = selected.length
  if (asking === 'assign') return <AssignDialog tasks={selected} onChosen={actions.assign} onClose={onClose} />
  if (asking === 'due') return <DueDialog tasks={selected} onChosen={actions.setDue} onClose={onClose} />
  if (asking === 'move')
    return <MoveDialog title={t.moveTitle(n)} tasks={selected} onChosen={actions.move} onClose={onClose} />
  if (asking !== 'remove') return null
  return (
    <Confirm title={t.removeTitle(n)} verb={t.remove} act={async () => void actions.remove()} onClose={onClose}>
      <p>{t.removeMeans(n)}</p>
    </Confirm>
  )
}
