import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Discussion, UpdateDiscussionBody } from '../../api/types.ts'
import { go } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { Name } from '../../parts/text.tsx'
import { say } from '../../parts/toast.tsx'
import { useWorkAddresses } from './addresses.ts'
import { DraftField } from './draft-field.tsx'
import { useEditingWords } from './editing-words.ts'
import type { Edited } from './use-edited.ts'
import '../../style/work.css'

interface DiscussionEditorProps {
  discussion: Edited<Discussion>
  project: string
}

/** How a discussion began, changed in place; each field is stored when it is left. */
export function DiscussionEditor({ discussion: { shown, failure, change }, project }: DiscussionEditorProps) {
  const t = useEditingWords()
  const { id: company } = useCompany()
  const params = { company, discussion: shown.id }
  const save = (fields: UpdateDiscussionBody) =>
    change(
      fields as Partial<Discussion>,
      async () =>
        (await call('PATCH /companies/{company}/records/discussions/{discussion}', { params, body: fields })).data,
    )
  return (
    <div class="stack editor">
      <fieldset class="stack" aria-label={t.editDiscussion}>
        <DraftField
          label={t.title}
          place={`discussion/${shown.id}/title`}
          value={shown.title}
          required
          onSave={title => save({ title })}
        />
        <DraftField
          label={t.message}
          place={`discussion/${shown.id}/body`}
          hint={t.savedAsYouGo}
          long
          value={shown.body ?? ''}
          onSave={body => save({ body: body || null })}
        />
      </fieldset>
      <FailureNote failure={failure} />
      <Deletion discussion={shown} project={project} />
    </div>
  )
}

/** Leaders can restore it, so they are not asked first. */
function Deletion({ discussion: { id: discussion, title }, project }: { discussion: Discussion; project: string }) {
  const t = useEditingWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const addresses = useWorkAddresses()
  const [isAsking, setAsking] = useState(false)
  const canRestore = may('restoreRecord')
  const restore = async () => {
    await call('POST /companies/{company}/trash/{ref}/restore', { params: { company, ref: discussion } })
    go(addresses.discussion(project, discussion))
  }
  const remove = async () => {
    await call('DELETE /companies/{company}/records/discussions/{discussion}', { params: { company, discussion } })
    go(addresses.discussions(project))
    say(t.deleted(title), canRestore ? restore : undefined)
  }
  if (canRestore)
    return (
      <p class="dangerous-start">
        <ActButton quiet icon="trash" act={remove}>
          {t.deleteDiscussion}
        </ActButton>
      </p>
    )
  return (
    <p>
      <Button quiet icon="trash" class="dangerous" onClick={() => setAsking(true)}>
        {t.deleteDiscussion}
      </Button>
      {isAsking && (
        <Confirm title={t.deleteDiscussionTitle} verb={t.deleteVerb} act={remove} onClose={() => setAsking(false)}>
          <p>
            <strong>
              <Name>{title}</Name>
            </strong>
          </p>
          <p>{t.deleteDiscussionMeans}</p>
        </Confirm>
      )}
    </p>
  )
}
