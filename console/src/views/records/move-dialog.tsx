import { useState } from 'preact/hooks'
import type { Task, TaskList } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, SelectField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { isolate } from '../../words/language.ts'
import { useDoingWords } from './doing-words.ts'
import { useSelectionWords } from './selection-words.ts'

interface MoveDialogProps {
  title: string
  tasks: Task[]
  onChosen: (list: TaskList) => void
  onClose: () => void
}

/** A list of any project that is open to the reader. */
export function MoveDialog({ title, tasks, onChosen, onClose }: MoveDialogProps) {
  const t = useSelectionWords()
  const doing = useDoingWords()
  const { id: company } = useCompany()
  const [project, setProject] = useState(tasks[0]?.project_id ?? '')
  const [chosen, setChosen] = useState('')
  const projects = useAnswer('GET /companies/{company}/records/projects', {
    params: { company },
    query: { limit: 100 },
  })
  const lists = useAnswer('GET /companies/{company}/records/projects/{project}/lists', {
    params: { company, project },
    query: { limit: 100 },
  })
  const list = lists.data?.data.find(({ id }) => id === chosen)
  const action = useAction(async () => list && onChosen(list))
  const offered = (projects.data?.data ?? []).map(({ id, name }) => [id, isolate(name)] as const)
  const isKnown = offered.some(([id]) => id === project)
  const choices = (lists.data?.data ?? []).map(({ id, title }) => [id, isolate(title)] as const)
  const isEmpty = lists.data !== undefined && choices.length === 0
  return (
    <Dialog title={title} onClose={onClose}>
      <Loaded of={projects}>
        {() => (
          <Form action={action} submit={t.move} disabled={!list} onCancel={onClose} onDone={onClose}>
            <SelectField
              label={t.project}
              value={project}
              onChange={value => {
                setProject(value)
                setChosen('')
              }}
              options={isKnown ? offered : [[project, isolate(tasks[0]?.project_slug ?? '')], ...offered]}
            />
            <SelectField
              label={doing.list}
              hint={isEmpty ? t.noLists : undefined}
              value={chosen}
              onChange={setChosen}
              options={[['', t.chooseList], ...choices]}
            />
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}
