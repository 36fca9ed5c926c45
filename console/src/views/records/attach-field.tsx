import { useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { Name } from '../../parts/text.tsx'
import { ScanBadge } from '../scans/scan-badge.tsx'
import { useCommentWords } from './comment-words.ts'
import type { DraftFile, DraftFiles } from './use-attachments.ts'
import { useScannedFile } from './use-scanned-file.ts'
import '../../style/attachments.css'

/** The files of a comment that is being written, and a way to choose more. */
export function AttachField({ of, project }: { of: DraftFiles; project: string }) {
  const t = useCommentWords()
  const input = useRef<HTMLInputElement>(null)
  const chosen = () => {
    const { current } = input
    if (!current?.files) return
    of.add(current.files)
    // The same file can be chosen again after it was taken away.
    current.value = ''
  }
  return (
    <div class="attach">
      {of.files.length > 0 && (
        <ul class="draft-files">
          {of.files.map(file => (
            <li key={file.key}>
              <OneFile file={file} project={project} onRemove={() => of.remove(file)} />
            </li>
          ))}
        </ul>
      )}
      {of.areTooMany && (
        <p class="problem" role="alert">
          {t.tooMany}
        </p>
      )}
      <p class="row">
        <Button quiet icon="attach" onClick={() => input.current?.click()}>
          {t.attach}
        </Button>
        <span class="hint wide-only">{t.dropHere}</span>
        <input ref={input} type="file" multiple hidden aria-label={t.attach} onChange={chosen} />
      </p>
    </div>
  )
}

interface OneFileProps {
  file: DraftFile
  project: string
  onRemove: () => void
}

function OneFile({ file, project, onRemove }: OneFileProps) {
  const t = useCommentWords()
  const { name, progress, stored, failure } = file
  const isDone = stored !== undefined || failure !== undefined
  return (
    <>
      <div class="row">
        <Name>{name}</Name>
        {!isDone && <progress max={1} value={progress} aria-label={t.uploading(name)} />}
        {stored && <Scan file={stored.ref} project={project} />}
        <Button quiet icon="close" aria-label={isDone ? t.removeFile(name) : t.cancelUpload(name)} onClick={onRemove} />
      </div>
      <FailureNote failure={failure} />
    </>
  )
}

function Scan({ file, project }: { file: string; project: string }) {
  const known = useScannedFile(project, file)
  return known ? <ScanBadge of={known.scan_state} /> : null
}
