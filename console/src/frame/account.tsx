import { Button, Link } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Name } from '../parts/text.tsx'
import { useCommonWords } from '../words/common.ts'
import { type Choices, ChoicesBar } from './choices.tsx'
import { useStanding } from './standing.ts'
import { useFrameWords } from './words.ts'

/** Who is signed in, and what they have chosen: at the foot of the menu, and always in sight there. */
export function Account({ choices }: { choices: Choices }) {
  const t = useFrameWords()
  const common = useCommonWords()
  const { me, signOut } = useStanding()
  const { user, company } = me
  return (
    <div class="account">
      <div class="account-line">
        <span class="quiet">
          <Icon name="person" />
        </span>
        <div class="account-names">
          {user && company ? (
            <>
              <Link class="one-line" to={`/companies/${company.id}/people/${user.id}`}>
                <Name>{user.name}</Name>
              </Link>
              <span class="two-lines quiet" title={company.name}>
                {t.roles[user.role]} · <Name>{company.name}</Name>
              </span>
            </>
          ) : (
            common.operator
          )}
        </div>
        <Button quiet icon="leave" aria-label={t.signOut} title={t.signOut} onClick={signOut} />
      </div>
      <ChoicesBar choices={choices} />
    </div>
  )
}
