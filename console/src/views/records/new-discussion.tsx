import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { useAction } from '../../api/use-action.ts'
import { go } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { useDraft, useDrafts } from '../../parts/drafts.ts'
import { directionOf, Field, Form, TextField } from '../../parts/form.tsx'
import { Card } from '../../parts/page.tsx'
import { useUnsentWords } from '../../parts/unsent-words.ts'
import { useWorkAddresses } from './addresses.ts'
import { useDoingWords } from './doing-words.ts'

/** Where a new one is kept until it is stored. */
const placeIn = (project: string) => `project/${project}/discussion`
const EMPTY = { title: '', body: '', key: '' }

/** A button that becomes the form of a new discussion. */
export function NewDiscussion({ project }: { project: string }) {
  const t = useDoingWords()
  const { may } = useStanding()
  const drafts = useDrafts()
  const [isWriting, setWriting] = useState(drafts.leftAt(placeIn(project)) !== undefined)
  if (!may('createDiscussion')) return null
  if (isWriting) return <DiscussionForm project={project} onCancel={() => setWriting(false)} />
  return (
    <p class="filter-block">
      <Button icon="plus" onClick={() => setWriting(true)}>
        {t.newDiscussion}
      </Button>
    </p>
  )
}

function DiscussionForm({ project, onCancel }: { project: string; onCancel: () => void }) {
  const t = useDoingWords()
  const { id: company } = useCompany()
  const addresses = useWorkAddresses()
  const unsent = useUnsentWords()
  const draft = useDraft(placeIn(project), EMPTY)
  const { title, body } = draft.value
  const action = useAction(async () => {
    const key = draft.value.key || newIdempotencyKey()
    draft.set({ title, body, key })
    const sentFrom = location.pathname
    const { data } = await call('POST /companies/{company}/records/projects/{project}/discussions', {
      params: { company, project },
      body: { title, body: body || null },
      idempotencyKey: key,
    })
    // What was written while it was sent is another one.
    draft.set(now => (now.key === key ? EMPTY : now))
    if (location.pathname === sentFrom) go(addresses.discussion(project, data.id))
  })
  /** Whatever is sent after a change is another discussion. */
  const change = (changes: { title?: string; body?: string }) => draft.set({ title, body, ...changes, key: '' })
  const cancel = () => {
    draft.set(EMPTY)
    onCancel()
  }
  return (
    <Card title={t.newDiscussion}>
      <Form action={action} submit={t.startDiscussion} disabled={title.trim() === ''} onCancel={cancel}>
        <TextField
          label={t.discussionTitle}
          problem={action.about('title')}
          value={title}
          hint={draft.isLeft && unsent.unsent}
          onChange={title => change({ title })}
          autoFocus
        />
        <Field label={t.discussionBody} problem={action.about('body')}>
          {described => (
            <textarea
              {...described}
              dir={directionOf(body)}
              value={body}
              onInput={event => change({ body: event.currentTarget.value })}
            />
          )}
        </Field>
      </Form>
    </Card>
  )
}
