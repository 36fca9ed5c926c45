import type { Catalog, WebhookKind } from '../../api/types.ts'
import { CheckField } from '../../parts/form.tsx'
import { Told } from '../../parts/text.tsx'
import { useRecordKinds } from '../../words/record-kinds.ts'
import { useChangesWords } from '../changes/words.ts'
import { useWebhooksWords } from './words.ts'

interface EventsFieldProps {
  catalog: Catalog
  chosen: WebhookKind[]
  onChange: (chosen: WebhookKind[]) => void
  problem: string | undefined
}

/** Everything; or for each kind every change, or some. What a ticked choice already includes is not offered again. */
export function EventsField({ catalog, chosen, onChange, problem }: EventsFieldProps) {
  const t = useWebhooksWords()
  const kinds = useRecordKinds()
  const { changes: names } = useChangesWords()
  const isEverything = chosen.includes('*')
  const toggle = (event: WebhookKind, on: boolean) =>
    onChange(on ? [...chosen.filter(one => !isPartOf(one, event)), event] : chosen.filter(one => one !== event))
  return (
    <fieldset class="events">
      <legend>{t.events}</legend>
      <CheckField
        name="*"
        label={t.everything}
        hint={t.everythingHint}
        checked={isEverything}
        onChange={on => toggle('*', on)}
      />
      {!isEverything &&
        catalog.webhook_events.map(({ kind, changes }) => {
          const all = `${kind}.*` as WebhookKind
          return (
            <fieldset key={kind} class="kind">
              <legend>{kinds[kind].several}</legend>
              <CheckField
                name={all}
                label={t.allOfKind}
                checked={chosen.includes(all)}
                onChange={on => toggle(all, on)}
              />
              {!chosen.includes(all) &&
                changes.map(change => {
                  const event = `${kind}.${change}` as WebhookKind
                  return (
                    <CheckField
                      key={event}
                      name={event}
                      label={names[change]}
                      checked={chosen.includes(event)}
                      onChange={on => toggle(event, on)}
                    />
                  )
                })}
            </fieldset>
          )
        })}
      {problem && (
        <p class="problem">
          <Told>{problem}</Told>
        </p>
      )}
    </fieldset>
  )
}

/** `task.completed` is part of `task.*`, and everything of `*`. */
function isPartOf(event: WebhookKind, whole: WebhookKind): boolean {
  return whole === '*' || (whole.endsWith('.*') && event.startsWith(whole.slice(0, -1)))
}
