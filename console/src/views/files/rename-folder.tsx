import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Folder } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCompany } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { directionOf } from '../../parts/form.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useFilesWords } from './words.ts'

export interface FolderActProps {
  project: string
  folder: Folder
  onClose: () => void
  onChanged: () => void
}

/** A name that is edited where it stands: Enter stores it, Escape leaves it as it was. */
export function RenameFolder({ project, folder, onClose, onChanged }: FolderActProps) {
  const t = useFilesWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const [name, setName] = useState(folder.name)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.select(), [])
  const action = useAction(async () => {
    if (name === folder.name) return
    await call('PATCH /companies/{company}/records/projects/{project}/folders/{folder}', {
      params: { company, project, folder: folder.id },
      body: { name },
    })
    onChanged()
  })
  const submit = async (event: Event) => {
    event.preventDefault()
    if (name.trim() !== '' && (await action.run())) onClose()
  }
  return (
    <form class="stack tight" onSubmit={submit} noValidate>
      <span class="add-line">
        <input
          ref={input}
          aria-label={t.renameThis(isolate(folder.name))}
          dir={directionOf(name)}
          value={name}
          onInput={event => setName(event.currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && onClose()}
        />
        <Button type="submit" busy={action.busy}>
          {common.save}
        </Button>
        <Button quiet onClick={onClose}>
          {common.cancel}
        </Button>
      </span>
      <FailureNote failure={action.failure} />
    </form>
  )
}
