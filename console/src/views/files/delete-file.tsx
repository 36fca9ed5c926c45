import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { StoredFile } from '../../api/types.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Name } from '../../parts/text.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useMayDelete } from '../records/use-rights.ts'
import { useFilesWords } from './words.ts'

interface DeleteFileProps {
  file: StoredFile
  onDeleted: () => void
}

/** Leaders may delete every file, members those that they uploaded: the server knows which these are. */
export function DeleteIfOwn(props: DeleteFileProps) {
  const { me, may } = useStanding()
  if (!me.user || !may('deleteFile')) return null
  if (me.user.role !== 'member') return <DeleteFile {...props} />
  // Names may be shared, so that only those of one's own name are asked about.
  return props.file.uploaded_by === me.user.name ? <AskedDelete {...props} /> : null
}

function AskedDelete(props: DeleteFileProps) {
  return useMayDelete(props.file.ref) ? <DeleteFile {...props} /> : null
}

/** For good, so it asks first. */
function DeleteFile({ file, onDeleted }: DeleteFileProps) {
  const t = useFilesWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    await call('DELETE /companies/{company}/records/files/{file}', { params: { company, file: file.ref } })
    say(t.deleted(isolate(file.name)))
  }
  return (
    <>
      <Button
        quiet
        icon="trash"
        class="dangerous"
        title={t.deleteVerb}
        aria-label={t.deleteThis(isolate(file.name))}
        onClick={() => setAsking(true)}
      />
      {isAsking && (
        <Confirm
          title={t.deleteFileTitle}
          verb={t.deleteVerb}
          act={remove}
          onClose={() => setAsking(false)}
          onDone={onDeleted}
        >
          <p>
            <strong>
              <Name>{file.name}</Name>
            </strong>
          </p>
          <p>{common.cannotBeUndone}</p>
        </Confirm>
      )}
    </>
  )
}
