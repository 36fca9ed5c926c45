import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Catalog, Webhook } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { go } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Name } from '../../parts/text.tsx'
import { say } from '../../parts/toast.tsx'
import { type WebhookDraft, WebhookForm } from './webhook-form.tsx'
import { useWebhooksWords } from './words.ts'

export default function EditWebhook({ params }: ViewProps) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const webhook = useAnswer('GET /companies/{company}/webhooks/{webhook}', {
    params: { company: id, webhook: params.webhook as string },
  })
  const catalog = useCatalog()
  const name = webhook.data?.data.name
  return (
    <Page
      title={t.editTitle}
      above={{ to: `/companies/${id}/webhooks/${params.webhook}`, label: name ? <Name>{name}</Name> : t.webhook }}
    >
      <Loaded of={webhook}>
        {({ data }) => <Loaded of={catalog}>{lists => <Draft of={data} catalog={lists} />}</Loaded>}
      </Loaded>
    </Page>
  )
}

function Draft({ of: webhook, catalog }: { of: Webhook; catalog: Catalog }) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const [draft, setDraft] = useState<WebhookDraft>({ ...webhook, project: webhook.project ?? '' })
  const toWebhook = `/companies/${id}/webhooks/${webhook.id}`
  const save = useAction(async () => {
    const { name, url, kinds, project } = draft
    await call('PATCH /companies/{company}/webhooks/{webhook}', {
      params: { company: id, webhook: webhook.id },
      body: { name, url: url.trim(), kinds, project: project.trim() || null },
    })
    say(t.saved)
    go(toWebhook)
  })
  return (
    <WebhookForm
      catalog={catalog}
      draft={draft}
      onChange={setDraft}
      action={save}
      submit={t.saveIt}
      onCancel={() => go(toWebhook)}
    />
  )
}
