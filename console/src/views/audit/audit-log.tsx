import type { ComponentChildren } from 'preact'
import type { AuditEntry } from '../../api/types.ts'
import type { Collection } from '../../api/use-collection.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Button } from '../../parts/button.tsx'
import { DayLog } from '../../parts/day-log.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useCommonWords } from '../../words/common.ts'
import { Entry } from './entry.tsx'
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
  /** What a denial is shown with. */
  cure?: (entry: AuditEntry) => ComponentChildren
}

/** An audit: of a company, or of what belongs to none. */
export function AuditLog({ title, lead, filters, entries, exportCsv, cure }: AuditLogProps) {
  const t = useAuditWords()
  const common = useCommonWords()
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
        {rows => (
          <DayLog label={t.table} rows={rows} keyOf={({ id }) => id} at={({ created_at }) => created_at}>
            {entry => <Entry of={entry} cure={cure?.(entry)} />}
          </DayLog>
        )}
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
