import type { Webhook } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { go } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button, Link } from '../../parts/button.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Code, Name } from '../../parts/text.tsx'
import { useCommonWords } from '../../words/common.ts'
import { WebhookStateBadge } from './webhook-state.tsx'
import { useWebhooksWords } from './words.ts'

export default function Webhooks() {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const columns = useColumns()
  const webhooks = useCollection('GET /companies/{company}/webhooks', { params: { company: id } })
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        may('createWebhook') && (
          <Button main icon="plus" onClick={() => go(`/companies/${id}/webhooks/new`)}>
            {t.create}
          </Button>
        )
      }
    >
      <LoadedCollection of={webhooks} empty={<p>{t.empty}</p>}>
        {rows => <Table label={t.title} columns={columns} rows={rows} keyOf={webhook => webhook.id} />}
      </LoadedCollection>
    </Page>
  )
}

function useColumns(): Column<Webhook>[] {
  const t = useWebhooksWords()
  const common = useCommonWords()
  const { id } = useCompany()
  return [
    {
      title: common.name,
      main: true,
      show: webhook => (
        <Link to={`/companies/${id}/webhooks/${webhook.id}`}>
          <Name>{webhook.name}</Name>
        </Link>
      ),
    },
    { title: common.state, show: webhook => <WebhookStateBadge of={webhook} /> },
    { title: t.url, show: webhook => <Code>{originOf(webhook.url)}</Code> },
    {
      title: t.events,
      show: ({ kinds }) => (kinds.includes('*') ? t.everything : t.eventCount(kinds.length)),
    },
    { title: t.project, show: ({ project }) => (project ? <Code>{project}</Code> : t.allProjects) },
  ]
}

/** The rest of a URL can be a secret, and is shown only on request. */
function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url
}
