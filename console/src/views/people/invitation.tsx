import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { CreatedUser } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { href } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { ShownOnce } from '../../parts/secret.tsx'
import { Facts } from '../../parts/table.tsx'
import { Code, Name, Note } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useInvitationWords } from './words.ts'

type Invitation = NonNullable<CreatedUser['invitation']>

interface InvitationShownProps {
  invitation: Invitation
  name: string
  onClose: () => void
}

/** The code, once; or that it went by mail. */
export function InvitationShown({ invitation: { code, expires_at }, name, onClose }: InvitationShownProps) {
  const t = useInvitationWords()
  return (
    <Dialog title={<Name>{name}</Name>} onClose={onClose} stays>
      <div class="stack">
        {code === null ? (
          <Note tone="good">{t.mailed}</Note>
        ) : (
          <>
            <p>{t.giveIt}</p>
            <ShownOnce value={code} label={t.code} />
          </>
        )}
        <Facts
          of={[
            [t.until, <Time key="until" at={expires_at} />],
            [t.page, <Code key="page">{location.origin + href('')}</Code>],
          ]}
        />
        <div class="form-actions">
          <Button main onClick={onClose}>
            {t.done}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** Makes a new invitation for somebody who is there already. */
export function InviteAgain({ user, onClose }: { user: { id: number; name: string }; onClose: () => void }) {
  const t = useInvitationWords()
  const { id: company } = useCompany()
  const [invitation, setInvitation] = useState<Invitation>()
  const action = useAction(async () => {
    const params = { company, user: user.id }
    setInvitation((await call('POST /companies/{company}/users/{user}/invitation', { params })).data.invitation)
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
