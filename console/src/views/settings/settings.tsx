import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Company, UpdateCompanyBody } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Form, SelectField, TextField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { say } from '../../parts/toast.tsx'
import { ZoneField } from '../../parts/zone-field.tsx'
import { useCommonWords } from '../../words/common.ts'
import { LANGUAGES, type Language } from '../../words/language.ts'
import { Sandbox } from './sandbox.tsx'
import { SignInRule } from './sign-in-rule.tsx'
import { Terms } from './terms.tsx'
import { useSettingsWords } from './words.ts'

/** What a company can say of itself, and what was agreed with it. */
export default function Settings() {
  const t = useSettingsWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const company = useAnswer('GET /companies/{company}', { params: { company: id } })
  return (
    <Page title={t.title}>
      <Loaded of={company}>
        {({ data }) => (
          <>
            {may('updateCompany') && (
              <Card title={t.general}>
                <General company={data} onSaved={company.reload} />
              </Card>
            )}
            <SignInRule company={data} onSaved={company.reload} />
            <Terms company={data} />
            <Sandbox company={data} onChanged={company.reload} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function General({ company, onSaved }: { company: Company; onSaved: () => void }) {
  const t = useSettingsWords()
  const common = useCommonWords()
  const { refresh } = useStanding()
  const [name, setName] = useState(company.name)
  const [zone, setZone] = useState(company.time_zone)
  const [language, setLanguage] = useState(company.language)
  const [calendar, setCalendar] = useState<keyof typeof t.calendars>(company.second_calendar ?? 'none')
  const save = async (body: UpdateCompanyBody) => {
    await call('PATCH /companies/{company}', { params: { company: company.id }, body })
    onSaved()
    refresh()
  }
  const action = useAction(() =>
    save({ name, time_zone: zone.trim(), language, second_calendar: calendar === 'none' ? null : calendar }),
  )
  const undo = async () => {
    const { name, time_zone, language, second_calendar } = company
    await save({ name, time_zone, language, second_calendar })
    setName(name)
    setZone(time_zone)
    setLanguage(language)
    setCalendar(second_calendar ?? 'none')
  }
  return (
    <Form action={action} submit={common.save} onDone={() => say(t.saved, undo)}>
      <TextField label={t.name} value={name} onChange={setName} problem={action.about('name')} maxLength={255} />
      <ZoneField label={t.zone} hint={t.zoneHint} value={zone} onChange={setZone} problem={action.about('time_zone')} />
      <SelectField
        label={t.language}
        hint={t.languageHint}
        value={language}
        onChange={setLanguage}
        options={(Object.keys(LANGUAGES) as Language[]).map(key => [key, LANGUAGES[key].name] as const)}
      />
      <SelectField
        label={t.calendar}
        hint={t.calendarHint}
        value={calendar}
        onChange={setCalendar}
        options={(Object.keys(t.calendars) as (keyof typeof t.calendars)[]).map(
          key => [key, t.calendars[key]] as const,
        )}
      />
    </Form>
  )
}
