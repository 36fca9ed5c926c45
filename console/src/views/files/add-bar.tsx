import { useEffect, useRef } from 'preact/hooks'
import { useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { useFilesWords } from './words.ts'

/** What is added by filling in a form. */
export type Adding = 'folder' | 'document' | 'link'

interface AddBarProps {
  adding: Adding | undefined
  setAdding: (adding: Adding | undefined) => void
  take: (files: File[]) => void
}

/** The ways to add something to a folder. */
export function AddBar({ adding, setAdding, take }: AddBarProps) {
  const t = useFilesWords()
  const { may } = useStanding()
  const input = useRef<HTMLInputElement>(null)
  const choose = () => {
    const field = input.current
    take([...(field?.files ?? [])])
    // So that the same file can be chosen again.
    if (field) field.value = ''
  }
  const bar = useRef<HTMLDivElement>(null)
  const last = useRef(adding)
  useEffect(() => {
    // The form that had the focus is gone.
    if (!adding && last.current) bar.current?.querySelector<HTMLElement>(`[name="${last.current}"]`)?.focus()
    last.current = adding
  }, [adding])
  const opener = (what: Adding, label: string) => (
    <Button icon="plus" aria-expanded={adding === what} onClick={() => setAdding(adding === what ? undefined : what)}>
      {label}
    </Button>
  )
  return (
    <div class="stack tight">
      <div class="row" ref={bar}>
        <Button main icon="upload" onClick={() => input.current?.click()}>
          {t.upload}
        </Button>
        <input ref={input} type="file" multiple hidden onChange={choose} />
        {may('createFolder') && opener('folder', t.newFolder)}
        {opener('document', t.newDocument)}
        {may('createLink') && opener('link', t.newLink)}
      </div>
      <p class="hint">{t.uploadHint}</p>
    </div>
  )
}
