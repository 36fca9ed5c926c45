import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Company } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useStanding } from '../../frame/standing.ts'
import { CheckField, Form } from '../../parts/form.tsx'
import { Card } from '../../parts/page.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useSettingsWords } from './words.ts'

interface SignInRuleProps {
  company: Company
  onSaved: () => void
}

/** Whether tokens are refused in the console: for owners, where the operator lets companies decide that. */
export function SignInRule({ company, onSaved }: SignInRuleProps) {
  const t = useSettingsWords()
  const { me } = useStanding()
  const offered = useAnswer('GET /sign-in')
  const provider = offered.data?.data.identity_provider
  const isFor = me.kind === 'operator' || me.user?.role === 'owner'
  if (!isFor || !provider?.may_be_required) return null
  return (
    <Card title={t.signIn}>
      <Rule company={company} name={provider.name} onSaved={onSaved} />
    </Card>
  )
}

function Rule({ company: { id, require_oidc }, name, onSaved }: SignInRuleProps & { name: string }) {
  const t = useSettingsWords()
  const common = useCommonWords()
  const [isRequired, setRequired] = useState(require_oidc)
  const save = async (require_oidc: boolean) => {
    await call('PATCH /companies/{company}', { params: { company: id }, body: { require_oidc } })
    onSaved()
  }
  const action = useAction(() => save(isRequired))
  const undo = async () => {
    await save(require_oidc)
    setRequired(require_oidc)
  }
  return (
    <Form action={action} submit={common.save} onDone={() => say(t.saved, undo)}>
      <CheckField label={t.requireOidc(name)} hint={t.requireOidcHint} checked={isRequired} onChange={setRequired} />
    </Form>
  )
}
