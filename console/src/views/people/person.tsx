import { useAnswer } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { useFrameWords } from '../../frame/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { Email, Name } from '../../parts/text.tsx'
import { useCommonWords } from '../../words/common.ts'
import { PersonKnown } from './person-known.tsx'
import { Sessions } from './sessions.tsx'
import { SignInLinks } from './sign-in-links.tsx'
import { Tokens } from './tokens.tsx'
import { usePeopleWords } from './words.ts'

/** One person. Members cannot request people; of themselves they see what came with their session. */
export default function Person({ params }: ViewProps) {
  const { me, may } = useStanding()
  const user = Number(params.user)
  return me.user?.id === user && !may('getUser') ? <Oneself /> : <Somebody user={user} />
}

function Somebody({ user }: { user: number }) {
  const t = usePeopleWords()
  const { id: company } = useCompany()
  const person = useAnswer('GET /companies/{company}/users/{user}', { params: { company, user } })
  const shown = <Loaded of={person}>{({ data }) => <PersonKnown user={data} onChanged={person.reload} />}</Loaded>
  if (person.data) return shown
  return (
    <Page title={t.person} above={{ to: `/companies/${company}/people`, label: t.title }}>
      {shown}
    </Page>
  )
}

function Oneself() {
  const t = usePeopleWords()
  const common = useCommonWords()
  const { roles, account } = useFrameWords()
  const { me } = useStanding()
  if (!me.user) return null
  const { id, name, email, role, can_manage_api_keys } = me.user
  return (
    <Page title={account} heading={<Name>{name}</Name>}>
      <Card>
        <Facts
          of={[
            [common.email, <Email key="email">{email}</Email>],
            [t.role, roles[role as keyof typeof roles]],
            [t.keys, can_manage_api_keys ? t.managesKeys : t.doesNotManageKeys],
          ]}
        />
      </Card>
      <Tokens user={id} />
      <Sessions user={id} />
      <SignInLinks user={id} />
    </Page>
  )
}
