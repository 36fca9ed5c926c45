import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/table.tsx'
import { Prose } from '../../parts/text.tsx'
import { Day } from '../../parts/time.tsx'
import { useDoingWords } from './doing-words.ts'
import { type Conflict, fieldOf, type TaskFields, type TaskVersion } from './use-task-version.ts'

interface ConflictNoteProps {
  conflict: Conflict
  resolve: TaskVersion['resolve']
}

/** Both versions side by side: the reader chooses. */
export function ConflictNote({ conflict: { mine, theirs }, resolve }: ConflictNoteProps) {
  const t = useDoingWords()
  const labels: Record<keyof TaskFields, string> = {
    title: t.title,
    notes: t.notes,
    due_at: t.due,
    assignee_email: t.assignee,
  }
  return (
    <div class="note warn stack" role="alert">
      <p>{t.changedMeanwhile}</p>
      {(Object.keys(mine) as (keyof TaskFields)[]).map(field => (
        <section key={field}>
          <h3>{labels[field]}</h3>
          <Facts
            of={[
              [t.yours, <Value key="mine" field={field} of={mine[field]} />],
              [t.theirs, <Value key="theirs" field={field} of={fieldOf(theirs, field)} />],
            ]}
          />
        </section>
      ))}
      <p class="row">
        <Button main onClick={() => resolve('mine')}>
          {t.keepMine}
        </Button>
        <Button onClick={() => resolve('theirs')}>{t.takeTheirs}</Button>
      </p>
    </div>
  )
}

function Value({ field, of }: { field: keyof TaskFields; of: string | null | undefined }) {
  const t = useDoingWords()
  if (!of) return <span class="quiet">{t.empty}</span>
  return field === 'due_at' ? <Day on={of} /> : <Prose>{of}</Prose>
}
