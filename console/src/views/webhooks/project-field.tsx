import { useEffect, useState } from 'preact/hooks'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { SelectField, TextField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
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
const PAUSE_MS = 300

function ProjectChoice({ value, onChange, problem }: ProjectFieldProps) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const [written, setWritten] = useState('')
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(written), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [written])
  const projects = useCollection('GET /companies/{company}/projects', {
    params: { company: id },
    query: { limit: AT_ONCE, q },
  })
  const isSearchable = q !== '' || (projects.total ?? 0) > AT_ONCE
  return (
    <div class="stack tight">
      {isSearchable && <TextField label={t.findProject} type="search" value={written} onChange={setWritten} />}
      <Loaded of={projects}>
        {rows => (
          <SelectField
            label={t.project}
            problem={problem}
            value={value}
            onChange={onChange}
            options={[
              ['', t.allProjects],
              ...(value && !rows.some(project => project.id === value) ? [[value, value] as const] : []),
              ...rows.map(project => [project.id, isolate(project.name)] as const),
            ]}
          />
        )}
      </Loaded>
    </div>
  )
}
