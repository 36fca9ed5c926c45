import { useState } from 'preact/hooks'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { LoadingFailed } from '../../parts/failure.tsx'
import { SelectField, TextField } from '../../parts/form.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { isolate } from '../../words/language.ts'
import { useWebhooksWords } from './words.ts'

interface ProjectFieldProps {
  /** A ref; empty for all projects. */
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}

/** Leaders choose by name. A key administrator who may not list projects writes the ref. */
export function ProjectField(props: ProjectFieldProps) {
  const t = useWebhooksWords()
  const { may } = useStanding()
  if (may('listProjects')) return <ProjectChoice {...props} />
  return <TextField label={t.projectRef} hint={t.projectRefHint} code autoComplete="off" {...props} />
}

const AT_ONCE = 100

function ProjectChoice({ value, onChange, problem }: ProjectFieldProps) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const [q, setQ] = useState('')
  const projects = useCollection('GET /companies/{company}/projects', {
    params: { company: id },
    query: { limit: AT_ONCE, q },
  })
  const isSearched = q !== '' || (projects.total ?? 0) > AT_ONCE
  const found = projects.data ?? []
  return (
    <>
      <LoadingFailed of={projects} />
      {isSearched && <SearchField label={t.findProject} value={q} onChange={setQ} />}
      <SelectField
        label={t.project}
        problem={problem}
        value={value}
        onChange={onChange}
        options={[
          ['', t.allProjects],
          ...(value && !found.some(project => project.id === value) ? [[value, value] as const] : []),
          ...found.map(project => [project.id, isolate(project.name)] as const),
        ]}
      />
    </>
  )
}
