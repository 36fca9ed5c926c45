import { downloadAddress } from '../../api/file-addresses.ts'
import type { StoredFile } from '../../api/types.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Icon } from '../../parts/icon.tsx'
import { isolate } from '../../words/language.ts'
import { useWorkWords } from '../records/words.ts'

interface DownloadProps {
  file: StoredFile
  project: string
  /** One of many, in a row: only its icon is shown. */
  quiet?: boolean
}

/** The browser downloads it with its session, so that a large file needs no memory here. */
export function Download({ file: { ref, name, downloadable }, project, quiet }: DownloadProps) {
  const t = useWorkWords()
  const { id } = useCompany()
  const { may } = useStanding()
  if (!may('downloadFile') || !downloadable) return null
  const path = downloadAddress(id, project, ref)
  return (
    <a
      class={quiet ? 'button quiet-button' : 'button main'}
      title={quiet ? t.download : undefined}
      href={path}
      download={name}
      aria-label={quiet ? `${t.download} ${isolate(name)}` : undefined}
    >
      <Icon name="download" />
      {!quiet && t.download}
    </a>
  )
}
