import type { Webhook } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { Badge, Code, Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import '../../style/webhooks.css'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { Deliveries } from './deliveries.tsx'
import { Verifying } from './verifying.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookStateBadge, WebhookTrouble } from './webhook-state.tsx'
import { useWebhooksWords } from './words.ts'

/** One webhook: its state, what it is told of, what was sent. */
export default function WebhookView({ params }: ViewProps) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const webhook = useAnswer(
    'GET /companies/{company}/webhooks/{webhook}',
    { params: { company: id, webhook: params.webhook as string } },
    30_000,
  )
  const data = webhook.data?.data
  return (
    <Page
      title={data ? isolate(data.name) : t.webhook}
      heading={data && <Name>{data.name}</Name>}
      above={{ to: `/companies/${id}/webhooks`, label: t.title }}
      actions={data && <WebhookActions of={data} reload={webhook.reload} />}
    >
      <Loaded of={webhook}>
        {({ data }) => (
          <>
            <WebhookTrouble of={data} />
            <WebhookFacts of={data} />
          </>
        )}
      </Loaded>
      {data && may('listWebhookDeliveries') && <Deliveries of={data} />}
    </Page>
  )
}

function WebhookFacts({ of: webhook }: { of: Webhook }) {
  const t = useWebhooksWords()
  const common = useCommonWords()
  return (
    <Card title={t.facts}>
      <Facts
        of={[
          [common.state, <WebhookStateBadge of={webhook} />],
          [t.url, <Code>{webhook.url}</Code>],
          [
            t.events,
            <span class="row">
              {webhook.kinds.map(kind => (
                <Badge key={kind}>
                  <Code>{kind}</Code>
                </Badge>
              ))}
            </span>,
          ],
          [t.project, webhook.project ? <Code>{webhook.project}</Code> : t.allProjects],
          [common.createdBy, webhook.created_by ? <Name>{webhook.created_by.name}</Name> : common.operator],
          [common.created, <Time at={webhook.created_at} />],
        ]}
      />
      <details>
        <summary>{t.verify}</summary>
        <Verifying />
      </details>
    </Card>
  )
}
