import type { Project, StoredFile } from '../../api/types.ts'
import { Link } from '../../parts/button.tsx'
import { Size } from '../../parts/size.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useWorkAddresses } from '../records/addresses.ts'
import { useWorkWords } from '../records/words.ts'
import { ScanBadge } from '../scans/scan-badge.tsx'
import { DeleteIfOwn } from './delete-file.tsx'
import { Download } from './download.tsx'

interface FilesTableProps {
  project: Project
  rows: StoredFile[]
  onChanged: () => void
}

export function FilesTable({ project, rows, onChanged }: FilesTableProps) {
  const t = useWorkWords()
  const common = useCommonWords()
  const columns: Column<StoredFile>[] = [
    { title: t.file, main: true, show: file => <Way file={file} project={project.id} /> },
    { title: t.size, figures: true, show: ({ size_bytes }) => <Size bytes={size_bytes} /> },
    { title: t.scan, show: ({ scan_state }) => <ScanBadge of={scan_state} /> },
    { title: t.uploadedBy, show: ({ uploaded_by }) => <Name>{uploaded_by}</Name> },
    { title: common.created, show: ({ created_at }) => <Time at={created_at} /> },
    {
      title: common.actions,
      actions: true,
      show: file => (
        <span class="row-actions">
          {!file.external_url && <Download quiet file={file} project={project.id} />}
          {!project.archived && <DeleteIfOwn file={file} onDeleted={onChanged} />}
        </span>
      ),
    },
  ]
  return <Table label={t.files} rows={rows} keyOf={({ id }) => id} columns={columns} />
}

function Way({ file: { ref, name, source }, project }: { file: StoredFile; project: string }) {
  const addresses = useWorkAddresses()
  return (
    <>
      <Link to={addresses.file(project, ref)}>
        <Name>{name}</Name>
      </Link>
      {source && (
        <p class="quiet">
          <Name>{source}</Name>
        </p>
      )}
    </>
  )
}
