import { call } from '../../api/call.ts'
import type { DeliveryState, Webhook, WebhookDelivery } from '../../api/types.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { StatusBadge } from '../../parts/status.tsx'
import type { Column } from '../../parts/table.tsx'
import { Badge, Code, Figure, type Tone } from '../../parts/text.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { Failure, Received } from './answer.tsx'
import { useWebhooksWords } from './words.ts'

/** A due delivery is sent at any moment, or when the webhook is switched on. */
const isAhead = (at: string | null) => at !== null && Date.parse(at) > Date.now()

const TONES: Record<DeliveryState, Tone> = { pending: 'warn', delivered: 'good', failed: 'bad' }

/** How a delivery is shown, with a button that sends it again. */
export function useDeliveryColumns(webhook: Webhook, lookAgain: () => void): Column<WebhookDelivery>[] {
  const t = useWebhooksWords()
  const common = useCommonWords()
  const { may } = useStanding()
  return [
    {
      title: t.event,
      main: true,
      show: ({ type, record_id }) => (
        <>
          <Code>{type}</Code>
          <p class="quiet">
            <Code>{record_id}</Code>
          </p>
        </>
      ),
    },
    { title: common.when, show: ({ created_at }) => <Time at={created_at} /> },
    {
      title: common.state,
      show: ({ state, next_attempt_at }) => (
        <div>
          <Badge tone={TONES[state]}>{t.states[state]}</Badge>
          {state === 'pending' && isAhead(next_attempt_at) && (
            <p class="hint">
              {t.next}: <Ago at={next_attempt_at} />
            </p>
          )}
        </div>
      ),
    },
    { title: t.attempts, figures: true, show: ({ attempts }) => <Figure>{attempts}</Figure> },
    { title: t.answer, show: delivery => <Answer of={delivery} /> },
    ...(may('replayWebhookDelivery')
      ? [
          {
            title: common.actions,
            actions: true,
            show: (delivery: WebhookDelivery) => <Replay of={delivery} webhook={webhook} onDone={lookAgain} />,
          },
        ]
      : []),
  ]
}

function Answer({ of: { status, error, ms, response, last_attempt_at } }: { of: WebhookDelivery }) {
  const t = useWebhooksWords()
  if (!last_attempt_at) return <span class="quiet">—</span>
  return (
    <div>
      <span class="row">
        <StatusBadge of={status} />
        {ms !== null && <bdi class="quiet">{t.ms(ms)}</bdi>}
      </span>
      <Failure error={error} />
      {response && (
        <details>
          <summary>{t.answer}</summary>
          <Received text={response} />
        </details>
      )}
    </div>
  )
}

interface ReplayProps {
  of: WebhookDelivery
  webhook: Webhook
  onDone: () => void
}

function Replay({ of: delivery, webhook, onDone }: ReplayProps) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const replay = async () => {
    await call('POST /companies/{company}/webhooks/{webhook}/deliveries/{delivery}/replay', {
      params: { company: id, webhook: webhook.id, delivery: delivery.id },
    })
    say(t.replayed)
  }
  return (
    <ActButton quiet icon="replay" act={replay} onDone={onDone}>
      {t.replay}
    </ActButton>
  )
}
