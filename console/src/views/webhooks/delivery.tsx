import type { WebhookDelivery } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { Loaded, LoadedCollection } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { Code, Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import '../../style/webhooks.css'
import { useCommonWords } from '../../words/common.ts'
import { Attempts } from './attempts.tsx'
import { DeliveryState } from './delivery-state.tsx'
import { Replay } from './replay.tsx'
import { LIVE_EVERY_MS, useWebhooksWords } from './words.ts'

/** One delivery: where it stands, what was sent each time, and what came back. It keeps itself up to date. */
export default function DeliveryView({ params }: ViewProps) {
  const t = useWebhooksWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const { webhook = '', delivery = '' } = params
  const place = { company, webhook, delivery }
  const hook = useAnswer('GET /companies/{company}/webhooks/{webhook}', { params: { company, webhook } })
  const found = useAnswer(
    'GET /companies/{company}/webhooks/{webhook}/deliveries/{delivery}',
    { params: place },
    LIVE_EVERY_MS,
  )
  const attempts = useCollection(
    'GET /companies/{company}/webhooks/{webhook}/deliveries/{delivery}/attempts',
    { params: place },
    LIVE_EVERY_MS,
  )
  const data = found.data?.data
  const name = hook.data?.data.name
  const lookAgain = () => {
    found.reload()
    attempts.reload()
  }
  return (
    <Page
      title={data?.type ?? t.delivery}
      heading={data && <Code>{data.type}</Code>}
      above={{ to: `/companies/${company}/webhooks/${webhook}`, label: name ? <Name>{name}</Name> : t.webhook }}
      actions={
        data && may('replayWebhookDelivery') && <Replay webhook={webhook} delivery={delivery} onDone={lookAgain} />
      }
    >
      <Loaded of={found}>{({ data }) => <DeliveryFacts of={data} />}</Loaded>
      <Card title={t.attempts} lead={t.attemptsLead}>
        <LoadedCollection of={attempts} empty={<p>{t.noAttempts}</p>}>
          {rows => <Attempts of={rows} />}
        </LoadedCollection>
      </Card>
    </Page>
  )
}

function DeliveryFacts({ of: delivery }: { of: WebhookDelivery }) {
  const t = useWebhooksWords()
  const common = useCommonWords()
  return (
    <Card title={t.facts}>
      <Facts
        of={[
          [common.state, <DeliveryState of={delivery} />],
          [t.record, <Code>{delivery.record_id}</Code>],
          [t.project, <Code>{delivery.project_id}</Code>],
          [common.created, <Time at={delivery.created_at} />],
          ['webhook-id', <Code>{delivery.message_id}</Code>],
        ]}
      />
    </Card>
  )
}
