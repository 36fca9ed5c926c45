import { call } from '../../api/call.ts'
import type { Task } from '../../api/types.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { words } from '../../words/language.ts'
import { DraftField } from './draft-field.tsx'
import type { WorkingTasks } from './use-working-tasks.ts'
import { useWorkWords } from './words.ts'

const useTimeWords = words({
  en: { hint: '1:30 or 1.5 is in hours, 90 in minutes' },
  ar: { hint: '1:30 أو 1.5 بالساعات، و90 بالدقائق' },
})

/** The time spent on a task, where the plan of the company records it. */
export function TimeField({ task, working }: { task: Task; working: WorkingTasks }) {
  const t = useWorkWords()
  const { hint } = useTimeWords()
  const { id: company, plan } = useCompany()
  const { may } = useStanding()
  const isRecorded = useCatalog().data?.plans.find(({ name }) => name === plan)?.time_tracking
  if (!isRecorded || !may('setTaskTime')) return null
  // The server reads what was written, so that it is shown once it is stored.
  const save = (time_spent: string) =>
    working.change(
      task,
      shown => shown,
      async () => {
        const path = 'POST /companies/{company}/records/tasks/{task}/time'
        return (await call(path, { params: { company, task: task.id }, body: { time_spent: time_spent || null } })).data
      },
    )
  const { id, time_spent_minutes: minutes } = task
  return <DraftField label={t.timeSpent} hint={hint} value={asHours(minutes)} place={`task/${id}/time`} onSave={save} />
}

/** 90 minutes are `1:30`. */
function asHours(minutes: number | null): string {
  return minutes === null ? '' : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}
