import type { File } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Size } from '../../parts/size.tsx'
import { Facts } from '../../parts/table.tsx'
import { Code, Name, Note } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { ScanBadge } from '../scans/scan-badge.tsx'
import { useScanWords } from '../scans/words.ts'
import { useWorkAddresses } from './addresses.ts'
import { ProjectName } from './project-names.tsx'
import { useWorkWords } from './words.ts'

/** What is known about a file, and its download. */
export default function FileView({ params: { project = '', file = '' } }: ViewProps) {
  const t = useWorkWords()
  const { id } = useCompany()
  const addresses = useWorkAddresses()
  const answer = useAnswer('GET /companies/{company}/records/projects/{project}/files/{file}', {
    params: { company: id, project, file },
  })
  const data = answer.data?.data
  return (
    <Page
      title={data ? isolate(data.name) : t.file}
      heading={data ? <Name>{data.name}</Name> : t.file}
      above={{
        to: addresses.files(project, data?.folder_id),
        label: data?.folder_id ? <Name>{data.path}</Name> : <ProjectName project={project} />,
      }}
      actions={data?.downloadable && <Download file={data} project={project} />}
    >
      <Loaded of={answer}>{({ data }) => <About file={data} />}</Loaded>
    </Page>
  )
}

/** The browser downloads it with its session, so that a large file needs no memory here. */
function Download({ file: { ref, name }, project }: { file: File; project: string }) {
  const t = useWorkWords()
  const { id } = useCompany()
  const { may } = useStanding()
  if (!may('downloadFile')) return null
  const path = `/admin/v1/companies/${id}/records/projects/${encodeURIComponent(project)}/files/${ref}/download`
  return (
    <a class="button main" href={path} download={name}>
      <Icon name="download" />
      {t.download}
    </a>
  )
}

function About({ file }: { file: File }) {
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
              <Name>{message(scan_message)}</Name>
            </p>
          </Note>
        )}
        {file.scan_state === 'pending' && !downloadable && <p class="quiet">{t.notYet}</p>}
      </div>
    </Card>
  )
}
