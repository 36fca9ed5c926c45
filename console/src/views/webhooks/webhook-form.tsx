import type { Catalog, WebhookKind } from '../../api/types.ts'
import type { Action } from '../../api/use-action.ts'
import { Form, TextField } from '../../parts/form.tsx'
import { Card } from '../../parts/page.tsx'
import '../../style/webhooks.css'
import { useCommonWords } from '../../words/common.ts'
import { EventsField } from './events-field.tsx'
import { ProjectField } from './project-field.tsx'
import { useWebhooksWords } from './words.ts'

export interface WebhookDraft {
  name: string
  url: string
  kinds: WebhookKind[]
  /** Empty for all projects. */
  project: string
}

interface WebhookFormProps {
  catalog: Catalog
  draft: WebhookDraft
  onChange: (draft: WebhookDraft) => void
  action: Action<[]>
  submit: string
  onCancel: () => void
}

export function WebhookForm({ catalog, draft, onChange, action, submit, onCancel }: WebhookFormProps) {
  const t = useWebhooksWords()
  const common = useCommonWords()
  const set = (changes: Partial<WebhookDraft>) => onChange({ ...draft, ...changes })
  const missing = [
    draft.name.trim() === '' && t.nameMissing,
    draft.url.trim() === '' && t.urlMissing,
    draft.kinds.length === 0 && t.eventsMissing,
  ].find(Boolean)
  return (
    <Form action={action} submit={submit} missing={missing || undefined} onCancel={onCancel}>
      <Card>
        <div class="stack narrow">
          <TextField
            label={common.name}
            hint={t.nameHint}
            problem={action.about('name')}
            value={draft.name}
            onChange={name => set({ name })}
            maxLength={255}
            autoFocus
            autoComplete="off"
          />
          <TextField
            label={t.url}
            hint={t.urlHint}
            problem={action.about('url')}
            type="url"
            placeholder="https://"
            value={draft.url}
            onChange={url => set({ url })}
            maxLength={2048}
            autoComplete="off"
          />
          <ProjectField
            value={draft.project}
            onChange={project => set({ project })}
            problem={action.about('project')}
          />
        </div>
      </Card>
      <Card>
        <EventsField
          catalog={catalog}
          chosen={draft.kinds}
          onChange={kinds => set({ kinds })}
          problem={action.about('kinds')}
        />
      </Card>
    </Form>
  )
}
