import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Counts } from '../../api/types.ts'
import { useLoading } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button, Link } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Card } from '../../parts/page.tsx'
import { useLeaderWords } from './leader-words.ts'

/** What an owner does first, each ticked when it has been done, until all of it is or the list is hidden. */
export function FirstSteps({ counts }: { counts: Counts }) {
  const { id: company } = useCompany()
  const { me } = useStanding()
  const kept = `first-steps-hidden-${company}`
  const [isHidden, setHidden] = useState(() => localStorage.getItem(kept) !== null)
  if (isHidden || me.user?.role !== 'owner') return null
  const hide = () => {
    localStorage.setItem(kept, 'yes')
    setHidden(true)
  }
  return <Steps counts={counts} onHide={hide} />
}

type Step = keyof ReturnType<typeof useLeaderWords>['steps']

function Steps({ counts, onHide }: { counts: Counts; onHide: () => void }) {
  const t = useLeaderWords()
  const { id: company } = useCompany()
  const begun = useBegun()
  if (!begun) return null
  const base = `/companies/${company}`
  const steps: [Step, isDone: boolean, to: string][] = [
    ['key', counts.keys > 0, `${base}/keys/new`],
    ['call', begun.hasCalled, `${base}/explorer`],
    ['webhook', begun.hasWebhook, `${base}/webhooks/new`],
    ['colleague', counts.people > 1, `${base}/people`],
  ]
  if (steps.every(([, isDone]) => isDone)) return null
  return (
    <Card
      title={t.firstSteps}
      lead={t.firstStepsLead}
      actions={
        <Button quiet onClick={onHide}>
          {t.dismiss}
        </Button>
      }
    >
      <ol class="first-steps">
        {steps.map(([step, isDone, to]) => (
          <li key={step} class={isDone ? 'done' : undefined}>
            <span class="tick">{isDone && <Icon name="check" />}</span>
            {isDone ? t.steps[step] : <Link to={to}>{t.steps[step]}</Link>}
            <span class="read-out">{isDone ? t.done : t.toDo}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** What the counts of a company do not tell. */
function useBegun(): { hasCalled: boolean; hasWebhook: boolean } | undefined {
  const { id } = useCompany()
  const params = { company: id }
  return useLoading(
    async signal => {
      const [usage, webhooks] = await Promise.all([
        call('GET /companies/{company}/usage', { params, query: { days: 366 }, signal }),
        call('GET /companies/{company}/webhooks', { params, query: { limit: 1 }, signal }),
      ])
      return { hasCalled: usage.data.some(({ calls }) => calls > 0), hasWebhook: webhooks.data.length > 0 }
    },
    [id],
  ).data
}
