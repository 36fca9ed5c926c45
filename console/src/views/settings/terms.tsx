import type { Company } from '../../api/types.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { useFrameWords } from '../../frame/words.ts'
import { Link } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { Badge, Name, Note } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage } from '../../words/language.ts'
import { useSettingsWords } from './words.ts'

/** What only the operator can change, as facts. */
export function Terms({ company }: { company: Company }) {
  const t = useSettingsWords()
  const language = useLanguage()
  const catalog = useCatalog()
  const { may } = useStanding()
  const { rest_api, subscription, owner, created_at } = company
  return (
    <Loaded of={catalog}>
      {({ plans }) => {
        const plan = plans.find(({ name }) => name === company.plan)
        const allowance = plan?.daily_calls ?? company.daily_calls
        return (
          <Card title={t.terms} lead={may('listCompanies') ? <OperatorsLink /> : t.termsLead}>
            <div class="stack">
              {subscription === 'read_only' && <Note tone="warn">{t.readOnly}</Note>}
              <Facts
                of={[
                  [t.plan, plan?.title[language] ?? company.plan],
                  [
                    t.api,
                    plan?.api ? (
                      <Badge tone={rest_api ? 'good' : 'plain'}>{rest_api ? t.apiOn : t.apiOff}</Badge>
                    ) : (
                      t.notInPlan
                    ),
                  ],
                  [t.allowance, allowance === null ? t.unlimited : t.perDay(allowance)],
                  [t.subscription, t.subscriptions[subscription]],
                  [t.owner, <Name key="owner">{owner.name}</Name>],
                  [t.created, <Time key="created" at={created_at} />],
                ]}
              />
            </div>
          </Card>
        )
      }}
    </Loaded>
  )
}

/** Where the operator changes them. */
function OperatorsLink() {
  const { views } = useFrameWords()
  const { id } = useCompany()
  return <Link to={`/companies/${id}/terms`}>{views.terms}</Link>
}
