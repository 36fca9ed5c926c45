import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { CreatedCompany, Plan } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { go, leave } from '../../frame/address.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, Form, SelectField, TextField } from '../../parts/form.tsx'
import { ShownOnce } from '../../parts/secret.tsx'
import { Name } from '../../parts/text.tsx'
import { ZoneField } from '../../parts/zone-field.tsx'
import { useCommonWords } from '../../words/common.ts'
import { usePlans } from './plans.ts'
import { useCompaniesWords } from './words.ts'

/** Creates a company; then its owner's token is shown, once. */
export function NewCompany({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<CreatedCompany>()
  return made ? <Made company={made} onClose={onClose} /> : <Asked onMade={setMade} onClose={onClose} />
}

function Asked({ onMade, onClose }: { onMade: (made: CreatedCompany) => void; onClose: () => void }) {
  const t = useCompaniesWords()
  const common = useCommonWords()
  const plans = usePlans()
  const [name, setName] = useState('')
  const [plan, setPlan] = useState<Plan>('advanced')
  const [restApi, setRestApi] = useState(true)
  const [zone, setZone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone)
  const [owner, setOwner] = useState({ name: '', email: '' })
  const hasApi = plans.find(known => known.name === plan)?.api ?? false
  const action = useAction(async () => {
    const body = { name, plan, time_zone: zone, rest_api: restApi && hasApi, owner }
    onMade((await call('POST /companies', { body })).data)
  })
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form action={action} submit={t.createVerb} onCancel={onClose}>
        <TextField
          label={common.name}
          value={name}
          onChange={setName}
          problem={action.about('name')}
          maxLength={255}
          autoFocus
        />
        <SelectField
          label={t.plan}
          value={plan}
          onChange={setPlan}
          options={plans.map(({ name, title }) => [name, title] as const)}
        />
        {hasApi && <CheckField label={t.restApi} checked={restApi} onChange={setRestApi} />}
        <ZoneField
          label={t.zone}
          hint={t.zoneHint}
          value={zone}
          onChange={setZone}
          problem={action.about('time_zone')}
        />
        <TextField
          label={t.ownerName}
          value={owner.name}
          onChange={name => setOwner({ ...owner, name })}
          problem={action.about('owner.name')}
          maxLength={255}
        />
        <TextField
          label={t.ownerEmail}
          type="email"
          value={owner.email}
          onChange={email => setOwner({ ...owner, email })}
          problem={action.about('owner.email')}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  )
}

function Made({ company, onClose }: { company: CreatedCompany; onClose: () => void }) {
  const t = useCompaniesWords()
  const common = useCommonWords()
  return (
    <Dialog title={<Name>{company.name}</Name>} onClose={onClose} stays>
      <div class="stack">
        <p>{t.createdLead}</p>
        <ShownOnce value={company.owner_token} label={t.ownerToken} />
        <div class="form-actions">
          <Button main onClick={() => go(`/companies/${company.id}`)}>
            {t.openCompany}
          </Button>
          <Button onClick={() => leave(onClose)}>{common.close}</Button>
        </div>
      </div>
    </Dialog>
  )
}
