import { useAnswer } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'
import { Code, Name } from '../../parts/text.tsx'

/** A task list by its title, where only its ref is known. */
export function ListName({ list }: { list: string }) {
  const { id } = useCompany()
  const { data } = useAnswer('GET /companies/{company}/records/lists/{list}', { params: { company: id, list } })
  return data ? <Name>{data.data.title}</Name> : <Code>{list}</Code>
}
