import type { File, Folder } from '../../api/types.ts'
import { Link } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Size } from '../../parts/size.tsx'
import { Table } from '../../parts/table.tsx'
import { Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { ScanBadge } from '../scans/scan-badge.tsx'
import { useWorkAddresses } from './addresses.ts'
import { useWorkWords } from './words.ts'
import '../../style/records.css'

/** The current folder, and the way up. */
export function Upwards({ from, project }: { from: Folder; project: string }) {
  const t = useWorkWords()
  const addresses = useWorkAddresses()
  return (
    <p class="row">
      <Icon name="folder" />
      <strong>
        <Name>{from.path}</Name>
      </strong>
      <Link to={addresses.files(project, from.parent_folder_id)}>{t.upwards}</Link>
    </p>
  )
}

export function FoldersTable({ rows, project }: { rows: Folder[]; project: string }) {
  const t = useWorkWords()
  const common = useCommonWords()
  const addresses = useWorkAddresses()
  return (
    <Table
      label={t.folders}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t.folder,
          main: true,
          show: ({ id, name }) => (
            <span class="with-icon">
              <Icon name="folder" />
              <Link to={addresses.files(project, id)}>
                <Name>{name}</Name>
              </Link>
            </span>
          ),
        },
        { title: common.created, show: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  )
}

export function FilesTable({ rows, project }: { rows: File[]; project: string }) {
  const t = useWorkWords()
  const common = useCommonWords()
  const addresses = useWorkAddresses()
  return (
    <Table
      label={t.files}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t.file,
          main: true,
          show: ({ ref, name, source }) => (
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
          ),
        },
        { title: t.size, figures: true, show: ({ size_bytes }) => <Size bytes={size_bytes} /> },
        { title: t.scan, show: ({ scan_state }) => <ScanBadge of={scan_state} /> },
        { title: t.uploadedBy, show: ({ uploaded_by }) => <Name>{uploaded_by}</Name> },
        { title: common.created, show: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  )
}
