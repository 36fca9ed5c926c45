import { useRef } from 'preact/hooks'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import type { Comment } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { useDraft } from '../../parts/drafts.ts'
import { FailureNote } from '../../parts/failure.tsx'
import { directionOf, Field, focusBack } from '../../parts/form.tsx'
import { useUnsentWords } from '../../parts/unsent-words.ts'
import { AttachField } from './attach-field.tsx'
import { useCommentWords } from './comment-words.ts'
import { useAttachments } from './use-attachments.ts'
import { useDropped } from './use-dropped.ts'
import '../../style/work.css'

export interface ComposerProps {
  label: string
  /** On the button. */
  send: string
  /** The project that its files are uploaded to. */
  project: string
  /** Where what is written here is kept until it is stored. */
  place: string
  add: (comment: { content: string; attachments: string[] }, idempotencyKey: string) => Promise<Comment>
  onAdded: (comment: Comment) => void
}

const NOTHING = { text: '', key: '', files: '' }

/** Where a comment is written. The text stays until it is stored. */
export function Composer({ label, send, project, place, add, onAdded }: ComposerProps) {
  const unsent = useUnsentWords()
  /** What is sent again, because nobody knows whether it arrived, has the same key: the text and these files. */
  const draft = useDraft(place, NOTHING)
  const { text } = draft.value
  const field = useRef<HTMLTextAreaElement>(null)
  const { may } = useStanding()
  const t = useCommentWords()
  const files = useAttachments(project)
  const drop = useDropped(may('uploadFile') ? files.add : undefined)
  const action = useAction(async () => {
    onAdded(
      await files.handOver(attachments => {
        const files = attachments.join()
        const key = (draft.value.files === files && draft.value.key) || newIdempotencyKey()
        draft.set({ text, key, files })
        return add({ content: text, attachments }, key)
      }),
    )
    // What was written while it was sent is the next one.
    draft.set(now => (now.text === text ? NOTHING : { ...now, key: '' }))
    focusBack(field.current)
  })
  const submit = (event: Event) => {
    event.preventDefault()
    if (text.trim() && !files.isUploading) action.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
    // What was written would be lost if this closed what it is in.
    if (event.key === 'Escape' && text !== '') event.stopPropagation()
  }
  return (
    <form class={drop.isOver ? 'composer receiving' : 'composer'} onSubmit={submit} noValidate {...drop.on}>
      <Field label={label} hint={draft.isLeft && unsent.unsent}>
        {described => (
          <textarea
            {...described}
            ref={field}
            rows={2}
            dir={directionOf(text)}
            value={text}
            onInput={event => draft.set({ ...NOTHING, text: event.currentTarget.value })}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      {may('uploadFile') && <AttachField of={files} project={project} />}
      <FailureNote failure={action.failure} />
      <p class="row">
        <Button type="submit" main busy={action.busy} disabled={text.trim() === '' || files.isUploading}>
          {send}
        </Button>
        {files.isUploading && <span class="hint">{t.waiting}</span>}
      </p>
    </form>
  )
}
