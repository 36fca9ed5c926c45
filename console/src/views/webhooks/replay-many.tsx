import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Webhook } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, Form, TextField } from '../../parts/form.tsx'
import { clockIn } from '../../parts/local-clock.ts'
import { say } from '../../parts/toast.tsx'
import { useWebhooksWords } from './words.ts'

const DAY_MS = 86_400_000

interface ReplayManyProps {
  of: Webhook
  onClose: () => void
  onDone: () => void
}

/** After an outage of the receiver: sends everything since then again, or only what failed. */
export function ReplayMany({ of: webhook, onClose, onDone }: ReplayManyProps) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const { zone } = useStanding()
  const [since, setSince] = useState(() => clockIn(zone, new Date(Date.now() - DAY_MS)))
  const [failedOnly, setFailedOnly] = useState(true)
  const replay = useAction(async () => {
    const { data } = await call('POST /companies/{company}/webhooks/{webhook}/replay', {
      params: { company: id, webhook: webhook.id },
      body: { since, failed_only: failedOnly },
    })
    say(t.replayedMany(data.replayed))
  })
  const done = () => {
    onClose()
    onDone()
  }
  return (
    <Dialog title={t.replayTitle} onClose={onClose}>
      <Form action={replay} submit={t.replay} disabled={since === ''} onCancel={onClose} onDone={done}>
        <p>{t.replayLead}</p>
        <TextField
          label={t.since}
          hint={t.sinceHint(zone)}
          problem={replay.about('since')}
          type="datetime-local"
          value={since}
          onChange={setSince}
        />
        <CheckField label={t.failedOnly} checked={failedOnly} onChange={setFailedOnly} />
      </Form>
    </Dialog>
  )
}
