import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Webhook } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { leave } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { ShownOnce } from '../../parts/secret.tsx'
import { useWebhooksWords } from './words.ts'

export function RotateSecret({ of: webhook, onClose }: { of: Webhook; onClose: () => void }) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const [secret, setSecret] = useState<string>()
  const rotate = useAction(async () => {
    const params = { company: id, webhook: webhook.id }
    setSecret((await call('POST /companies/{company}/webhooks/{webhook}/rotate', { params })).data.secret)
  })
  if (secret)
    return (
      <Dialog title={t.rotateTitle} onClose={onClose} stays>
        <div class="stack">
          <ShownOnce value={secret} label={t.secret} />
          <p>
            <Button main onClick={() => leave(onClose)}>
              {t.copied}
            </Button>
          </p>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={t.rotateTitle} onClose={onClose}>
      <Form action={rotate} submit={t.rotate} onCancel={onClose}>
        <p>{t.rotateLead}</p>
      </Form>
    </Dialog>
  )
}
