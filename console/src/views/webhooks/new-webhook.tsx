import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Catalog, WebhookWithSecret } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { go } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { ShownOnce } from '../../parts/secret.tsx'
import { Verifying } from './verifying.tsx'
import { type WebhookDraft, WebhookForm } from './webhook-form.tsx'
import { useWebhooksWords } from './words.ts'

export default function NewWebhook() {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const [made, setMade] = useState<WebhookWithSecret>()
  const catalog = useCatalog()
  const above = { to: `/companies/${id}/webhooks`, label: t.title }
  if (made)
    return (
      <Page title={t.created} above={above} lead={t.createdLead}>
        <div class="stack">
          <ShownOnce value={made.secret} label={t.secret} />
          <Card title={t.verify}>
            <Verifying />
          </Card>
          <p>
            <Button main onClick={() => go(`/companies/${id}/webhooks/${made.id}`)}>
              {t.copied}
            </Button>
          </p>
        </div>
      </Page>
    )
  return (
    <Page title={t.newTitle} above={above}>
      <Loaded of={catalog}>{data => <Draft catalog={data} onMade={setMade} />}</Loaded>
    </Page>
  )
}

function Draft({ catalog, onMade }: { catalog: Catalog; onMade: (webhook: WebhookWithSecret) => void }) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const [draft, setDraft] = useState<WebhookDraft>({ name: '', url: '', kinds: [], project: '' })
  const create = useAction(async () => {
    const { name, url, kinds, project } = draft
    const body = { name, url: url.trim(), kinds, project: project.trim() || null }
    onMade((await call('POST /companies/{company}/webhooks', { params: { company: id }, body })).data)
  })
  return (
    <WebhookForm
      catalog={catalog}
      draft={draft}
      onChange={setDraft}
      action={create}
      submit={t.create}
      onCancel={() => go(`/companies/${id}/webhooks`)}
    />
  )
}
