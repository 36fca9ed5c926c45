import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Webhook } from '../../api/types.ts'
import { go } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { say } from '../../parts/toast.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import { TestWebhook } from './test-webhook.tsx'
import { useWebhooksWords } from './words.ts'

export function WebhookActions({ of: webhook, reload }: { of: Webhook; reload: () => void }) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const [asked, setAsked] = useState<'test' | 'rotate' | 'delete'>()
  const params = { company: id, webhook: webhook.id }
  const close = () => setAsked(undefined)
  return (
    <>
      {may('testWebhook') && <Button onClick={() => setAsked('test')}>{t.test}</Button>}
      {may('updateWebhook') && (
        <>
          <Button onClick={() => go(`/companies/${id}/webhooks/${webhook.id}/edit`)}>{t.edit}</Button>
          <Switch of={webhook} reload={reload} />
        </>
      )}
      {may('rotateWebhookSecret') && <Button onClick={() => setAsked('rotate')}>{t.rotate}</Button>}
      {may('deleteWebhook') && (
        <Button danger onClick={() => setAsked('delete')}>
          {t.delete}
        </Button>
      )}
      {asked === 'test' && <TestWebhook of={webhook} onClose={close} />}
      {asked === 'rotate' && <RotateSecret of={webhook} onClose={close} />}
      {asked === 'delete' && (
        <Confirm
          title={t.deleteTitle}
          verb={t.delete}
          typed={webhook.name}
          act={() => call('DELETE /companies/{company}/webhooks/{webhook}', { params })}
          onClose={close}
          onDone={() => {
            say(t.deleted)
            go(`/companies/${id}/webhooks`)
          }}
        >
          <p>{t.deleteWhat}</p>
        </Confirm>
      )}
    </>
  )
}

/** Switches it off and on without confirmation: that can be undone. */
function Switch({ of: webhook, reload }: { of: Webhook; reload: () => void }) {
  const t = useWebhooksWords()
  const { id } = useCompany()
  const set = async (active: boolean) => {
    await call('PATCH /companies/{company}/webhooks/{webhook}', {
      params: { company: id, webhook: webhook.id },
      body: { active },
    })
    reload()
  }
  const { active } = webhook
  const change = async () => {
    await set(!active)
    say(active ? t.switchedOff : t.switchedOn, () => set(active))
  }
  return <ActButton act={change}>{active ? t.switchOff : t.switchOn}</ActButton>
}
