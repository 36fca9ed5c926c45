import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useLoading } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { ChosenField } from '../../parts/chosen-field.tsx'
import { Name } from '../../parts/text.tsx'
import { ProjectName } from './project-names.tsx'
import { useWorkWords } from './words.ts'

type Chosen = [values: string[], set: (values: string[]) => void]
type Option = [value: string, label: string]

/** People by their email addresses; others than those suggested can be typed. */
export function AssigneesField({ value: [values, set] }: { value: Chosen }) {
  const t = useWorkWords()
  return (
    <ChosenField
      label={t.assignees}
      hint={t.assigneesHint}
      values={values}
      onChange={set}
      free
      options={useSuggestedPeople()}
      show={email => <Name>{email}</Name>}
    />
  )
}

/** Members cannot ask for the people of the company: only they themselves are suggested. */
function useSuggestedPeople(): Option[] {
  const { id: company } = useCompany()
  const { me, may } = useStanding()
  const asks = may('listUsers')
  const people = useLoading(
    async signal => {
      if (!asks) return me.user ? [me.user] : []
      return (await call('GET /companies/{company}/users', { params: { company }, query: { limit: 100 }, signal })).data
    },
    [company, asks],
  )
  return (people.data ?? []).map(({ email, name }) => [email, name])
}

/** Projects, searched for while one types. */
export function ProjectsField({ value: [values, set] }: { value: Chosen }) {
  const t = useWorkWords()
  const [text, setText] = useState('')
  return (
    <ChosenField
      label={t.projectsChosen}
      hint={t.projectsChosenHint}
      values={values}
      onChange={set}
      onType={setText}
      options={useSuggestedProjects(text)}
      show={project => <ProjectName project={project} />}
    />
  )
}

/** Leaders search all projects; members are offered those that are open to them. */
function useSuggestedProjects(q: string): Option[] {
  const { id: company } = useCompany()
  const searches = useStanding().may('listProjects')
  const projects = useLoading<{ data: { id: string; name: string }[] }>(
    signal =>
      searches
        ? call('GET /companies/{company}/projects', { params: { company }, query: { q, limit: 20 }, signal })
        : call('GET /companies/{company}/records/projects', { params: { company }, query: { limit: 100 }, signal }),
    [company, searches && q],
  )
  return (projects.data?.data ?? []).map(({ id, name }) => [id, name])
}
