import { useAnswer } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'
import { Code, Name } from '../../parts/text.tsx'

/** The names of the projects that were created first; any others are shown by their slug. */
export function useProjectNames(): Map<string, string> {
  const { id } = useCompany()
  const { data } = useAnswer('GET /companies/{company}/records/projects', {
    params: { company: id },
    query: { limit: 100, include_archived: true },
  })
  return new Map(data?.data.map(({ id, name }) => [id, name]))
}

/** A project by its name, where only its ref or slug is known. */
export function ProjectName({ project }: { project: string }) {
  const { id } = useCompany()
  const { data } = useAnswer('GET /companies/{company}/records/projects/{project}', {
    params: { company: id, project },
  })
  return data ? <Name>{data.data.name}</Name> : <Code>{project}</Code>
}
