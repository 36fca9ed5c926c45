import { useEffect, useRef, useState } from 'preact/hooks'
import type { Comment } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { directionOf, Field, focusBack } from '../../parts/form.tsx'
import { Name, Prose } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { Attachments } from './attachments.tsx'
import { useCommentWords } from './comment-words.ts'
import { useEdited } from './use-edited.ts'
import { useWorkWords } from './words.ts'

interface OneCommentProps {
  comment: Comment
  /** The project that its files are in. */
  project: string
  /** Stores another text; undefined where the reader may not. */
  edit: ((content: string) => Promise<Comment>) | undefined
}

/** What somebody said, which its author can change in place. */
export function OneComment({ comment, project, edit }: OneCommentProps) {
  const t = useWorkWords()
  const writing = useCommentWords()
  const { shown, failure, change } = useEdited(comment)
  /** What is being written in its place. */
  const [draft, setDraft] = useState<string>()
  const isWriting = draft !== undefined
  const wasWriting = useRef(false)
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    // Whoever is done goes on from where they began.
    if (wasWriting.current && !isWriting) element.current?.querySelector('button')?.focus()
    wasWriting.current = isWriting
  }, [isWriting])
  const { author, content, created_at, updated_at, attachments } = shown
  const save = async (text: string) => {
    setDraft(undefined)
    if (!edit || text === content) return
    const isStored = await change({ content: text, updated_at: new Date().toISOString() }, () => edit(text))
    // What was written stays until it is stored.
    if (!isStored) setDraft(text)
  }
  return (
    <article ref={element} id={`comment-${comment.id}`}>
      <p class="row">
        <strong>
          <Name>{author}</Name>
        </strong>
        <span class="quiet">
          <Time at={created_at} />
        </span>
        {updated_at !== created_at && <span class="quiet">({t.edited})</span>}
        {edit && draft === undefined && (
          <Button quiet onClick={() => setDraft(content ?? '')}>
            {writing.editComment}
          </Button>
        )}
      </p>
      {draft === undefined ? (
        content && <Prose>{content}</Prose>
      ) : (
        <CommentDraft text={draft} onSave={save} onCancel={() => setDraft(undefined)} />
      )}
      <FailureNote failure={failure} />
      {attachments.length > 0 && <Attachments comment={shown} project={project} />}
    </article>
  )
}

interface CommentDraftProps {
  text: string
  onSave: (text: string) => void
  onCancel: () => void
}

function CommentDraft({ text: before, onSave, onCancel }: CommentDraftProps) {
  const t = useCommentWords()
  const common = useCommonWords()
  const [text, setText] = useState(before)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => focusBack(field.current), [])
  const submit = (event: Event) => {
    event.preventDefault()
    if (text.trim()) onSave(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
    if (event.key !== 'Escape') return
    // Only this is given up; another Escape closes what it is in.
    event.stopPropagation()
    onCancel()
  }
  return (
    <form class="composer" onSubmit={submit} noValidate>
      <Field label={t.editing}>
        {described => (
          <textarea
            {...described}
            ref={field}
            rows={2}
            dir={directionOf(text)}
            value={text}
            onInput={event => setText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <p class="row">
        <Button type="submit" main disabled={text.trim() === ''}>
          {common.save}
        </Button>
        <Button onClick={onCancel}>{common.cancel}</Button>
      </p>
    </form>
  )
}
