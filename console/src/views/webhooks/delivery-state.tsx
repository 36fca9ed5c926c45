import type { DeliverySelection, WebhookDelivery } from '../../api/types.ts'
import { Badge, type Tone } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { useWebhooksWords } from './words.ts'

const TONES: Record<DeliverySelection, Tone> = { pending: 'plain', retrying: 'warn', delivered: 'good', failed: 'bad' }

/** Pending is one state to the server; to a reader it matters whether an attempt has failed. */
function shownState({ state, attempts }: WebhookDelivery): DeliverySelection {
  return state === 'pending' && attempts > 0 ? 'retrying' : state
}

/** A due delivery is sent at any moment, or when the webhook is switched on. */
const isAhead = (at: string | null) => at !== null && Date.parse(at) > Date.now()

/** Where a delivery stands, and what comes next. */
export function DeliveryState({ of: delivery }: { of: WebhookDelivery }) {
  const t = useWebhooksWords()
  const state = shownState(delivery)
  return (
    <div>
      <Badge tone={TONES[state]}>{t.states[state]}</Badge>
      {delivery.state === 'pending' && isAhead(delivery.next_attempt_at) && (
        <p class="hint">
          {t.next}: <Ago at={delivery.next_attempt_at} />
        </p>
      )}
      {state === 'failed' && <p class="hint">{t.noMoreAttempts}</p>}
    </div>
  )
}
