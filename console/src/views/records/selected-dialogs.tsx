import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Task } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoading } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, SelectField, TextField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { HijriDay } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useDoingWords } from './doing-words.ts'
import { useSelectionWords } from './selection-words.ts'

interface DialogProps<T> {
  tasks: Task[]
  onChosen: (value: T) => void
  onClose: () => void
}

/** One of the people who can be assigned in every project that the tasks are in. */
export function AssignDialog({ tasks, onChosen, onClose }: DialogProps<Task['assignee']>) {
  const t = useSelectionWords()
  const doing = useDoingWords()
  const people = usePeopleOfAll([...new Set(tasks.map(({ project_id }) => project_id))])
  const [email, setEmail] = useState('')
  const action = useAction(async () => onChosen(people.data?.find(person => person.email === email) ?? null))
  return (
    <Dialog title={t.assignTitle(tasks.length)} onClose={onClose}>
      <Loaded of={people}>
        {all => (
          <Form action={action} submit={t.assign} onCancel={onClose} onDone={onClose}>
            <SelectField
              label={doing.assignee}
              value={email}
              onChange={setEmail}
              options={[['', doing.nobody], ...all.map(({ email, name }) => [email, isolate(name)] as const)]}
            />
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

function usePeopleOfAll(projects: string[]) {
  const { id: company } = useCompany()
  return useLoading(
    async signal => {
      const path = 'GET /companies/{company}/records/projects/{project}/members'
      const each = await Promise.all(
        projects.map(async project => (await call(path, { params: { company, project }, signal })).data),
      )
      const [first = [], ...others] = each
      return first.filter(({ email }) => others.every(people => people.some(person => person.email === email)))
    },
    [company, projects],
  )
}

export function DueDialog({ tasks, onChosen, onClose }: DialogProps<string | null>) {
  const t = useSelectionWords()
  const common = useCommonWords()
  const doing = useDoingWords()
  const { secondCalendar } = useStanding()
  const [day, setDay] = useState(tasks[0]?.due_at ?? '')
  const action = useAction(async () => onChosen(day || null))
  return (
    <Dialog title={t.dueTitle(tasks.length)} onClose={onClose}>
      <Form action={action} submit={common.save} onCancel={onClose} onDone={onClose}>
        <TextField
          label={doing.due}
          hint={day && secondCalendar ? <HijriDay on={day} /> : t.dueHint}
          type="date"
          value={day}
          onChange={setDay}
        />
      </Form>
    </Dialog>
  )
}
