import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { UpdatedUser, User } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCompany } from '../../frame/standing.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { InvitationShown } from './invitation.tsx'
import { type PersonDraft, PersonFields } from './person-fields.tsx'
import { usePeopleWords } from './words.ts'

interface EditPersonProps {
  user: User
  onClose: () => void
  onSaved: () => void
}

export function EditPerson({ user, onClose, onSaved }: EditPersonProps) {
  const t = usePeopleWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const before: PersonDraft = {
    name: user.name,
    email: user.email,
    role: user.role,
    can_manage_api_keys: user.can_manage_api_keys,
    language: user.language,
  }
  const [draft, setDraft] = useState(before)
  const [changed, setChanged] = useState<UpdatedUser>()
  const save = async (body: PersonDraft) => {
    const params = { company, user: user.id }
    const { data } = await call('PATCH /companies/{company}/users/{user}', { params, body })
    onSaved()
    return data
  }
  const action = useAction(async () => {
    const saved = await save(draft)
    if (saved.invitation) return setChanged(saved)
    onClose()
    say(t.saved, () => save(before))
  })
  // Whoever gains rights starts afresh, with a new code.
  if (changed?.invitation)
    return <InvitationShown invitation={changed.invitation} name={changed.name} onClose={onClose} />
  return (
    <Dialog title={t.editTitle} onClose={onClose}>
      <Form action={action} submit={common.save} onCancel={onClose}>
        <PersonFields draft={draft} onChange={setDraft} action={action} />
      </Form>
    </Dialog>
  )
}
