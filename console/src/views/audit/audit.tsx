import { download } from '../../api/call.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany } from '../../frame/standing.ts'
import { AuditLog } from './audit-log.tsx'
import { useCure } from './cure.tsx'
import { useAuditFilters } from './filters.tsx'
import { useAuditWords } from './words.ts'

/** The audit of a company. */
export default function Audit() {
  const t = useAuditWords()
  const { id: company } = useCompany()
  const filters = useAuditFilters()
  const request = { params: { company }, query: filters.query }
  const entries = useCollection('GET /companies/{company}/audit', request)
  const cure = useCure(entries.data ?? [])
  return (
    <AuditLog
      title={t.title}
      lead={t.lead}
      filters={filters}
      entries={entries}
      exportCsv={() => download('GET /companies/{company}/audit', request, 'text/csv')}
      cure={cure}
    />
  )
}
