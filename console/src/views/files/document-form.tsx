import { useEffect, useRef, useState } from 'preact/hooks'
import { filesAddress } from '../../api/file-addresses.ts'
import { useAction } from '../../api/use-action.ts'
import { useCompany } from '../../frame/standing.ts'
import { directionOf, Field, Form, TextField } from '../../parts/form.tsx'
import { LeaveGuard } from '../../parts/leave-guard.tsx'
import { uploadFile } from '../../parts/upload.ts'
import { MarkdownPreview } from './markdown-preview.tsx'
import type { Place } from './new-folder.tsx'
import { useFilesWords } from './words.ts'

export interface DocumentFormProps extends Place {
  /** A Markdown file to begin with. */
  dropped: File | undefined
}

const LARGEST_TEXT_BYTES = 262_144

/** Markdown with its preview, of which the server makes a PDF. What was written stays until that is stored. */
export function DocumentForm({ project, folder, dropped, onDone }: DocumentFormProps) {
  const t = useFilesWords()
  const { id: company } = useCompany()
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  useEffect(() => {
    if (!dropped) return
    // What was written before stays.
    const append = (added: string) => setText(now => (now.trim() === '' ? added : `${now}\n\n${added}`))
    dropped.text().then(append, () => undefined)
    setName(now => now || dropped.name.replace(/\.\w+$/, ''))
  }, [dropped])
  const document = useDocument(name, text)
  const action = useAction(async () => {
    await uploadFile(filesAddress(company, project), document(), {
      onProgress: () => undefined,
      signal: leaving.current.signal,
      ...(folder && { fields: { folder_id: folder } }),
    })
  })
  const isTooLarge = new Blob([text]).size > LARGEST_TEXT_BYTES
  const isComplete = name.trim() !== '' && text.trim() !== ''
  return (
    <div class="document">
      <Form
        action={action}
        submit={t.makePdf}
        disabled={!isComplete}
        missing={isTooLarge ? t.textTooLarge : undefined}
        onCancel={onDone}
        onDone={onDone}
      >
        <TextField
          label={t.documentName}
          hint={t.documentNameHint}
          problem={action.about('name')}
          value={name}
          onChange={setName}
          autoFocus
        />
        <Field label={t.documentText} problem={action.about('content')}>
          {described => (
            <textarea
              {...described}
              rows={14}
              dir={directionOf(text)}
              value={text}
              onInput={event => setText(event.currentTarget.value)}
            />
          )}
        </Field>
        {action.busy && <p role="status">{t.makingPdf}</p>}
      </Form>
      {text.trim() !== '' && <LeaveGuard title={t.leaveDocument} what={t.leaveDocumentWhat} />}
      <section class="preview" aria-label={t.preview}>
        <h3>{t.preview}</h3>
        {text.trim() === '' ? <p class="quiet">{t.nothingToPreview}</p> : <MarkdownPreview text={text} />}
        <p class="hint">{t.previewLead}</p>
      </section>
    </div>
  )
}

/** The same file for as long as nothing is changed: sent again, it is stored once. */
function useDocument(name: string, text: string): () => File {
  const made = useRef<{ name: string; text: string; file: File }>(undefined)
  return () => {
    if (made.current?.name !== name || made.current.text !== text) {
      const file = new File([text], `${name.trim().replace(/\.pdf$/i, '')}.pdf`, { type: 'text/markdown' })
      made.current = { name, text, file }
    }
    return made.current.file
  }
}
