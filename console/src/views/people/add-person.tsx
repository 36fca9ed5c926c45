import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { CreatedUser } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCompany } from '../../frame/standing.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { useLanguage } from '../../words/language.ts'
import { InvitationShown } from './invitation.tsx'
import { type PersonDraft, PersonFields } from './person-fields.tsx'
import { usePeopleWords } from './words.ts'

/** Adds a person, and shows the invitation once. */
export function AddPerson({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const t = usePeopleWords()
  const language = useLanguage()
  const { id: company } = useCompany()
  const [added, setAdded] = useState<CreatedUser>()
  const [draft, setDraft] = useState<PersonDraft>({
    name: '',
    email: '',
    role: 'member',
    can_manage_api_keys: false,
    language,
  })
  const action = useAction(async () => {
    const { data } = await call('POST /companies/{company}/users', { params: { company }, body: draft })
    setAdded(data)
    onAdded()
  })
  if (added?.invitation) return <InvitationShown invitation={added.invitation} name={added.name} onClose={onClose} />
  return (
    <Dialog title={t.add} onClose={onClose}>
      <Form action={action} submit={t.add} onCancel={onClose}>
        <PersonFields draft={draft} onChange={setDraft} action={action} />
      </Form>
    </Dialog>
  )
}
