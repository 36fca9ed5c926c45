import { useAnswer } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Closing } from './closing.tsx'
import { TermsForm } from './terms-form.tsx'
import { useCompaniesWords } from './words.ts'

/** What the operator decides about a company, its end included. */
export default function Terms() {
  const t = useCompaniesWords()
  const { id } = useCompany()
  const { refresh } = useStanding()
  const answer = useAnswer('GET /companies/{company}', { params: { company: id } })
  const changed = () => {
    answer.reload()
    refresh()
  }
  return (
    <Page title={t.terms} lead={t.termsLead}>
      <Loaded of={answer}>
        {({ data: company }) => (
          <>
            {!company.closed_at && (
              <Card>
                <div class="narrow">
                  <TermsForm key={JSON.stringify(company)} company={company} onSaved={changed} />
                </div>
              </Card>
            )}
            <Closing company={company} onDone={changed} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
