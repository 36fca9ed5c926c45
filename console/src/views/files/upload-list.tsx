import { Button } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { LeaveGuard } from '../../parts/leave-guard.tsx'
import { Card } from '../../parts/page.tsx'
import { Size } from '../../parts/size.tsx'
import { Name } from '../../parts/text.tsx'
import { isolate } from '../../words/language.ts'
import type { Upload, Uploads } from './use-uploads.ts'
import { useFilesWords } from './words.ts'

/** What is on its way to the server, and what did not get there. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  const t = useFilesWords()
  if (uploads.all.length === 0) return null
  const isUnderway = uploads.all.some(({ state }) => state !== 'failed')
  return (
    <Card title={t.uploads}>
      <ul class="uploads">
        {uploads.all.map(upload => (
          <Line key={upload.key} upload={upload} uploads={uploads} />
        ))}
      </ul>
      {isUnderway && <LeaveGuard title={t.leaveUploads} what={t.leaveUploadsWhat} />}
    </Card>
  )
}

function Line({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const t = useFilesWords()
  const { file, state, sent, failure } = upload
  const name = isolate(file.name)
  return (
    <li>
      <p class="upload">
        <span class="upload-name">
          <Name>{file.name}</Name>{' '}
          <span class="quiet">
            <Size bytes={file.size} />
          </span>
        </span>
        {state === 'waiting' && <span class="quiet">{t.waiting}</span>}
        {state === 'sending' && sent < 1 && <progress aria-label={`${t.sending}: ${name}`} value={sent} max={1} />}
        {state === 'sending' && sent === 1 && <span class="quiet">{t.storing}</span>}
        {failure?.passes && (
          <Button quiet icon="replay" aria-label={t.tryAgainWith(name)} onClick={() => uploads.retry(upload)}>
            {t.tryAgain}
          </Button>
        )}
        <Button
          quiet
          icon="close"
          aria-label={failure ? t.dismissUpload(name) : t.cancelUpload(name)}
          onClick={() => uploads.drop(upload)}
        />
      </p>
      <FailureNote failure={failure} />
    </li>
  )
}
