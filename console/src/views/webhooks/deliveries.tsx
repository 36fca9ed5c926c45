import { useState } from 'preact/hooks'
import type { DeliverySelection, Webhook } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useQuery } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Filters, SelectField } from '../../parts/form.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useDeliveryColumns } from './delivery-columns.tsx'
import { ReplayMany } from './replay-many.tsx'
import { LIVE_EVERY_MS, useWebhooksWords } from './words.ts'

/** The log of a webhook. It keeps itself up to date while it is looked at. */
export function Deliveries({ of: webhook }: { of: Webhook }) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const common = useCommonWords()
  const [asked, setAsked] = useState(false)
  const [wanted, setState] = useQuery('state')
  const state = (Object.keys(t.states) as DeliverySelection[]).find(one => one === wanted)
  const deliveries = useCollection(
    'GET /companies/{company}/webhooks/{webhook}/deliveries',
    { params: { company: id, webhook: webhook.id }, query: state ? { state } : {} },
    LIVE_EVERY_MS,
  )
  const columns = useDeliveryColumns(webhook, deliveries.reload)
  return (
    <Card
      title={t.deliveries}
      lead={t.deliveriesLead}
      actions={may('replayWebhook') && <Button onClick={() => setAsked(true)}>{t.replayMany}</Button>}
    >
      <Filters>
        <SelectField
          label={common.state}
          value={state ?? ''}
          onChange={setState}
          options={[['', common.all] as const, ...Object.entries(t.states)]}
        />
      </Filters>
      <LoadedCollection of={deliveries} empty={<p>{state ? t.noneInState : t.noDeliveries}</p>}>
        {rows => (
          <div class="deliveries">
            <Table label={t.deliveries} columns={columns} rows={rows} keyOf={delivery => delivery.id} />
          </div>
        )}
      </LoadedCollection>
      {asked && <ReplayMany of={webhook} onClose={() => setAsked(false)} onDone={deliveries.reload} />}
    </Card>
  )
}
