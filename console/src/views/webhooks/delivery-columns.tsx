import type { Webhook, WebhookDelivery } from '../../api/types.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { StatusBadge } from '../../parts/status.tsx'
import type { Column } from '../../parts/table.tsx'
import { Code, Figure } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { Failure } from './answer.tsx'
import { DeliveryState } from './delivery-state.tsx'
import { Replay } from './replay.tsx'
import { useWebhooksWords } from './words.ts'

/** How a delivery is shown, with a button that sends it again. */
export function useDeliveryColumns(webhook: Webhook, lookAgain: () => void): Column<WebhookDelivery>[] {
  const t = useWebhooksWords()
  const common = useCommonWords()
  const { id } = useCompany()
  const { may } = useStanding()
  return [
    {
      title: t.event,
      main: true,
      show: ({ id: delivery, type, record_id }) => (
        <>
          <Link to={`/companies/${id}/webhooks/${webhook.id}/deliveries/${delivery}`}>
            <Code>{type}</Code>
          </Link>
          <p class="quiet">
            <Code>{record_id}</Code>
          </p>
        </>
      ),
    },
    { title: common.when, show: ({ created_at }) => <Time at={created_at} /> },
    { title: common.state, show: delivery => <DeliveryState of={delivery} /> },
    { title: t.attempts, figures: true, show: ({ attempts }) => <Figure>{attempts}</Figure> },
    { title: t.answer, show: delivery => <LastAnswer of={delivery} /> },
    ...(may('replayWebhookDelivery')
      ? [
          {
            title: common.actions,
            actions: true,
            show: (delivery: WebhookDelivery) => (
              <Replay quiet webhook={webhook.id} delivery={delivery.id} onDone={lookAgain} />
            ),
          },
        ]
      : []),
  ]
}

function LastAnswer({ of: { status, error, ms, last_attempt_at } }: { of: WebhookDelivery }) {
  const t = useWebhooksWords()
  if (!last_attempt_at) return <span class="quiet">—</span>
  return (
    <div>
      <span class="row">
        <StatusBadge of={status} />
        {ms !== null && <bdi class="quiet">{t.ms(ms)}</bdi>}
      </span>
      <Failure error={error} />
    </div>
  )
}
