import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { CreatedUser } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { leave } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { CopyButton, ShownOnce } from '../../parts/secret.tsx'
import { Facts } from '../../parts/table.tsx'
import { Name, Note } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { LANGUAGES, type Language } from '../../words/language.ts'
import { invitationLink, invitationMessage } from './invitation-message.ts'
import { useInvitationWords } from './words.ts'

type Invitation = NonNullable<CreatedUser['invitation']>

interface InvitationShownProps {
  invitation: Invitation
  name: string
  onClose: () => void
}

/** The link, once, and a message to send it with; or that it went by mail. */
export function InvitationShown({ invitation: { code, expires_at }, name, onClose }: InvitationShownProps) {
  const t = useInvitationWords()
  return (
    <Dialog title={<Name>{name}</Name>} onClose={onClose} stays>
      <div class="stack">
        {code === null ? <Note tone="good">{t.mailed}</Note> : <Link code={code} name={name} expiresAt={expires_at} />}
        <Facts of={[[t.until, <Time key="until" at={expires_at} />]]} />
        <div class="form-actions">
          <Button main onClick={() => leave(onClose)}>
            {t.done}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Link({ code, name, expiresAt }: { code: string; name: string; expiresAt: string }) {
  const t = useInvitationWords()
  const { me, zone } = useStanding()
  const { name: company } = useCompany()
  const [isKept, setKept] = useState(false)
  const link = invitationLink(code)
  const facts = { name, company, by: me.user?.name ?? null, code, expiresAt, zone }
  const keep = () => setKept(true)
  return (
    <>
      <p>{t.giveIt}</p>
      <ShownOnce value={link} label={t.link} isKept={isKept} onCopied={keep} />
      <p>{t.message}</p>
      <p class="row">
        {(Object.keys(LANGUAGES) as Language[]).map(language => (
          <CopyButton key={language} value={invitationMessage(language, facts)} onCopied={keep}>
            {t.messageIn[language]}
          </CopyButton>
        ))}
      </p>
    </>
  )
}

interface InviteAgainProps {
  user: { id: number; name: string }
  onClose: () => void
  onInvited: () => void
}

/** Makes a new invitation for somebody who is there already. */
export function InviteAgain({ user, onClose, onInvited }: InviteAgainProps) {
  const t = useInvitationWords()
  const { id: company } = useCompany()
  const [invitation, setInvitation] = useState<Invitation>()
  const action = useAction(async () => {
    const params = { company, user: user.id }
    setInvitation((await call('POST /companies/{company}/users/{user}/invitation', { params })).data.invitation)
    onInvited()
  })
  if (invitation) return <InvitationShown invitation={invitation} name={user.name} onClose={onClose} />
  return (
    <Dialog title={t.again} onClose={onClose}>
      <Form action={action} submit={t.invite} onCancel={onClose}>
        <p>
          <Name>{user.name}</Name>
        </p>
        <p class="quiet">{t.againLead}</p>
      </Form>
    </Dialog>
  )
}
