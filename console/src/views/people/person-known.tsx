import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { User } from '../../api/types.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { useFrameWords } from '../../frame/words.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Button } from '../../parts/button.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { Badge, Email, Name, Note } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { LANGUAGES } from '../../words/language.ts'
import { EditPerson } from './edit-person.tsx'
import { InviteAgain } from './invitation.tsx'
import { PersonState } from './person-state.tsx'
import { useMayChange, useMayInvite } from './rules.ts'
import { Sessions } from './sessions.tsx'
import { SignInLinks } from './sign-in-links.tsx'
import { Tokens } from './tokens.tsx'
import { useInvitationWords, usePeopleWords } from './words.ts'

interface PersonKnownProps {
  user: User
  onChanged: () => void
}

/** A person as leaders and the operator see one. */
export function PersonKnown({ user, onChanged }: PersonKnownProps) {
  const t = usePeopleWords()
  const { id: company } = useCompany()
  const { me } = useStanding()
  const isOneself = me.user?.id === user.id
  return (
    <Page
      title={user.name}
      heading={
        <>
          <Name>{user.name}</Name> {isOneself && <Badge>{t.you}</Badge>}
        </>
      }
      above={{ to: `/companies/${company}/people`, label: t.title }}
      actions={<Actions user={user} onChanged={onChanged} />}
    >
      {!user.active && <Note tone="warn">{t.inactiveNote}</Note>}
      <Card>
        <WhatIsKnown user={user} />
      </Card>
      <Tokens user={user.id} />
      <Sessions user={user.id} />
      <SignInLinks user={user.id} />
    </Page>
  )
}

function WhatIsKnown({ user }: { user: User }) {
  const t = usePeopleWords()
  const common = useCommonWords()
  const { roles } = useFrameWords()
  const { email, role, can_manage_api_keys, language, created_at } = user
  return (
    <Facts
      of={[
        [common.email, <Email key="email">{email}</Email>],
        [t.role, roles[role]],
        [t.keys, role === 'owner' || can_manage_api_keys ? t.managesKeys : t.doesNotManageKeys],
        [common.state, <PersonState key="state" of={user} />],
        [t.language, LANGUAGES[language].name],
        [t.added, <Time key="added" at={created_at} />],
      ]}
    />
  )
}

function Actions({ user, onChanged }: PersonKnownProps) {
  const t = usePeopleWords()
  const invitation = useInvitationWords()
  const { id: company } = useCompany()
  const { me, refresh } = useStanding()
  const mayChange = useMayChange()
  const mayInvite = useMayInvite()
  const [open, setOpen] = useState<'edit' | 'invite'>()
  const close = () => setOpen(undefined)
  const update = async (body: Partial<User>) => {
    await call('PATCH /companies/{company}/users/{user}', { params: { company, user: user.id }, body })
    onChanged()
  }
  const setActive = async (active: boolean) => {
    await update({ active })
    say(active ? t.activated : t.deactivated, () => update({ active: !active }))
  }
  const saved = () => {
    onChanged()
    if (me.user?.id === user.id) refresh()
  }
  return (
    <>
      {mayChange(user) && <Button onClick={() => setOpen('edit')}>{t.edit}</Button>}
      {mayInvite(user) && <Button onClick={() => setOpen('invite')}>{invitation.again}</Button>}
      {mayChange(user) && me.user?.id !== user.id && (
        <ActButton act={() => setActive(!user.active)}>{user.active ? t.deactivate : t.activate}</ActButton>
      )}
      {open === 'edit' && <EditPerson user={user} onClose={close} onSaved={saved} />}
      {open === 'invite' && <InviteAgain user={user} onClose={close} onInvited={onChanged} />}
    </>
  )
}
