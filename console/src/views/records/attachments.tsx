import { downloadAddress } from '../../api/file-addresses.ts'
import type { Comment } from '../../api/types.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Size } from '../../parts/size.tsx'
import { Name } from '../../parts/text.tsx'
import { ScanBadge } from '../scans/scan-badge.tsx'
import { useWorkAddresses } from './addresses.ts'
import { useCommentWords } from './comment-words.ts'
import { useScannedFile } from './use-scanned-file.ts'
import { useWorkWords } from './words.ts'
import '../../style/attachments.css'

interface AttachmentsProps {
  comment: Comment
  project: string
}

/** The files of a comment. Those that still exist can be opened and downloaded; of the others, the names remain. */
export function Attachments({ comment: { attachments, attachment_refs }, project }: AttachmentsProps) {
  const t = useWorkWords()
  return (
    <ul class="attached" aria-label={t.attached}>
      {attachments.map((name, i) => {
        const ref = attachment_refs[i]
        return (
          <li key={`${i} ${name}`} class="row">
            <Icon name="attach" />
            {ref ? <Attached file={ref} name={name} project={project} /> : <Name>{name}</Name>}
          </li>
        )
      })}
    </ul>
  )
}

/** The browser downloads it with its session, so that a large file needs no memory here. */
function Attached({ file, name, project }: { file: string; name: string; project: string }) {
  const t = useCommentWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const addresses = useWorkAddresses()
  const known = useScannedFile(project, file)
  const download = downloadAddress(company, project, file)
  return (
    <>
      <Link to={addresses.file(project, file)}>
        <Name>{name}</Name>
      </Link>
      {known?.size_bytes != null && (
        <span class="quiet">
          <Size bytes={known.size_bytes} />
        </span>
      )}
      {known && !known.downloadable && <ScanBadge of={known.scan_state} />}
      {known?.downloadable && may('downloadFile') && (
        <a class="button quiet-button" href={download} download={name} aria-label={t.download(name)}>
          <Icon name="download" />
        </a>
      )}
    </>
  )
}
