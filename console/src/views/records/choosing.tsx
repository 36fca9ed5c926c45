import { useState } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'
import { ChosenField } from '../../parts/chosen-field.tsx'
import { Name } from '../../parts/text.tsx'
import { ProjectName } from './project-names.tsx'
import { useWorkWords } from './words.ts'

type Chosen = [values: string[], set: (values: string[]) => void]

/** People by their email addresses; others than those suggested can be typed. */
export function AssigneesField({ value: [values, set] }: { value: Chosen }) {
  const t = useWorkWords()
  const { id } = useCompany()
  const people = useAnswer('GET /companies/{company}/users', { params: { company: id }, query: { limit: 100 } })
  return (
    <ChosenField
      label={t.assignees}
      hint={t.assigneesHint}
      values={values}
      onChange={set}
      free
      options={(people.data?.data ?? []).map(({ email, name }) => [email, name])}
      show={email => <Name>{email}</Name>}
    />
  )
}

/** Projects, searched for while one types. */
export function ProjectsField({ value: [values, set] }: { value: Chosen }) {
  const t = useWorkWords()
  const { id } = useCompany()
  const [text, setText] = useState('')
  const projects = useAnswer('GET /companies/{company}/projects', {
    params: { company: id },
    query: { q: text, limit: 20 },
  })
  return (
    <ChosenField
      label={t.projectsChosen}
      hint={t.projectsChosenHint}
      values={values}
      onChange={set}
      onType={setText}
      options={(projects.data?.data ?? []).map(({ id, name }) => [id, name])}
      show={project => <ProjectName project={project} />}
    />
  )
}
