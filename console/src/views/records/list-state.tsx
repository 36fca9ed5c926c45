import type { TaskList } from '../../api/types.ts'
import { Badge, type Tone } from '../../parts/text.tsx'
import { formatNumber, useLanguage } from '../../words/language.ts'
import { useWorkWords } from './words.ts'
import '../../style/records.css'

const TONES: Record<NonNullable<TaskList['priority']>, Tone> = {
  low: 'plain',
  medium: 'plain',
  high: 'warn',
  urgent: 'bad',
}

export function Priority({ of }: { of: TaskList['priority'] }) {
  const t = useWorkWords()
  return of ? <Badge tone={TONES[of]}>{t.priorities[of]}</Badge> : <>—</>
}

/** How much of a list is done, as a bar with its figures. */
export function Done({ list: { completed_tasks_count, tasks_count } }: { list: TaskList }) {
  const t = useWorkWords()
  const language = useLanguage()
  const text = t.doneOf(formatNumber(language, completed_tasks_count), formatNumber(language, tasks_count))
  return (
    <span class="row">
      {tasks_count > 0 && <progress max={tasks_count} value={completed_tasks_count} aria-label={text} />}
      <bdi>{text}</bdi>
    </span>
  )
}
