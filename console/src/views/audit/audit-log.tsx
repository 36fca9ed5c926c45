import type { AuditEntry } from '../../api/types.ts'
import type { Collection } from '../../api/use-collection.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Button } from '../../parts/button.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useEntryColumns } from './entry.tsx'
import { AuditFilterFields, type AuditFilters } from './filters.tsx'
import { useAuditWords } from './words.ts'
import '../../style/audit.css'

interface AuditLogProps {
  title: string
  lead: string
  filters: AuditFilters
  entries: Collection<AuditEntry>
  /** All entries that match the filters, as a file. */
  exportCsv: () => Promise<Blob>
}

/** An audit: of a company, or of what belongs to none. */
export function AuditLog({ title, lead, filters, entries, exportCsv }: AuditLogProps) {
  const t = useAuditWords()
  const common = useCommonWords()
  const columns = useEntryColumns()
  const nothing = filters.isFiltered ? (
    <>
      <p>{common.noMatch}</p>
      <Button onClick={filters.clear}>{common.clearFilters}</Button>
    </>
  ) : (
    t.empty
  )
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <ActButton icon="download" act={async () => save(await exportCsv(), 'audit.csv')}>
          {t.export}
        </ActButton>
      }
    >
      <AuditFilterFields filters={filters} />
      <LoadedCollection of={entries} empty={nothing}>
        {rows => <Table label={t.table} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </LoadedCollection>
    </Page>
  )
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // By then the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
