import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { isolate } from '../../words/language.ts'
import { useKeysWords } from './words.ts'

interface ActsAsFieldProps {
  /** The id of a person; empty for what the server chooses. */
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}

/** Whose name stands on what the key does. Owners and the operator choose; everyone else signs for themselves. */
export function ActsAsField(props: ActsAsFieldProps) {
  const t = useKeysWords()
  const { me, may } = useStanding()
  const maySignAsOthers = (me.kind === 'operator' || me.user?.role === 'owner') && may('listUsers')
  return maySignAsOthers ? <PersonChoice {...props} /> : <p class="hint">{t.actsAsYou}</p>
}

function PersonChoice({ value, onChange, problem }: ActsAsFieldProps) {
  const t = useKeysWords()
  const { me } = useStanding()
  const { id } = useCompany()
  const people = useCollection('GET /companies/{company}/users', { params: { company: id }, query: { limit: 100 } })
  return (
    <Loaded of={people}>
      {rows => {
        const active = rows.filter(person => person.active)
        const byDefault = me.user?.id ?? active.find(({ role }) => role === 'owner')?.id ?? ''
        return (
          <div class="field">
            <SelectField
              label={t.actsAs}
              hint={t.actsAsHint}
              problem={problem}
              value={value || String(byDefault)}
              onChange={onChange}
              options={active.map(person => [String(person.id), isolate(person.name)] as const)}
            />
            {people.more && (
              <Button quiet onClick={people.more} busy={people.loadingMore}>
                {t.morePeople}
              </Button>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}
