import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Company, UpdateCompanyBody } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { CheckField, Form, SelectField, TextField } from '../../parts/form.tsx'
import { say } from '../../parts/toast.tsx'
import { ZoneField } from '../../parts/zone-field.tsx'
import { useCommonWords } from '../../words/common.ts'
import { usePlans } from './plans.ts'
import { useCompaniesWords } from './words.ts'

const FIELDS = ['plan', 'rest_api', 'daily_calls', 'subscription', 'time_zone'] as const
type TermsOfCompany = Pick<Company, (typeof FIELDS)[number]>

/** Sends only what was changed; the change can be undone. */
export function TermsForm({ company, onSaved }: { company: Company; onSaved: () => void }) {
  const t = useCompaniesWords()
  const common = useCommonWords()
  const [terms, setTerms] = useState<TermsOfCompany>(company)
  const set = (change: Partial<TermsOfCompany>) => setTerms({ ...terms, ...change })
  const changed = FIELDS.filter(field => terms[field] !== company[field])
  const write = async (from: TermsOfCompany) => {
    if (changed.length === 0) return
    const body = Object.fromEntries(changed.map(field => [field, from[field]])) as UpdateCompanyBody
    await call('PATCH /companies/{company}', { params: { company: company.id }, body })
    onSaved()
  }
  const action = useAction(async () => {
    await write(terms)
    say(t.saved, changed.length > 0 ? () => write(company) : undefined)
  })
  return (
    <Form action={action} submit={common.save}>
      <PlanFields terms={terms} set={set} about={action.about} />
      <SelectField
        label={t.subscription}
        hint={t.subscriptionHint}
        value={terms.subscription}
        onChange={subscription => set({ subscription })}
        options={Object.entries(t.subscriptions) as [Company['subscription'], string][]}
      />
      <ZoneField
        label={t.zone}
        hint={t.zoneHint}
        problem={action.about('time_zone')}
        value={terms.time_zone}
        onChange={time_zone => set({ time_zone })}
      />
    </Form>
  )
}

interface PlanFieldsProps {
  terms: TermsOfCompany
  set: (change: Partial<TermsOfCompany>) => void
  about: (field: string) => string | undefined
}

/** The plan, and what it leaves to decide. */
function PlanFields({ terms, set, about }: PlanFieldsProps) {
  const t = useCompaniesWords()
  const plans = usePlans()
  const plan = plans.find(({ name }) => name === terms.plan)
  const hint = !plan?.api ? t.noApi : plan.dailyCalls === null ? undefined : t.planCalls(plan.dailyCalls)
  return (
    <>
      <SelectField
        label={t.plan}
        {...(plan && hint && { hint })}
        problem={about('plan')}
        value={terms.plan}
        onChange={plan => set({ plan })}
        options={plans.map(({ name, title }) => [name, title] as const)}
      />
      {plan?.api && (
        <CheckField
          label={t.restApi}
          hint={t.restApiHint}
          checked={terms.rest_api}
          onChange={rest_api => set({ rest_api })}
        />
      )}
      {plan?.api && plan.dailyCalls === null && (
        <TextField
          label={t.dailyCalls}
          hint={t.dailyCallsHint}
          problem={about('daily_calls')}
          type="number"
          min={0}
          value={terms.daily_calls === null ? '' : String(terms.daily_calls)}
          onChange={text => set({ daily_calls: text === '' ? null : Number(text) })}
        />
      )}
    </>
  )
}
