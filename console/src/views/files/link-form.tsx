import { useRef, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { useAction } from '../../api/use-action.ts'
import { asId } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { Form, TextField } from '../../parts/form.tsx'
import type { Place } from './new-folder.tsx'
import { useFilesWords } from './words.ts'

/** A file that is kept elsewhere. */
export function LinkForm({ project, folder, onDone }: Place) {
  const t = useFilesWords()
  const { id: company } = useCompany()
  const [name, setName] = useState('')
  const [external_url, setUrl] = useState('')
  const idempotencyKey = useRef(newIdempotencyKey())
  const action = useAction(async () => {
    await call('POST /companies/{company}/records/projects/{project}/links', {
      params: { company, project },
      body: { name, external_url, folder_id: asId(folder) ?? null },
      idempotencyKey: idempotencyKey.current,
    })
  })
  const changing = (set: (text: string) => void) => (text: string) => {
    idempotencyKey.current = newIdempotencyKey()
    set(text)
  }
  return (
    <Form
      action={action}
      submit={t.addLink}
      disabled={name.trim() === '' || external_url.trim() === ''}
      onCancel={onDone}
      onDone={onDone}
    >
      <TextField
        label={t.linkName}
        problem={action.about('name')}
        value={name}
        onChange={changing(setName)}
        autoFocus
      />
      <TextField
        label={t.linkAddress}
        problem={action.about('external_url')}
        type="url"
        value={external_url}
        onChange={changing(setUrl)}
      />
    </Form>
  )
}
