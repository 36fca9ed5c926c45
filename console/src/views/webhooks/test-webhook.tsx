import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Webhook, WebhookTest } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCompany } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { StatusBadge } from '../../parts/status.tsx'
import { Facts } from '../../parts/table.tsx'
import { Note } from '../../parts/text.tsx'
import { Failure, Received } from './answer.tsx'
import { useWebhooksWords } from './words.ts'

/** Sends a ping as soon as it opens, and shows what came back. */
export function TestWebhook({ of: webhook, onClose }: { of: Webhook; onClose: () => void }) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const [result, setResult] = useState<WebhookTest>()
  const send = useAction(async () => {
    setResult(undefined)
    const params = { company: id, webhook: webhook.id }
    setResult((await call('POST /companies/{company}/webhooks/{webhook}/test', { params })).data)
  })
  useEffect(() => void send.run(), [])
  return (
    <Dialog title={t.testTitle} onClose={onClose}>
      <div class="stack" aria-live="polite">
        {send.busy && (
          <p class="quiet" role="status">
            {t.testing}
          </p>
        )}
        <FailureNote failure={send.failure} />
        {result && <Result of={result} />}
        {!send.busy && (
          <p>
            <Button onClick={send.run}>{t.again}</Button>
          </p>
        )}
      </div>
    </Dialog>
  )
}

function Result({ of: { delivered, status, error, ms, response } }: { of: WebhookTest }) {
  const t = useWebhooksWords()
  return (
    <>
      <Note tone={delivered ? 'good' : 'bad'}>
        <p>{delivered ? t.testDelivered : t.testFailed}</p>
        <Failure error={error} />
      </Note>
      <Facts
        of={[
          [t.status, <StatusBadge of={status} />],
          [t.took, t.ms(ms)],
          [t.answer, <Received text={response} />],
        ]}
      />
    </>
  )
}
