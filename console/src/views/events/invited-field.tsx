import { call } from '../../api/call.ts'
import { useLoading } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { ChosenField } from '../../parts/chosen-field.tsx'
import { Name } from '../../parts/text.tsx'
import { useEventsWords } from './words.ts'

interface InvitedFieldProps {
  /** Addresses. */
  values: string[]
  onChange: (values: string[]) => void
}

/** Who is invited. People are suggested, and anybody else of the company can be typed. */
export function InvitedField({ values, onChange }: InvitedFieldProps) {
  const t = useEventsWords()
  const people = useKnownPeople()
  const nameOf = new Map(people)
  return (
    <ChosenField
      label={t.invited}
      hint={t.inviteHint}
      values={values}
      onChange={onChange}
      free
      options={people}
      show={email => <Name>{nameOf.get(email) ?? email}</Name>}
    />
  )
}

/** Enough to know those whom one works with. */
const MOST_PROJECTS = 5

/** Leaders know everybody. Members cannot ask for the people of the company: they know those of their projects. */
function useKnownPeople(): [email: string, name: string][] {
  const { id: company } = useCompany()
  const { me, may } = useStanding()
  const asksForAll = may('listUsers')
  const people = useLoading(
    async signal => {
      const params = { company }
      if (asksForAll) {
        const { data } = await call('GET /companies/{company}/users', { params, query: { limit: 100 }, signal })
        return data.filter(({ active }) => active)
      }
      const query = { limit: MOST_PROJECTS }
      const { data: projects } = await call('GET /companies/{company}/records/projects', { params, query, signal })
      const path = 'GET /companies/{company}/records/projects/{project}/members'
      const ask = async ({ id: project }: { id: string }) =>
        (await call(path, { params: { company, project }, signal })).data
      return (await Promise.all(projects.map(ask))).flat()
    },
    [company, asksForAll],
  )
  const byEmail = new Map((people.data ?? []).map(({ email, name }) => [email, name]))
  if (me.user) byEmail.delete(me.user.email)
  return [...byEmail]
}
