import type { StoredFile } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { go } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Size } from '../../parts/size.tsx'
import { Facts } from '../../parts/table.tsx'
import { Code, Name, Note, Told } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useWorkAddresses } from '../records/addresses.ts'
import { ProjectName } from '../records/project-names.tsx'
import { useIsOpen } from '../records/use-is-open.ts'
import { useWorkWords } from '../records/words.ts'
import { ScanBadge } from '../scans/scan-badge.tsx'
import { useScanWords } from '../scans/words.ts'
import { DeleteIfOwn } from './delete-file.tsx'
import { Download } from './download.tsx'
import { useAskAgain } from './use-ask-again.ts'
import '../../style/files.css'

/** What is known about a file, and its download. */
export default function FileView({ params: { project = '', file = '' } }: ViewProps) {
  const t = useWorkWords()
  const { id } = useCompany()
  const addresses = useWorkAddresses()
  const answer = useAnswer('GET /companies/{company}/records/projects/{project}/files/{file}', {
    params: { company: id, project, file },
  })
  const data = answer.data?.data
  useAskAgain(data?.scan_state === 'pending' ? 1 : 0, answer.reload)
  return (
    <Page
      title={data ? isolate(data.name) : t.file}
      heading={data ? <Name>{data.name}</Name> : t.file}
      above={{
        to: addresses.files(project, data?.folder_id),
        label: data?.folder_id ? <Name>{data.path}</Name> : <ProjectName project={project} />,
      }}
      actions={data && <Actions file={data} project={project} />}
    >
      <Loaded of={answer}>{({ data }) => <About file={data} />}</Loaded>
    </Page>
  )
}

function Actions({ file, project }: { file: StoredFile; project: string }) {
  const addresses = useWorkAddresses()
  const isOpen = useIsOpen(project)
  const leave = () => go(addresses.files(project, file.folder_id), { replace: true })
  return (
    <>
      <Download file={file} project={project} />
      {isOpen && <DeleteIfOwn file={file} onDeleted={leave} />}
    </>
  )
}

function About({ file }: { file: StoredFile }) {
  const t = useWorkWords()
  const common = useCommonWords()
  const { message } = useScanWords()
  const { scan_message, downloadable, external_url, content_type, size_bytes } = file
  return (
    <Card>
      <div class="stack">
        <Facts
          of={[
            [t.scan, <ScanBadge key="scan" of={file.scan_state} />],
            ...(size_bytes === null ? [] : [[t.size, <Size key="size" bytes={size_bytes} />] as [string, object]]),
            ...(content_type ? [[t.type, <Code key="type">{content_type}</Code>] as [string, object]] : []),
            ...(external_url ? [[t.link, <OutsideLink key="link" to={external_url} />] as [string, object]] : []),
            [t.uploadedBy, <Name key="by">{file.uploaded_by}</Name>],
            [common.created, <Time key="created" at={file.created_at} />],
          ]}
        />
        {scan_message && (
          <Note tone="warn">
            <p>
              <Told>{message(scan_message)}</Told>
            </p>
          </Note>
        )}
        {file.scan_state === 'pending' && !downloadable && <p class="quiet">{t.notYet}</p>}
      </div>
    </Card>
  )
}
