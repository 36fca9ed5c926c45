import { useStanding } from '../../frame/standing.ts'
import { PersonField } from '../../parts/person-field.tsx'
import { isolate } from '../../words/language.ts'
import { useKeysWords } from './words.ts'

interface ActsAsFieldProps {
  /** The id of a person; if empty, the server chooses. */
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}

/** The person in whose name the key acts. Owners and the operator choose; everyone else signs for themselves. */
export function ActsAsField(props: ActsAsFieldProps) {
  const t = useKeysWords()
  const { me, may } = useStanding()
  const maySignAsOthers = (me.kind === 'operator' || me.user?.role === 'owner') && may('listUsers')
  if (!maySignAsOthers) return <p class="hint">{t.actsAsYou}</p>
  return (
    <PersonField
      label={t.actsAs}
      hint={t.actsAsHint}
      nobody={me.user ? isolate(me.user.name) : t.actsAsOwner}
      except={me.user ? [me.user.id] : []}
      activeOnly
      {...props}
    />
  )
}
