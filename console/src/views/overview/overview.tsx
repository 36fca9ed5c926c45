import { useCompany, useStanding } from '../../frame/standing.ts'
import { Page } from '../../parts/page.tsx'
import { Name } from '../../parts/text.tsx'
import { CallsOfLateDays } from './calls.tsx'
import { CompanyCounts } from './counts.tsx'
import { useOverviewWords } from './words.ts'

/** What a company looks at first. */
export default function Overview() {
  const t = useOverviewWords()
  const company = useCompany()
  const { may } = useStanding()
  return (
    <Page title={t.title} heading={<Name>{company.name}</Name>}>
      {may('getCounts') && <CompanyCounts />}
      {may('getUsage') && <CallsOfLateDays />}
    </Page>
  )
}
