import { download } from '../../api/call.ts'
import { useCollection } from '../../api/use-collection.ts'
import { AuditLog } from './audit-log.tsx'
import { useAuditFilters } from './filters.tsx'
import { useAuditWords } from './words.ts'

/** The audit of what belongs to no company. */
export default function ServiceAudit() {
  const t = useAuditWords()
  const filters = useAuditFilters()
  const entries = useCollection('GET /audit', { query: filters.query })
  return (
    <AuditLog
      title={t.serviceTitle}
      lead={t.serviceLead}
      filters={filters}
      entries={entries}
      exportCsv={() => download('GET /audit', { query: filters.query }, 'text/csv')}
    />
  )
}
