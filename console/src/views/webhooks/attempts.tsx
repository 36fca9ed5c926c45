import type { WebhookAttempt } from '../../api/types.ts'
import { Copyable } from '../../parts/secret.tsx'
import { StatusBadge } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { Failure, Received } from './answer.tsx'
import { useWebhooksWords } from './words.ts'

/** The attempts of a delivery, newest first. The newest is open: it is the one that a reader asks about. */
export function Attempts({ of: attempts }: { of: WebhookAttempt[] }) {
  const [newest] = attempts
  return (
    <ol class="attempts">
      {attempts.map(attempt => (
        <li key={attempt.id}>
          <Attempt of={attempt} open={attempt === newest} />
        </li>
      ))}
    </ol>
  )
}

function Attempt({ of: { at, status, error, ms, response, request }, open }: { of: WebhookAttempt; open: boolean }) {
  const t = useWebhooksWords()
  return (
    <details open={open}>
      <summary>
        <span class="row">
          <StatusBadge of={status} />
          <Time at={at} seconds />
          <bdi class="quiet">{t.ms(ms)}</bdi>
        </span>
      </summary>
      <div class="stack">
        <Failure error={error} />
        <section>
          <h3>{t.answer}</h3>
          <Received text={response} />
        </section>
        {request && <Sent of={request} />}
      </div>
    </details>
  )
}

/** The request, byte for byte: what is copied here has the signature that was sent. */
function Sent({ of: { url, headers, body } }: { of: NonNullable<WebhookAttempt['request']> }) {
  const t = useWebhooksWords()
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <section>
        <h3>{t.sentHeaders}</h3>
        <Copyable value={[`POST ${url}`, ...lines].join('\n')} label={t.sentHeaders} />
      </section>
      <section>
        <h3>{t.sentBody}</h3>
        <Copyable value={body} label={t.sentBody} />
      </section>
    </>
  )
}
