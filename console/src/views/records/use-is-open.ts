import { useAnswer } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'

/** Whether anything can be changed in a project: not while that is unknown, and not in an archived one. */
export function useIsOpen(project: string): boolean {
  const { id } = useCompany()
  const { data } = useAnswer('GET /companies/{company}/records/projects/{project}', {
    params: { company: id, project },
  })
  return data !== undefined && !data.data.archived
}
