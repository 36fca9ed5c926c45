import { useRef, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { useAction } from '../../api/use-action.ts'
import { asId } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { Form, TextField } from '../../parts/form.tsx'
import { useFilesWords } from './words.ts'

/** Where something is added, and what follows. */
export interface Place {
  project: string
  /** The id of the folder; empty at the top. */
  folder: string
  onDone: () => void
}

export function NewFolder({ project, folder, onDone }: Place) {
  const t = useFilesWords()
  const { id: company } = useCompany()
  const [name, setName] = useState('')
  const idempotencyKey = useRef(newIdempotencyKey())
  const action = useAction(() =>
    call('POST /companies/{company}/records/projects/{project}/folders', {
      params: { company, project },
      body: { name, parent_folder_id: asId(folder) ?? null },
      idempotencyKey: idempotencyKey.current,
    }),
  )
  /** Whatever is sent after a change is another folder. */
  const rename = (text: string) => {
    idempotencyKey.current = newIdempotencyKey()
    setName(text)
  }
  return (
    <Form action={action} submit={t.create} disabled={name.trim() === ''} onCancel={onDone} onDone={onDone}>
      <TextField label={t.folderName} problem={action.about('name')} value={name} onChange={rename} autoFocus />
    </Form>
  )
}
