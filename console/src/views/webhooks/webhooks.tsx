import type { Webhook } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { go } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button, Link } from '../../parts/button.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { NothingYet } from '../../parts/nothing-yet.tsx'
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
      <LoadedCollection of={webhooks} empty={<NothingYet next="createWebhook">{t.empty}</NothingYet>}>
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
    { title: t.url, show: webhook => <Code>{withoutQuery(webhook.url)}</Code> },
    { title: t.events, show: ({ kinds }) => <Events of={kinds} /> },
    { title: t.project, show: ({ project }) => (project ? <Code>{project}</Code> : t.allProjects) },
  ]
}

const MOST_SHOWN = 3

/** As many as tell one webhook from another. */
function Events({ of: kinds }: { of: Webhook['kinds'] }) {
  const t = useWebhooksWords()
  if (kinds.includes('*')) return <>{t.everything}</>
  const more = kinds.length - MOST_SHOWN
  return (
    <span class="row">
      {kinds.slice(0, MOST_SHOWN).map(kind => (
        <Code key={kind}>{kind}</Code>
      ))}
      {more > 0 && <span class="quiet">{t.moreEvents(more)}</span>}
    </span>
  )
}

/** The path tells hooks of one host apart. What follows it is often a secret, and is shown only on the page of the webhook. */
function withoutQuery(text: string): string {
  const url = URL.parse(text)
  if (!url) return text
  return url.origin + url.pathname + (url.search ? '?…' : '')
}
