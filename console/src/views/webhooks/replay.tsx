import { call } from '../../api/call.ts'
import { useCompany } from '../../frame/standing.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { say } from '../../parts/toast.tsx'
import { useWebhooksWords } from './words.ts'

interface ReplayProps {
  webhook: number | string
  delivery: number | string
  onDone: () => void
  quiet?: boolean
}

/** Sends a delivery again. */
export function Replay({ webhook, delivery, onDone, quiet = false }: ReplayProps) {
  const t = useWebhooksWords()
  const { id: company } = useCompany()
  const replay = async () => {
    await call('POST /companies/{company}/webhooks/{webhook}/deliveries/{delivery}/replay', {
      params: { company, webhook, delivery },
    })
    say(t.replayed)
  }
  return (
    <ActButton quiet={quiet} icon="replay" act={replay} onDone={onDone}>
      {t.replay}
    </ActButton>
  )
}
