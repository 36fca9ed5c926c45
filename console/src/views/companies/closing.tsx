import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Company } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Card } from '../../parts/page.tsx'
import { Note } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { useCompaniesWords } from './words.ts'

interface ClosingProps {
  company: Company
  onDone: () => void
}

/** The end of a company, and the way back from it. */
export function Closing({ company, onDone }: ClosingProps) {
  const { may } = useStanding()
  if (company.closed_at) return <Closed company={company} onDone={onDone} />
  return may('closeCompany') ? <Open company={company} onDone={onDone} /> : null
}

function Open({ company: { id, name }, onDone }: ClosingProps) {
  const t = useCompaniesWords()
  const [asking, setAsking] = useState(false)
  const done = () => {
    say(t.wasClosed)
    onDone()
  }
  return (
    <Card title={t.closing}>
      <div class="stack">
        <p class="quiet">{t.closingLead}</p>
        <div>
          <Button danger onClick={() => setAsking(true)}>
            {t.closeVerb}
          </Button>
        </div>
      </div>
      {asking && (
        <Confirm
          title={t.closing}
          verb={t.closeVerb}
          typed={name}
          canBeUndone
          act={() => call('POST /companies/{company}/close', { params: { company: id }, body: { name } })}
          onClose={() => setAsking(false)}
          onDone={done}
        >
          {t.closingLead}
        </Confirm>
      )}
    </Card>
  )
}

function Closed({ company: { id, closed_at }, onDone }: ClosingProps) {
  const t = useCompaniesWords()
  const { may } = useStanding()
  const reopen = async () => {
    await call('POST /companies/{company}/reopen', { params: { company: id } })
    say(t.wasReopened)
  }
  return (
    <Note tone="warn">
      <div class="stack">
        <p>
          <strong>
            {t.closedOn} <Time at={closed_at} />
          </strong>
        </p>
        <p>{t.closedLead}</p>
        {may('reopenCompany') && (
          <div>
            <ActButton act={reopen} onDone={onDone}>
              {t.reopen}
            </ActButton>
          </div>
        )}
      </div>
    </Note>
  )
}
