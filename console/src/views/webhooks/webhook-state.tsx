import type { Webhook } from '../../api/types.ts'
import { Badge, Note } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useWebhooksWords } from './words.ts'

/** One that somebody switched off is as they wanted it; one that Diwan switched off needs somebody. */
export function WebhookStateBadge({ of: { active, failing_since, switched_off_at } }: { of: Webhook }) {
  const t = useWebhooksWords()
  if (!active) return <Badge tone={switched_off_at ? 'bad' : 'plain'}>{t.off}</Badge>
  return failing_since ? <Badge tone="warn">{t.failing}</Badge> : <Badge tone="good">{t.active}</Badge>
}

/** What is wrong, since when, and what to do; nothing if all is well. */
export function WebhookTrouble({ of: webhook }: { of: Webhook }) {
  const t = useWebhooksWords()
  const { active, failing_since, switched_off_at, switched_off_because } = webhook
  if (active && !failing_since) return null
  if (active)
    return (
      <Note tone="warn">
        <p>
          {t.failingSince} <Time at={failing_since} />.
        </p>
        <p class="quiet">{t.failingHint}</p>
      </Note>
    )
  return (
    <Note tone={switched_off_at ? 'bad' : 'plain'}>
      <p>
        {switched_off_because ? t.offBecause[switched_off_because] : t.offByHand}{' '}
        {switched_off_at && <Time at={switched_off_at} />}
      </p>
      <p class="quiet">{t.offHint}</p>
    </Note>
  )
}
